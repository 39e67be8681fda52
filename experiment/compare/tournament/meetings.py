"""Meetings that the ratings do not explain: who beats whom against the rating."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from othello_lab.experiment.compare.ratings import Ratings
from othello_lab.experiment.compare.tournament.results import Results
from othello_lab.experiment.show.wording import plural
from othello_lab.experiment.study.statistics.intervals import Estimate
from othello_lab.experiment.study.statistics.units import score


class Meeting(NamedTuple):
    """Two players who met."""

    first: int
    """The one with the higher rating."""
    second: int
    score: Estimate
    """The first's."""
    expected: float
    """What the ratings say."""

    @property
    def is_upset(self) -> bool:
        """Whether the lower-rated was ahead."""
        return self.score.value < 0.5

    @property
    def is_clear(self) -> bool:
        """Whether who was ahead is beyond doubt: 1/2 is not in the interval."""
        low, high = self.score.interval
        return not low <= 0.5 <= high

    @property
    def is_unexpected(self) -> bool:
        """Whether what the ratings say is not in the interval."""
        low, high = self.score.interval
        return not low <= self.expected <= high

    @property
    def surprise(self) -> float:
        """How far the score is from the expected one."""
        return abs(self.score.value - self.expected)


class Circle(NamedTuple):
    """Three players of whom each was ahead of the next, and the last of the first."""

    players: tuple[int, int, int]
    is_clear: bool
    """Whether that is beyond doubt each time."""


def meetings(results: Results, ratings: Ratings | None) -> list[Meeting]:
    """Return every pair that met, in the order of the ratings; without ratings none."""
    if ratings is None:
        return []
    expected = ratings.chances()
    pairs = combinations(ratings.order(), 2)
    found = ((a, b, _score(results, a, b)) for a, b in pairs)
    return [Meeting(a, b, it, float(expected[a, b])) for a, b, it in found if it is not None]


def _score(results: Results, a: int, b: int) -> Estimate | None:
    """Return what a scored against b; None without games."""
    as_black = (results.black == a) & (results.white == b)
    as_white = (results.black == b) & (results.white == a)
    points = np.concatenate([results.points[as_black], 1 - results.points[as_white]])
    openings = np.concatenate([results.openings[as_black], results.openings[as_white]])
    return score(zip(openings.tolist(), points.tolist(), strict=True)) if len(points) else None


def circles(found: Sequence[Meeting]) -> list[Circle]:
    """Return every three of whom each was ahead of the next, the last of the first; clear ones first."""
    ahead = {(a, b) if it.value > 0.5 else (b, a) for a, b, it, _ in found if it.value != 0.5}
    clear = {frozenset(meeting[:2]) for meeting in found if meeting.is_clear}
    players = sorted({player for pair in ahead for player in pair})
    ways = ((a, *way) for a, b, c in combinations(players, 3) for way in ((b, c), (c, b)))
    round_ = [(a, b, c) for a, b, c in ways if {(a, b), (b, c), (c, a)} <= ahead]
    made = [Circle(way, {frozenset(pair) for pair in combinations(way, 2)} <= clear) for way in round_]
    return sorted(made, key=lambda circle: not circle.is_clear)


def against_ratings(found: Sequence[Meeting]) -> str:
    """Return how many pairs do not do what their ratings say."""
    upsets = sum(meeting.is_upset for meeting in found)
    odd = sum(meeting.is_unexpected for meeting in found)
    if not upsets and not odd:
        return "Every pair scored as its ratings say."
    return (
        f"The lower-rated player was ahead in {upsets} of {plural(len(found), 'pair')}. "
        f"{odd} scored other than their ratings say; chance alone makes that about {len(found) / 20:.0f}."
    )


def about_circles(every: Sequence[Circle]) -> str:
    """Return how many circles of three there are."""
    if not every:
        return "There is no circle of three players, each ahead of the next."
    clear = sum(circle.is_clear for circle in every)
    return f"Circles of three, each ahead of the next: {len(every)}, {clear} of them beyond doubt."
