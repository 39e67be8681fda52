"""Scores of games that are paired by their openings: an opening with all its games is the unit.

Both colours of an opening, and repeats, have the position in common; between players without randomness
repeats are even copies. So the games are no independent sample, but the openings are one.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from experiment.study.statistics.clustered import mean_over, share_over
from experiment.study.statistics.means import Estimate, mean_of
from experiment.study.statistics.shares import Interval, student

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
