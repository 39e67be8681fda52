"""The result of some games against one opponent, and sums of results."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from experiment.run.episodes.outcomes import Tally
from experiment.run.evaluation.opponents import against


@dataclass(frozen=True)
class Evaluation:
    """The result of some games against one opponent: those of an evaluation, or of a round of self-play."""

    episode: int
    """How many training episodes the agent had behind it."""
    opponent: str
    colour: str
    """The agent's: black or white; "" if the environment does not tell."""
    tally: Tally
    notes: tuple[str, ...] = ()


def by_opponent(results: Iterable[Evaluation]) -> dict[str, list[Evaluation]]:
    """Sort results by opponent, in the order in which they come."""
    sorted_: dict[str, list[Evaluation]] = {}
    for result in results:
        sorted_.setdefault(result.opponent, []).append(result)
    return sorted_


def total(results: Iterable[Evaluation]) -> Tally:
    """Return all colours together."""
    return sum((result.tally for result in results), Tally())


def in_words(results: Sequence[Evaluation]) -> str:
    """Say how the games against one opponent went: the sum first, then each colour."""
    tally = total(results)
    rates = [f"{result.colour} {100 * result.tally.win_rate:.1f} %" for result in results if result.colour]
    split = f" ({', '.join(rates)})" if len(rates) > 1 else ""
    versus = against(results[0].opponent)
    return f"{tally} of {tally.games:,}{versus}: {100 * tally.win_rate:.1f} %{split}"
