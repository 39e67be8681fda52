"""Means and shares over units with any number of observations, such as games from openings.

Both colours of an opening, and repeats, have the position in common; between players without randomness
repeats are even copies. So the games are no independent sample, but the openings are one.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping
from math import inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.study.statistics.intervals import Estimate, Interval, mean_of, student, wilson

Sums = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Of each unit with any observation: their sum and their number."""


def sums_over(unit: NDArray[np.int64], observed: NDArray[np.generic]) -> Sums:
    """Put observations together by the numbers of their units, from 0; [n] each."""
    return united(unit, observed, np.ones(len(unit)))


def united(unit: NDArray[np.int64], sums: NDArray[np.generic], counts: NDArray[np.generic]) -> Sums:
    """Put sums of observations and their numbers together likewise; [n] each."""
    found, number = (np.bincount(unit, column.astype(float)).astype(float) for column in (sums, counts))
    return found[number > 0], number[number > 0]


def mean_over(sums: NDArray[np.float64], counts: NDArray[np.float64]) -> Estimate:
    """Return the mean of all observations, at least one, with the interval of Student's t over the units.

    It is a ratio of two sums over units, whose variance is that of the units' distances from it: Cochran,
    "Sampling techniques", 1977, section 6.3. With one observation in each unit it is `mean_of`. Counts may be
    weights. One unit alone says nothing about others: an interval without end.
    """
    units, total = len(counts), float(counts.sum())
    mean = float(sums.sum()) / total
    if units == 1:
        return Estimate(mean, Interval(-inf, inf))
    squares = float(((sums - mean * counts) ** 2).sum())
    half = student(units - 1) * (squares * units / (units - 1)) ** 0.5 / total
    return Estimate(mean, Interval(mean - half, mean + half))


def share_over(points: NDArray[np.float64], counts: NDArray[np.float64]) -> Estimate:
    """Return the mean of observations from 0 to 1 and its interval: Wilson's at their effective number.

    This many independent observations would have the same variance as these have, which is taken from the
    spread over units: Liang and Zeger, "Longitudinal data analysis using generalized linear models", 1986, in
    its simplest form. Korn and Graubard, "Confidence intervals for proportions with small expected number of
    positive counts estimated from survey data", 1998, do so with Clopper and Pearson's interval. Student's t
    stands for the normal distribution. Two units more, one all 1 and one all 0, are thought to be there when
    the variance is taken: without any spread, as at 1.000, the effective number is that of the units. In one
    unit alone each observation counts for itself. Without any 0, and from 0 to 1.
    """
    units, total = len(counts), float(counts.sum())
    share = float(points.sum()) / total if units else 0.0
    if units < 2:
        return Estimate(share, wilson(share, total))
    return Estimate(share, wilson(share, _effective(points, counts), student(units + 1)))


def _effective(points: NDArray[np.float64], counts: NDArray[np.float64]) -> float:
    """The effective number of observations."""
    units, usual = len(counts), float(counts.mean())
    weights = np.append(counts / usual, [1.0, 1.0])
    every = np.append(points / usual, [1.0, 0.0])
    mean = float(every.mean())
    squares = float(((every - mean * weights) ** 2).sum())
    return mean * (1 - mean) * units * (units + 2) / squares


PAIRED = "95 % interval (Wilson's, over the openings)"
"""What to write beside `score`."""
DIFFERENCE = "95 % interval (Student's t, over the openings that both played)"
"""What to write beside `score_difference`."""

Points = tuple[Hashable, float]
"""A game: its opening, and what it brought, 0 to 1."""


class Unit(NamedTuple):
    """The games of one opening."""

    points: float
    games: int


def units(games: Iterable[Points]) -> dict[Hashable, Unit]:
    """Put the games of each opening together."""
    found: dict[Hashable, Unit] = {}
    for opening, points in games:
        before = found.get(opening, Unit(0.0, 0))
        found[opening] = Unit(before.points + points, before.games + 1)
    return found


def score(games: Iterable[Points]) -> Estimate:
    """Return the mean of the games' points and its interval, see `share_over`; from 0 to 1 without games."""
    return share_over(*_arrays(units(games).values()))


def mean(games: Iterable[Points]) -> Estimate:
    """Return the mean of any numbers of at least one game, such as differences of discs.

    The interval is Student's t over the openings, see `mean_over`; from one opening alone over its games.
    """
    every = list(games)
    found = units(every).values()
    return mean_over(*_arrays(found)) if len(found) > 1 else mean_of([points for _, points in every])


def _arrays(found: Collection[Unit]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return points and games of each opening."""
    return np.array([unit.points for unit in found]), np.array([float(unit.games) for unit in found])


def score_difference(first: Mapping[Hashable, Unit], second: Mapping[Hashable, Unit]) -> Estimate:
    """Return how much more the first scored than the second on the openings that both have, at least one.

    Student's t over the openings, two more thought to be there, a whole game apart each way: two equal
    results are no proof that there is no difference at all.
    """
    apart = [_share(first[opening]) - _share(second[opening]) for opening in first if opening in second]
    count = len(apart)
    mean = sum(apart) / count
    squares = sum((each - mean) ** 2 for each in apart) + (1 - mean) ** 2 + (1 + mean) ** 2
    half = student(count + 1) * sqrt(squares / (count * (count + 2)))
    return Estimate(mean, Interval(max(-1.0, mean - half), min(1.0, mean + half)))


def _share(unit: Unit) -> float:
    return unit.points / unit.games
