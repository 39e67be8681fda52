"""The rows of episodes.csv and evaluations.csv: the same columns written and read."""

import csv
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from experiment.run.episodes.outcomes import Episode, Outcome, Tally
from experiment.run.evaluation.result import Evaluation

EPISODE_COLUMNS = (
    "episode",
    "outcome",
    "reward",
    "steps",
    "discs_own",
    "discs_opponent",
    "colour",
    "illegal",
)
EVALUATION_COLUMNS = ("episode", "opponent", "colour", "games", "win", "draw", "loss")

Record = TypeVar("Record")


def episode_row(episode: Episode) -> tuple[object, ...]:
    """Return the row of an episode: no times, fixed formats, so the same seed gives the same bytes."""
    return (
        episode.index,
        episode.outcome,
        f"{episode.reward:.6g}",
        episode.steps,
        episode.discs_own,
        episode.discs_opponent,
        episode.colour,
        episode.illegal,
    )


def evaluation_row(evaluation: Evaluation) -> tuple[object, ...]:
    """Return the row of an evaluation, without its notes."""
    tally = evaluation.tally
    counts = (tally.games, tally.win, tally.draw, tally.loss)
    return (evaluation.episode, evaluation.opponent, evaluation.colour, *counts)


def read_episode(row: dict[str, str]) -> Episode:
    """Return the episode of a row; raise ValueError if it is none."""

    def number(name: str) -> int | None:
        return int(row[name]) if row[name] else None

    return Episode(
        int(row["episode"]),
        Outcome(row["outcome"]) if row["outcome"] else None,
        float(row["reward"]),
        int(row["steps"]),
        number("discs_own"),
        number("discs_opponent"),
        row["colour"],
        number("illegal"),
    )


def read_evaluation(row: dict[str, str]) -> Evaluation:
    """Return the evaluation of a row; raise ValueError if it is none."""
    games, win, draw, loss = (int(row[name]) for name in ("games", "win", "draw", "loss"))
    tally = Tally(win, draw, loss, games - win - draw - loss)
    if min(win, draw, loss, tally.other) < 0:
        raise ValueError(f"{games} games cannot be {win} won, {draw} drawn and {loss} lost")
    return Evaluation(int(row["episode"]), row["opponent"], row["colour"], tally)


def read_rows(
    lines: Iterable[str], columns: tuple[str, ...], read: Callable[[dict[str, str]], Record]
) -> Iterator[Record]:
    """Yield what the lines hold; the header and lines that a crash has spoilt are passed over."""
    for line in lines:
        try:
            # Line by line, so that a stray quote does not swallow those that follow.
            values = next(csv.reader([line], strict=True), [])
            yield read(dict(zip(columns, values, strict=True)))
        except (ValueError, csv.Error):
            continue
