"""The share of games that were won, where each game counts for itself."""

from math import sqrt
from typing import NamedTuple

from experiment.study.statistics.quantiles import NORMAL

WILSON = "95 % interval (Wilson's, over the games)"
"""What to write beside `wilson`."""


class Interval(NamedTuple):
    """Where a number may truly be, 95 times in 100."""

    low: float
    high: float

    def reach(self, found: float) -> float:
        """Return how far it reaches from the number that was found: the larger of both sides, a plot's ±."""
        return max(found - self.low, self.high - found)


def wilson(share: float, games: float, quantile: float = NORMAL) -> Interval:
    """Return Wilson's interval for a share of this many games, 0 to 1 without games.

    Unlike the standard error it is right for few games and near 0 and 1. `games` may be an effective number,
    `quantile` that of Student's t. Wilson, "Probable inference, the law of succession, and statistical
    inference", JASA 22, 1927.
    """
    if not games:
        return Interval(0.0, 1.0)
    square = quantile**2 / games
    centre = (share + square / 2) / (1 + square)
    half = sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
    # The share lies within, also where 0 or 1 is missed by a rounding error.
    return Interval(min(share, max(0.0, centre - half)), max(share, min(1.0, centre + half)))
