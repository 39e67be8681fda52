"""Means over units that do not depend on each other, such as seeds or openings, and differences."""

from collections.abc import Sequence
from math import hypot, inf, sqrt
from typing import NamedTuple

from experiment.study.statistics.shares import Interval, student

STUDENT = "95 % interval (Student's t)"
"""What to write beside `mean_of`, with what the units are."""


class Estimate(NamedTuple):
    """A number that was found, and where it may truly be."""

    value: float
    interval: Interval

    @property
    def reach(self) -> float:
        """How far the interval reaches: what stands behind ±."""
        return self.interval.reach(self.value)

    def __str__(self) -> str:
        return f"{self:.3f}"

    def __format__(self, form: str) -> str:
        """Return both numbers in a form such as `+.2f`, the second without the sign."""
        return f"{self.value:{form}} ± {self.reach:{form.lstrip('+')}}" if form else str(self)


def mean_of(values: Sequence[float]) -> Estimate:
    """Return the mean of at least one value, with the interval of Student's t over the values.

    One value alone says nothing about others: its interval is without end. Student, "The probable error of a
    mean", Biometrika 6, 1908.
    """
    count = len(values)
    mean = sum(values) / count
    if count == 1:
        return Estimate(mean, Interval(-inf, inf))
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    half = student(count - 1) * sqrt(variance / count)
    return Estimate(mean, Interval(mean - half, mean + half))


def difference(first: Estimate, second: Estimate) -> Estimate:
    """Return the first minus the second, of results that do not depend on each other.

    From their intervals, whatever these come from: the squares of what lies between each result and its end
    add up. Newcombe, "Interval estimation for the difference between independent proportions", method 10,
    1998; Zou and Donner, "Construction of confidence limits about effect measures", 2008.
    """
    found = first.value - second.value
    below = hypot(first.value - first.interval.low, second.interval.high - second.value)
    above = hypot(first.interval.high - first.value, second.value - second.interval.low)
    return Estimate(found, Interval(found - below, found + above))


def mean_of_independent(found: Sequence[Estimate]) -> Estimate:
    """Return the mean of results, at least one, that do not depend on each other; intervals as above."""
    count = len(found)
    mean = sum(each.value for each in found) / count
    below = hypot(*(each.value - each.interval.low for each in found)) / count
    above = hypot(*(each.interval.high - each.value for each in found)) / count
    return Estimate(mean, Interval(mean - below, mean + above))
