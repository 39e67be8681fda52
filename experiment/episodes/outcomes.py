"""What a return means, and counts of it. Nothing else decides who won."""

from dataclasses import dataclass
from enum import StrEnum
from math import isclose, sqrt
from typing import NamedTuple

_NORMAL = 1.959964
"""The .975 quantile of the normal distribution."""


class Outcome(StrEnum):
    """How a game ended for the agent."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


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


class Interval(NamedTuple):
    """Where a share may truly be."""

    low: float
    high: float

    def reach(self, share: float) -> float:
        """Return how far it reaches from the share that was found."""
        return max(share - self.low, self.high - share)


def wilson(share: float, games: int) -> Interval:
    """Return Wilson's 95 % interval for a share of so many games, 0 to 1 without games.

    Unlike the standard error it is right for few games and near 0 and 1. Wilson, "Probable inference, the law
    of succession, and statistical inference", 1927.
    """
    if not games:
        return Interval(0.0, 1.0)
    square = _NORMAL**2 / games
    centre = (share + square / 2) / (1 + square)
    half = sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
    # The share lies within, also where 0 or 1 is missed by a rounding error.
    return Interval(min(share, max(0.0, centre - half)), max(share, min(1.0, centre + half)))


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

    @property
    def win_rate(self) -> float:
        """The share of wins, 0 to 1; 0 without games."""
        return self.win / self.games if self.games else 0.0

    @property
    def score(self) -> float:
        """Wins and half of the draws as a share of the games, 0 to 1; 0 without games."""
        return (self.win + self.draw / 2) / self.games if self.games else 0.0

    @property
    def win_interval(self) -> Interval:
        """The 95 % interval of the win rate."""
        return wilson(self.win_rate, self.games)

    @property
    def score_interval(self) -> Interval:
        """The same of the score; a little too wide where there are draws, which vary less than wins."""
        return wilson(self.score, self.games)

    def __str__(self) -> str:
        others = f", {self.other} without a result" if self.other else ""
        return f"{self.win} won, {self.draw} drawn, {self.loss} lost{others}"
