"""Outcomes of episodes: what a return means, and counts of it. Nothing else decides who won."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import isclose


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

    def outcome(self, total: float) -> Outcome | None:
        """Return what a return of `total` means; None if it is none of the three."""
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
