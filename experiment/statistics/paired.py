"""Scores of games that are paired by their openings: an opening with all its games is the unit.

Both colours of an opening, and repeats, have the position in common; between players without randomness
repeats are even copies. So the games are no independent sample, but the openings are one.
"""

from collections.abc import Hashable, Iterable, Mapping
from math import sqrt
from typing import NamedTuple

from experiment.statistics.means import Estimate, mean_of
from experiment.statistics.quantiles import student
from experiment.statistics.shares import Interval, wilson

PAIRED = "95 % interval (Wilson's, over the openings, each with all its games)"
"""What to write beside `score` and `score_difference`."""

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
    """Return the mean of the games' points and its interval: Wilson's at the effective number of games.

    So many independent games would have the same variance as these have, which is taken from the spread over
    openings: Liang and Zeger, "Longitudinal data analysis using generalized linear models", 1986, in its
    simplest form. Korn and Graubard, "Confidence intervals for proportions with small expected number of
    positive counts estimated from survey data", 1998, do so with Clopper and Pearson's interval. Student's t
    stands for the normal distribution. Two openings more, one all won and one all lost, are thought to be
    there when the variance is taken: without any spread, as at 1.000, the effective number is that of the
    openings. From one opening alone each game counts for itself. Without games 0, and from 0 to 1.
    """
    found = list(units(games).values())
    total = sum(unit.games for unit in found)
    share = sum(unit.points for unit in found) / total if total else 0.0
    if len(found) < 2:
        return Estimate(share, wilson(share, total))
    return Estimate(share, wilson(share, _effective(found, total), student(len(found) + 1)))


def mean(games: Iterable[Points]) -> Estimate:
    """Return the mean of any numbers of at least one game, such as differences of discs.

    The interval is Student's t over the openings, of which each counts by its games; from one opening alone
    over its games.
    """
    every = list(games)
    found = units(every).values()
    middle, usual = sum(points for _, points in every) / len(every), len(every) / len(found)
    if len(found) == 1:
        return mean_of([points for _, points in every])
    return mean_of([middle + (unit.points - middle * unit.games) / usual for unit in found])


def _effective(found: list[Unit], total: int) -> float:
    """The effective number of games."""
    count, usual = len(found), total / len(found)
    every = [*((unit.points / usual, unit.games / usual) for unit in found), (1.0, 1.0), (0.0, 1.0)]
    mean = sum(points for points, _ in every) / len(every)
    squares = sum((points - mean * weight) ** 2 for points, weight in every)
    return mean * (1 - mean) * count * len(every) / squares


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
