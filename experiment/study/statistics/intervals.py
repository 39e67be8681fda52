"""Compute 95 % intervals of shares, of means over independent units, and of differences."""

import re
from collections.abc import Sequence
from math import hypot, inf, isfinite, sqrt
from typing import NamedTuple

NORMAL = 1.959964  # The .975 quantile of the normal distribution, for 95 % intervals.
# The .975 quantiles of Student's t with 1 to 30 degrees of freedom.
_T = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
WILSON = "95 % interval (Wilson's, over the games)"  # The label of intervals from `wilson`.


class Interval(NamedTuple):
    """A 95 % confidence interval."""

    low: float
    high: float

    def reach(self, value: float) -> float:
        """Return the distance from an estimate to the interval's farther end, for `value ± reach`."""
        return max(value - self.low, self.high - value)


def wilson(share: float, games: float, quantile: float = NORMAL) -> Interval:
    """Return Wilson's interval for a share of `games`, the effective sample size. For 0 games, return 0 to 1.

    Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927.
    """
    if not games:
        return Interval(0.0, 1.0)
    square = quantile**2 / games
    centre = (share + square / 2) / (1 + square)
    half = sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
    # Despite rounding errors at 0 and 1, the interval must contain the share.
    return Interval(min(share, max(0.0, centre - half)), max(share, min(1.0, centre + half)))


def student(freedom: int) -> float:
    """Return Student's .975 quantile, above 30 degrees by Cornish-Fisher (Abramowitz and Stegun 26.7.5)."""
    if freedom <= len(_T):
        return _T[freedom - 1]
    first = (NORMAL**3 + NORMAL) / 4
    second = (5 * NORMAL**5 + 16 * NORMAL**3 + 3 * NORMAL) / 96
    return NORMAL + first / freedom + second / freedom**2


STUDENT = "95 % interval (Student's t)"  # The label for `mean_of`. The units' names follow the label.


class Estimate(NamedTuple):
    """An estimate with its interval."""

    value: float
    interval: Interval

    @property
    def reach(self) -> float:
        """The distance from the value to the interval's farther end."""
        return self.interval.reach(self.value)

    def __str__(self) -> str:
        """Return a share with its interval, such as `.895 ± .015` or `1.000 [.455, 1]`."""
        return f"{self:.3f}".replace("0.", ".")

    def __format__(self, form: str) -> str:
        """Return the value and its interval, such as `+0.25 ± 0.10` for the format `+.2f`.

        Show both ends if `value ± reach` leaves the range of a share or difference. Omit infinite intervals.
        """
        if not form:
            return str(self)
        (low, high), reach, unsigned = self.interval, self.reach, form.lstrip("+")
        least = 0 if low >= 0 else -1
        if not isfinite(reach):
            return f"{self.value:{form}}"
        if least <= low <= high <= 1 and not least <= self.value - reach <= self.value + reach <= 1:
            ends = (re.sub(r"\.0+$", "", f"{end:{unsigned}}") for end in (low, high))
            return f"{self.value:{form}} [{', '.join(ends)}]"
        return f"{self.value:{form}} ± {reach:{unsigned}}"


def mean_of(values: Sequence[float]) -> Estimate:
    """Return the mean of one or more values, with Student's interval, which is infinite for one value.

    Student, "The probable error of a mean", Biometrika 6, 1908.
    """
    count = len(values)
    mean = sum(values) / count
    if count == 1:
        return Estimate(mean, Interval(-inf, inf))
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    half = student(count - 1) * sqrt(variance / count)
    return Estimate(mean, Interval(mean - half, mean + half))


def difference(first: Estimate, second: Estimate) -> Estimate:
    """Return the first estimate minus the second estimate. The estimates must be independent.

    Newcombe, "Interval estimation for the difference between independent proportions", method 10, 1998. Zou
    and Donner, "Construction of confidence limits about effect measures", 2008.
    """
    value = first.value - second.value
    below = hypot(first.value - first.interval.low, second.interval.high - second.value)
    above = hypot(first.interval.high - first.value, second.value - second.interval.low)
    return Estimate(value, Interval(value - below, value + above))


def mean_of_independent(estimates: Sequence[Estimate]) -> Estimate:
    """Return the mean of one or more independent estimates, with an interval as in `difference`."""
    count = len(estimates)
    mean = sum(estimate.value for estimate in estimates) / count
    below = hypot(*(estimate.value - estimate.interval.low for estimate in estimates)) / count
    above = hypot(*(estimate.interval.high - estimate.value for estimate in estimates)) / count
    return Estimate(mean, Interval(mean - below, mean + above))


# The label of intervals from `over_runs`.
OVER_RUNS = "95 % interval (Student's t over the seeds, at least Wilson's over all their games)"


def over_runs(shares: Sequence[float], games: Sequence[int]) -> Estimate:
    """Return the mean of the shares of one or more runs. `games` has the number of games of each run.

    The interval contains Student's interval over the runs, and Wilson's interval for all games together.
    Wilson's interval has a positive width even if all runs have the same share.
    """
    mean, spread = mean_of(shares)
    drawn = wilson(mean, sum(games))
    if len(shares) == 1:
        return Estimate(mean, drawn)
    low, high = min(spread.low, drawn.low), max(spread.high, drawn.high)
    return Estimate(mean, Interval(max(0.0, low), min(1.0, high)))
