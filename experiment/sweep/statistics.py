"""What a few seeds tell: a mean and how far it can be trusted."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from experiment.episodes.outcomes import Interval, Tally

_T = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
"""The .975 quantiles of Student's t for 1 to 30 degrees of freedom; the last serves for more."""


INTERVAL = "95 % interval: Student's t over the seeds; Wilson's over the games where there is one seed"


@dataclass(frozen=True)
class Estimate:
    """The mean of some shares and its 95 % interval."""

    mean: float
    interval: Interval
    lowest: float
    highest: float
    """Of the shares."""


def estimate(tallies: Sequence[Tally]) -> Estimate:
    """Return what the win rates of at least one run tell: of several by their spread, of one by its games."""
    shares = [tally.win_rate for tally in tallies]
    count = len(shares)
    mean = sum(shares) / count
    if count == 1:
        return Estimate(mean, tallies[0].win_interval, mean, mean)
    variance = sum((share - mean) ** 2 for share in shares) / (count - 1)
    half = _T[min(count - 1, len(_T)) - 1] * sqrt(variance / count)
    interval = Interval(max(0.0, mean - half), min(1.0, mean + half))
    return Estimate(mean, interval, min(shares), max(shares))
