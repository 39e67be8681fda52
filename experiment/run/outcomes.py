"""The outcomes of episodes, evaluations and runs. Only the return of an episode determines its outcome."""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import isclose, isfinite
from typing import NamedTuple

from othello_lab.game.short_names import short_name


class Outcome(StrEnum):
    """The result of a game for the agent."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"

    @property
    def points(self) -> float:
        """The points for this outcome: 1, 0.5 or 0."""
        return {"win": 1.0, "draw": 0.5, "loss": 0.0}[self.value]

    @classmethod
    def of_points(cls, points: float) -> "Outcome":
        """Return the outcome with 1, 0.5 or 0 points."""
        return {1.0: cls.WIN, 0.5: cls.DRAW, 0.0: cls.LOSS}[points]


@dataclass(frozen=True)
class Rewards:
    """The returns of a won, drawn and lost episode."""

    win: float = 1.0
    draw: float = -0.5
    loss: float = -1.0
    in_discs: bool = False  # Whether the return is the disc difference, positive for a win.

    def outcome(self, total: float) -> Outcome | None:
        """Return the outcome of an episode with the return `total`, or None if no outcome has this return."""
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
    """A finished episode from the agent's point of view. An unknown value is None or ""."""

    index: int  # The index of the episode, from 1.
    outcome: Outcome | None
    reward: float  # The undiscounted sum of the rewards.
    steps: int  # The number of the agent's actions.
    discs_own: int | None = None
    discs_opponent: int | None = None
    colour: str = ""
    illegal: int | None = None  # The number of illegal actions.


@dataclass
class Tally:
    """The number of episodes with each outcome, from the agent's point of view."""

    win: int = 0
    draw: int = 0
    loss: int = 0
    other: int = 0  # Episodes without a result, such as truncated episodes.

    @classmethod
    def of(cls, outcomes: Iterable[Outcome | None]) -> "Tally":
        """Count outcomes."""
        counts = Counter(outcomes)
        return cls(counts[Outcome.WIN], counts[Outcome.DRAW], counts[Outcome.LOSS], counts[None])

    def add(self, outcome: Outcome | None) -> None:
        """Count an episode with this outcome."""
        name = outcome.value if outcome else "other"
        setattr(self, name, getattr(self, name) + 1)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.win + other.win, self.draw + other.draw, self.loss + other.loss, self.other + other.other
        )

    @property
    def games(self) -> int:
        """The number of episodes."""
        return self.win + self.draw + self.loss + self.other

    def share(self, outcomes: Iterable[Outcome]) -> float:
        """Return the share of games with these outcomes, from 0 to 1, or 0 without games."""
        return sum(int(getattr(self, outcome)) for outcome in outcomes) / max(1, self.games)

    @property
    def win_rate(self) -> float:
        """The share of wins, from 0 to 1, or 0 without games."""
        return self.win / self.games if self.games else 0.0

    @property
    def score(self) -> float:
        """The share of wins plus half the share of draws, or 0 without games."""
        return (self.win + self.draw / 2) / self.games if self.games else 0.0

    def __str__(self) -> str:
        others = f", {self.other} without a result" if self.other else ""
        return f"{self.win} won, {self.draw} drawn, {self.loss} lost{others}"


FROM_OPENINGS = " (openings)"  # The suffix of an opponent's name in evaluations from openings.
SELF = "self"  # The name of the environment's opponent if the agent plays both sides.
STAND_IN = "corner-greedy"  # The main opponent in the evaluations of a self-play agent.
# The additional opponents of the final evaluation. The main opponent is omitted.
HELD_OUT = ("random", "positional", "weights:swh")


def against(opponent: str) -> str:
    """Return a text such as ` against greedy`, or "" for an unnamed opponent."""
    return f" against {short_name(opponent)}" if opponent else ""


@dataclass(frozen=True)
class Evaluation:
    """The result of some games against one opponent, in an evaluation or in a round of self-play."""

    episode: int  # The number of training episodes before these games.
    opponent: str
    colour: str  # The agent's colour, "black" or "white", or "" if unknown.
    tally: Tally
    notes: tuple[str, ...] = ()


def by_opponent(results: Iterable[Evaluation]) -> dict[str, list[Evaluation]]:
    """Group results by opponent, in their original order."""
    groups: dict[str, list[Evaluation]] = {}
    for result in results:
        groups.setdefault(result.opponent, []).append(result)
    return groups


def total(results: Iterable[Evaluation]) -> Tally:
    """Return the sum of the tallies of all results."""
    return sum((result.tally for result in results), Tally())


def in_words(results: Sequence[Evaluation]) -> str:
    """Return the results against one opponent as text: the totals, then the win rate with each colour."""
    tally = total(results)
    rates = [f"{result.colour} {100 * result.tally.win_rate:.1f} %" for result in results if result.colour]
    split = f" ({', '.join(rates)})" if len(rates) > 1 else ""
    versus = against(results[0].opponent)
    return f"{tally} of {tally.games:,}{versus}: {100 * tally.win_rate:.1f} %{split}"


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint that the agent saved after `episode` training episodes."""

    episode: int
    name: str


class TrainingWork(NamedTuple):
    """The amount of training in a session, without evaluations."""

    games: int = 0
    decisions: int = 0  # The agent's actions, or the actions of both sides in self-play.
    seconds: float = 0.0


@dataclass
class RunResult:
    """The result of one session of a run."""

    episodes: int = 0  # The number of training games in the whole run.
    interrupted: bool = False
    checkpoint: Checkpoint | None = None  # The newest checkpoint.
    policy: str | None = None  # The path of the trained policy, or None if the agent saved no policy.
    evaluations: list[Evaluation] = field(default_factory=list)  # The results of the final evaluation.
    # The results of the final evaluation against players never met in training.
    held_out: list[Evaluation] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    work: TrainingWork = field(default_factory=TrainingWork)
    seconds: float = 0.0  # The length of the session in seconds, including evaluations.


@dataclass(frozen=True)
class View:
    """The perspective on training games: the agent's, or black's in self-play."""

    selfplay: bool = False

    @property
    def shares_shown(self) -> tuple[tuple[set[Outcome], str], ...]:
        """The curves of training games, each as a set of outcomes and a name."""
        if self.selfplay:
            return (
                ({Outcome.WIN}, "won by black"),
                ({Outcome.LOSS}, "won by white"),
                ({Outcome.DRAW}, "drawn"),
            )
        return ({Outcome.WIN}, "won"), ({Outcome.WIN, Outcome.DRAW}, "won or drawn")

    def outcome(self, episode: Episode) -> Outcome | None:
        """Return the outcome for the agent. In self-play, return the outcome for black."""
        if not self.selfplay or episode.colour == "black":
            return episode.outcome
        return None if episode.outcome is None else Outcome.of_points(1 - episode.outcome.points)

    def text(self, tally: Tally) -> str:
        """Return the counts as text."""
        if not self.selfplay:
            return str(tally)
        others = f", {tally.other} without a result" if tally.other else ""
        return f"{tally.win} won by black, {tally.loss} by white, {tally.draw} drawn{others}"

    def fact(self, recent: Tally) -> str:
        """Return the shares as a short text for the progress bar."""
        if not self.selfplay:
            return f"won {recent.win_rate:.0%} of last {recent.games}"
        return "black {black:.0%} white {white:.0%} drawn {drawn:.0%}".format(**self.shares(recent))

    def shares(self, tally: Tally) -> dict[str, float]:
        """Return the shares by name, for metrics.jsonl and TensorBoard."""
        if not self.selfplay:
            return {"win_rate": tally.win_rate, "score": tally.score}
        shares = {"black": Outcome.WIN, "white": Outcome.LOSS, "drawn": Outcome.DRAW}
        return {name: tally.share([outcome]) for name, outcome in shares.items()}


HUNDRED = 100


class Hundreds:
    """The outcomes of the last hundred training games."""

    def __init__(self, view: View, before: Iterable[Episode] = ()) -> None:
        self._view = view
        self._outcomes = deque((view.outcome(episode) for episode in before), maxlen=HUNDRED)

    def add(self, episode: Episode) -> str | None:
        """Count an episode. Return a summary line after every hundredth episode, otherwise None."""
        self._outcomes.append(self._view.outcome(episode))
        if episode.index % HUNDRED:
            return None
        return f"episodes {episode.index - HUNDRED + 1}-{episode.index}: {self._view.text(self.recent)}"

    @property
    def recent(self) -> Tally:
        """The outcomes of the last hundred games."""
        return Tally.of(self._outcomes)
