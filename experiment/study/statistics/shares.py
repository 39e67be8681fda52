"""The share of games that were won, where each game counts for itself, and the quantiles of intervals."""

from math import sqrt
from typing import NamedTuple

NORMAL = 1.959964
"""The .975 quantile of the normal distribution, of which 95 % intervals are made."""
_T = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
"""Of Student's t with 1 to 30 degrees of freedom."""
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


def student(freedom: int) -> float:
    """Return the .975 quantile of Student's t with this many degrees of freedom, at least 1.

    Beyond the table two terms of the expansion of Cornish and Fisher do, Abramowitz and Stegun 26.7.5.
    """
    if freedom <= len(_T):
        return _T[freedom - 1]
    first = (NORMAL**3 + NORMAL) / 4
    second = (5 * NORMAL**5 + 16 * NORMAL**3 + 3 * NORMAL) / 96
    return NORMAL + first / freedom + second / freedom**2
