"""Means and shares over independent units, such as openings. The games of an opening are dependent."""

from collections.abc import Collection, Hashable, Iterable, Mapping
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.study.statistics.intervals import Estimate, Interval, mean_of, student, wilson

Sums = tuple[NDArray[np.float64], NDArray[np.float64]]  # Sums and counts of observations, per non-empty unit.
Cells = tuple[float, float, float]  # A value and the ends of its interval, for a row of a table.


def sums_over(
    unit: NDArray[np.int64], sums: NDArray[np.generic], counts: NDArray[np.generic] | None = None
) -> Sums:
    """Sum observations by unit. All arrays are [n]. `counts` has the number of observations in each sum."""
    counts = np.ones(len(unit)) if counts is None else counts
    total, number = (np.bincount(unit, column.astype(float)).astype(float) for column in (sums, counts))
    return total[number > 0], number[number > 0]


def mean_cells(
    unit: NDArray[np.int64], sums: NDArray[np.generic], counts: NDArray[np.generic] | None = None
) -> Cells:
    """Return the mean of observations as in `sums_over`, with the interval of `mean_over`."""
    value, interval = mean_over(*sums_over(unit, sums, counts))
    return (value, *interval)


def share_cells(
    unit: NDArray[np.int64], sums: NDArray[np.generic], counts: NDArray[np.generic] | None = None
) -> Cells:
    """Do the same as `mean_cells`, for observations from 0 to 1. `share_over` gives mean and interval."""
    value, interval = share_over(*sums_over(unit, sums, counts))
    return (value, *interval)


def mean_over(sums: NDArray[np.float64], counts: NDArray[np.float64]) -> Estimate:
    """Return the mean of observations, with Student's interval over the units, infinite for one unit.

    `sums` and `counts` are per unit. The mean is a ratio (Cochran, "Sampling techniques", 1977, section 6.3).
    """
    units, total = len(counts), float(counts.sum())
    mean = float(sums.sum()) / total
    if units == 1:
        return Estimate(mean, Interval(-inf, inf))
    squares = float(((sums - mean * counts) ** 2).sum())
    half = student(units - 1) * (squares * units / (units - 1)) ** 0.5 / total
    return Estimate(mean, Interval(mean - half, mean + half))


def share_over(points: NDArray[np.float64], counts: NDArray[np.float64]) -> Estimate:
    """Return the mean of observations from 0 to 1, with Wilson's interval for their effective number.

    The effective number is the number of independent observations with the same variance. The variance is
    estimated from the spread over units. Liang and Zeger, "Longitudinal data analysis using generalized
    linear models", 1986. Korn and Graubard, "Confidence intervals for proportions with small expected number
    of positive counts estimated from survey data", 1998.

    The variance includes two artificial units, only 1s and only 0s. With one unit, all
    observations count as independent.
    """
    units, total = len(counts), float(counts.sum())
    share = float(points.sum()) / total if units else 0.0
    if units < 2:
        return Estimate(share, wilson(share, total))
    return Estimate(share, wilson(share, _effective(points, counts), student(units + 1)))


def _effective(points: NDArray[np.float64], counts: NDArray[np.float64]) -> float:
    """Return the effective number of observations, as in `share_over`."""
    units, usual = len(counts), float(counts.mean())
    weights = np.append(counts / usual, [1.0, 1.0])
    sums = np.append(points / usual, [1.0, 0.0])
    mean = float(sums.mean())
    squares = float(((sums - mean * weights) ** 2).sum())
    return mean * (1 - mean) * units * (units + 2) / squares


PAIRED = "95 % interval (Wilson's, over the openings)"  # The label of intervals from `score`.
DIFFERENCE = "95 % interval (Student's t, over the openings that both played)"  # Label of `score_difference`.

Points = tuple[Hashable, float]  # The opening of a game and its points, 0 to 1.


def units(games: Iterable[Points]) -> dict[Hashable, list[float]]:
    """Return the games' points, by opening."""
    openings: dict[Hashable, list[float]] = {}
    for opening, points in games:
        openings.setdefault(opening, []).append(points)
    return openings


def score(games: Iterable[Points]) -> Estimate:
    """Return the mean points of the games, with the interval of `share_over` over the openings."""
    return share_over(*_arrays(units(games).values()))


def mean(games: Iterable[Points]) -> Estimate:
    """Return the mean over games, with Student's interval over openings, or over games for one opening."""
    games = list(games)
    openings = units(games).values()
    return mean_over(*_arrays(openings)) if len(openings) > 1 else mean_of([points for _, points in games])


def _arrays(openings: Collection[list[float]]) -> Sums:
    return np.array([sum(points) for points in openings]), np.array(
        [float(len(points)) for points in openings]
    )


def score_difference(
    first: Mapping[Hashable, list[float]], second: Mapping[Hashable, list[float]]
) -> Estimate:
    """Return the first score minus the second score, both from `units`, with at least one common opening.

    The interval is Student's t. Its data are the difference for each common opening, and two artificial
    differences, 1 and -1. The artificial differences widen the interval, even if all results are equal.
    """
    pairs = [(points, second[opening]) for opening, points in first.items() if opening in second]
    apart = [sum(one) / len(one) - sum(other) / len(other) for one, other in pairs]
    count = len(apart)
    mean = sum(apart) / count
    squares = sum((value - mean) ** 2 for value in apart) + (1 - mean) ** 2 + (1 + mean) ** 2
    half = student(count + 1) * sqrt(squares / (count * (count + 2)))
    return Estimate(mean, Interval(max(-1.0, mean - half), min(1.0, mean + half)))
