"""Outcomes of an episode, by its return, of an evaluation and of a run. Nothing else decides who won."""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import isclose, isfinite
from typing import NamedTuple, Protocol, TypeVar

from othello_lab.game.players.short_names import short_name


class Outcome(StrEnum):
    """How a game ended for the agent."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"

    @property
    def points(self) -> float:
        """What it counts in a score: 1, 0.5 or 0."""
        return {"win": 1.0, "draw": 0.5, "loss": 0.0}[self.value]

    @classmethod
    def of_points(cls, points: float) -> "Outcome":
        """Return what counts 1, 0.5 or 0."""
        return {1.0: cls.WIN, 0.5: cls.DRAW, 0.0: cls.LOSS}[points]


@dataclass(frozen=True)
class Rewards:
    """The return of an episode that was won, drawn, lost."""

    win: float = 1.0
    draw: float = -0.5
    loss: float = -1.0
    in_discs: bool = False
    """Whether the return is by how many discs a game was won."""

    def outcome(self, total: float) -> Outcome | None:
        """Return what a return of `total` means; None if it is none of the three, or not a finite number."""
        if not isfinite(total):
            return None
        if self.in_discs:
            return Outcome.WIN if total > 0 else Outcome.LOSS if total < 0 else Outcome.DRAW
        for outcome, reward in zip(Outcome, (self.win, self.draw, self.loss), strict=True):
            if isclose(total, reward, abs_tol=1e-6):
                return outcome
        return None


@dataclass(frozen=True)
class Episode:
    """A finished episode from the agent's side; None or "" where it cannot be known."""

    index: int
    """Counts from 1."""
    outcome: Outcome | None
    reward: float
    """The undiscounted sum of the episode's rewards."""
    steps: int
    """How many actions the agent chose."""
    discs_own: int | None = None
    discs_opponent: int | None = None
    colour: str = ""
    illegal: int | None = None
    """Illegal actions."""


@dataclass
class Tally:
    """Counts of outcomes from the agent's side."""

    win: int = 0
    draw: int = 0
    loss: int = 0
    other: int = 0
    """Episodes whose return means nothing, or that were cut off."""

    def add(self, outcome: Outcome | None) -> None:
        """Count one more episode."""
        name = outcome.value if outcome else "other"
        setattr(self, name, getattr(self, name) + 1)

    def __add__(self, other: "Tally") -> "Tally":
        """Return both together."""
        return Tally(
            self.win + other.win, self.draw + other.draw, self.loss + other.loss, self.other + other.other
        )

    @property
    def games(self) -> int:
        """How many episodes were counted."""
        return self.win + self.draw + self.loss + self.other

    def share(self, wanted: Iterable[Outcome]) -> float:
        """Return the share of games that ended in one of some ways, 0 to 1; 0 without games."""
        counts: list[int] = [getattr(self, outcome) for outcome in wanted]
        return sum(counts) / max(1, self.games)

    @property
    def win_rate(self) -> float:
        """The share of wins, 0 to 1; 0 without games."""
        return self.win / self.games if self.games else 0.0

    @property
    def score(self) -> float:
        """Wins and half of the draws as a share of the games, 0 to 1; 0 without games."""
        return (self.win + self.draw / 2) / self.games if self.games else 0.0

    def __str__(self) -> str:
        others = f", {self.other} without a result" if self.other else ""
        return f"{self.win} won, {self.draw} drawn, {self.loss} lost{others}"


FROM_OPENINGS = " (openings)"
"""Added to the opponent's name where the games began from the openings."""
SELF = "self"
"""What an environment calls its opponent where the agent plays both sides."""
STAND_IN = "corner-greedy"
"""Who an agent that learns against itself is evaluated against first."""
HELD_OUT = ("random", "positional", "weights:swh")
"""Players of the last evaluation only: an agent that trains against another has never met them."""


def against(opponent: str) -> str:
    """Return the end of a sentence, such as ` against greedy`; "" for an opponent without a name."""
    return f" against {short_name(opponent)}" if opponent else ""


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


class HasOpponent(Protocol):
    """A result against one opponent."""

    @property
    def opponent(self) -> str:
        """Its name."""


R = TypeVar("R", bound=HasOpponent)


def by_opponent(results: Iterable[R]) -> dict[str, list[R]]:
    """Sort results by opponent, in the order in which they come."""
    sorted_: dict[str, list[R]] = {}
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


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint that the agent has saved: after this many episodes, under that name."""

    episode: int
    name: str


class TrainingWork(NamedTuple):
    """The training of a session, without evaluations."""

    games: int = 0
    decisions: int = 0
    """The agent's actions."""
    seconds: float = 0.0


@dataclass
class RunResult:
    """What came of a run."""

    episodes: int = 0
    interrupted: bool = False
    checkpoint: Checkpoint | None = None
    """The newest one."""
    policy: str | None = None
    """The path of the trained policy, if the agent saved one."""
    evaluations: list[Evaluation] = field(default_factory=list)
    """The final ones."""
    held_out: list[Evaluation] = field(default_factory=list)
    """Those against players that the agent has never met in training."""
    notes: list[str] = field(default_factory=list)
    work: TrainingWork = field(default_factory=TrainingWork)
    """The training games of this session, without those that a resumed run had before."""
    seconds: float = 0.0
    """Of this session, with evaluations."""


_OTHER = {Outcome.WIN: Outcome.LOSS, Outcome.DRAW: Outcome.DRAW, Outcome.LOSS: Outcome.WIN}


@dataclass(frozen=True)
class View:
    """How training games are counted and named. With `selfplay` a win is black's, a loss white's."""

    selfplay: bool = False

    @property
    def shares_shown(self) -> tuple[tuple[set[Outcome], str], ...]:
        """The shares of training games that curves show: of which outcomes, and what they are called."""
        if self.selfplay:
            return (
                ({Outcome.WIN}, "won by black"),
                ({Outcome.LOSS}, "won by white"),
                ({Outcome.DRAW}, "drawn"),
            )
        return ({Outcome.WIN}, "won"), ({Outcome.WIN, Outcome.DRAW}, "won or drawn")

    def outcome(self, episode: Episode) -> Outcome | None:
        """Return how an episode ended as it is counted: in self-play its row has the last mover's outcome."""
        if not self.selfplay or episode.colour == "black":
            return episode.outcome
        return None if episode.outcome is None else _OTHER[episode.outcome]

    def words(self, tally: Tally) -> str:
        """Say how some games went."""
        if not self.selfplay:
            return str(tally)
        others = f", {tally.other} without a result" if tally.other else ""
        return f"{tally.win} won by black, {tally.loss} by white, {tally.draw} drawn{others}"

    def fact(self, recent: Tally) -> str:
        """Say it with few words, for the bar."""
        if not self.selfplay:
            return f"won {recent.win_rate:.0%} of last {recent.games}"
        shares = self.shares(recent)
        return "black {black:.0%} white {white:.0%} drawn {drawn:.0%}".format(**shares)

    def shares(self, tally: Tally) -> dict[str, float]:
        """Return what metrics.jsonl and TensorBoard hold of some games, by name."""
        if not self.selfplay:
            return {"win_rate": tally.win_rate, "score": tally.score}
        games = max(1, tally.games)
        return {"black": tally.win / games, "white": tally.loss / games, "drawn": tally.draw / games}


HUNDRED = 100


class Hundreds:
    """The outcomes of the last hundred training games, and a line about each hundred."""

    def __init__(self, view: View, before: Iterable[Episode] = ()) -> None:
        """Go on after the episodes `before`."""
        self._view = view
        self._outcomes = deque((view.outcome(episode) for episode in before), maxlen=HUNDRED)

    def add(self, episode: Episode) -> str | None:
        """Count an episode; return a line if it is the last one of a hundred."""
        self._outcomes.append(self._view.outcome(episode))
        if episode.index % HUNDRED:
            return None
        return f"episodes {episode.index - HUNDRED + 1}-{episode.index}: {self._view.words(self.recent)}"

    @property
    def recent(self) -> Tally:
        """The outcomes of the last hundred games."""
        counts = Counter(self._outcomes)
        return Tally(counts[Outcome.WIN], counts[Outcome.DRAW], counts[Outcome.LOSS], counts[None])
