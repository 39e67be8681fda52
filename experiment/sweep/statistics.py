"""What a few seeds tell: a mean and how far it can be trusted."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

_T = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
"""The .975 quantiles of Student's t for 1 to 30 degrees of freedom; the last serves for more."""


@dataclass(frozen=True)
class Estimate:
    """The mean of some values and its 95 % interval."""

    mean: float
    half: float | None
    """Half the width of the interval (Student's t); None for a single value."""
    lowest: float
    highest: float
    """Of the values."""


def estimate(values: Sequence[float]) -> Estimate:
    """Return what at least one value tells."""
    count = len(values)
    mean = sum(values) / count
    half = None
    if count > 1:
        variance = sum((value - mean) ** 2 for value in values) / (count - 1)
        half = _T[min(count - 1, len(_T)) - 1] * sqrt(variance / count)
    return Estimate(mean, half, min(values), max(values))
