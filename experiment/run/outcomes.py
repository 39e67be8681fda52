"""Outcomes of an episode, of an evaluation and of a run. The return of an episode alone decides who won."""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import isclose, isfinite
from typing import NamedTuple, Protocol, TypeVar

from othello_lab.game.players.short_names import short_name


class Outcome(StrEnum):
    """The result of a game for the agent."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"

    @property
    def points(self) -> float:
        """Its value in a score: 1, 0.5 or 0."""
        return {"win": 1.0, "draw": 0.5, "loss": 0.0}[self.value]

    @classmethod
    def of_points(cls, points: float) -> "Outcome":
        """Return the outcome with a value of 1, 0.5 or 0."""
        return {1.0: cls.WIN, 0.5: cls.DRAW, 0.0: cls.LOSS}[points]


@dataclass(frozen=True)
class Rewards:
    """The return of an episode that was won, drawn, lost."""

    win: float = 1.0
    draw: float = -0.5
    loss: float = -1.0
    in_discs: bool = False
    """Whether the return is the disc difference."""

    def outcome(self, total: float) -> Outcome | None:
        """Return the outcome of an episode with this return; None if it is none of the three."""
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
    """A finished episode from the agent's side; None or "" for an unknown value."""

    index: int
    """Counts from 1."""
    outcome: Outcome | None
    reward: float
    """The undiscounted sum of the episode's rewards."""
    steps: int
    """Number of the agent's actions."""
    discs_own: int | None = None
    discs_opponent: int | None = None
    colour: str = ""
    illegal: int | None = None
    """Number of illegal actions."""


@dataclass
class Tally:
    """Counts of outcomes from the agent's side."""

    win: int = 0
    draw: int = 0
    loss: int = 0
    other: int = 0
    """Episodes without a result: truncated, or with a return that is none of the three."""

    @classmethod
    def of(cls, outcomes: Iterable[Outcome | None]) -> "Tally":
        """Count outcomes."""
        counts = Counter(outcomes)
        return cls(counts[Outcome.WIN], counts[Outcome.DRAW], counts[Outcome.LOSS], counts[None])

    def add(self, outcome: Outcome | None) -> None:
        """Count one more episode."""
        name = outcome.value if outcome else "other"
        setattr(self, name, getattr(self, name) + 1)

    def __add__(self, other: "Tally") -> "Tally":
        """Return the sum of both."""
        return Tally(
            self.win + other.win, self.draw + other.draw, self.loss + other.loss, self.other + other.other
        )

    @property
    def games(self) -> int:
        """Number of episodes."""
        return self.win + self.draw + self.loss + self.other

    def share(self, outcomes: Iterable[Outcome]) -> float:
        """Return the share of games with one of these outcomes, 0 to 1; 0 without games."""
        return sum(int(getattr(self, outcome)) for outcome in outcomes) / max(1, self.games)

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
"""Added to the opponent's name if the games began from openings."""
SELF = "self"
"""An environment's name for its opponent if the agent plays both sides."""
STAND_IN = "corner-greedy"
"""The first opponent in evaluations of an agent that learns against itself."""
HELD_OUT = ("random", "positional", "weights:swh")
"""Players of the last evaluation only: an agent that trains against another has never met them."""


def against(opponent: str) -> str:
    """Return the end of a sentence, such as ` against greedy`; "" for an opponent without a name."""
    return f" against {short_name(opponent)}" if opponent else ""


@dataclass(frozen=True)
class Evaluation:
    """The result of some games against one opponent, in an evaluation or in a round of self-play."""

    episode: int
    """Number of training episodes before it."""
    opponent: str
    colour: str
    """The agent's: black or white; "" if the environment does not report it."""
    tally: Tally
    notes: tuple[str, ...] = ()


class HasOpponent(Protocol):
    """A result against one opponent."""

    @property
    def opponent(self) -> str:
        """Its name."""


R = TypeVar("R", bound=HasOpponent)


def by_opponent(results: Iterable[R]) -> dict[str, list[R]]:
    """Group results by opponent, in the order in which they come."""
    groups: dict[str, list[R]] = {}
    for result in results:
        groups.setdefault(result.opponent, []).append(result)
    return groups


def total(results: Iterable[Evaluation]) -> Tally:
    """Return all colours together."""
    return sum((result.tally for result in results), Tally())


def in_words(results: Sequence[Evaluation]) -> str:
    """Return the results against one opponent as text: the sum first, then each colour."""
    tally = total(results)
    rates = [f"{result.colour} {100 * result.tally.win_rate:.1f} %" for result in results if result.colour]
    split = f" ({', '.join(rates)})" if len(rates) > 1 else ""
    versus = against(results[0].opponent)
    return f"{tally} of {tally.games:,}{versus}: {100 * tally.win_rate:.1f} %{split}"


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint that the agent has saved after this many episodes."""

    episode: int
    name: str


class TrainingWork(NamedTuple):
    """The training of a session, without evaluations."""

    games: int = 0
    decisions: int = 0
    """Number of the agent's actions; in self-play those of both sides."""
    seconds: float = 0.0


@dataclass
class RunResult:
    """The result of a session of a run."""

    episodes: int = 0
    """Training games of the whole run."""
    interrupted: bool = False
    checkpoint: Checkpoint | None = None
    """The newest one."""
    policy: str | None = None
    """The path of the trained policy, if the agent saved one."""
    evaluations: list[Evaluation] = field(default_factory=list)
    """The final ones."""
    held_out: list[Evaluation] = field(default_factory=list)
    """The final ones against players that the agent has never met in training."""
    notes: list[str] = field(default_factory=list)
    work: TrainingWork = field(default_factory=TrainingWork)
    seconds: float = 0.0
    """Time of the session, with evaluations."""


_OTHER = {Outcome.WIN: Outcome.LOSS, Outcome.DRAW: Outcome.DRAW, Outcome.LOSS: Outcome.WIN}


@dataclass(frozen=True)
class View:
    """How training games are counted and named. With `selfplay` a win is black's, a loss white's."""

    selfplay: bool = False

    @property
    def shares_shown(self) -> tuple[tuple[set[Outcome], str], ...]:
        """The curves of training games: the outcomes and the name of each."""
        if self.selfplay:
            return (
                ({Outcome.WIN}, "won by black"),
                ({Outcome.LOSS}, "won by white"),
                ({Outcome.DRAW}, "drawn"),
            )
        return ({Outcome.WIN}, "won"), ({Outcome.WIN, Outcome.DRAW}, "won or drawn")

    def outcome(self, episode: Episode) -> Outcome | None:
        """Return the outcome of an episode; in self-play its row has the last mover's."""
        if not self.selfplay or episode.colour == "black":
            return episode.outcome
        return None if episode.outcome is None else _OTHER[episode.outcome]

    def text(self, tally: Tally) -> str:
        """Return counts as text."""
        if not self.selfplay:
            return str(tally)
        others = f", {tally.other} without a result" if tally.other else ""
        return f"{tally.win} won by black, {tally.loss} by white, {tally.draw} drawn{others}"

    def fact(self, recent: Tally) -> str:
        """Return shares as a short text, for the progress bar."""
        if not self.selfplay:
            return f"won {recent.win_rate:.0%} of last {recent.games}"
        return "black {black:.0%} white {white:.0%} drawn {drawn:.0%}".format(**self.shares(recent))

    def shares(self, tally: Tally) -> dict[str, float]:
        """Return the values for metrics.jsonl and TensorBoard by name."""
        if not self.selfplay:
            return {"win_rate": tally.win_rate, "score": tally.score}
        shares = {"black": Outcome.WIN, "white": Outcome.LOSS, "drawn": Outcome.DRAW}
        return {name: tally.share([outcome]) for name, outcome in shares.items()}


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
        return f"episodes {episode.index - HUNDRED + 1}-{episode.index}: {self._view.text(self.recent)}"

    @property
    def recent(self) -> Tally:
        """The outcomes of the last hundred games."""
        return Tally.of(self._outcomes)
