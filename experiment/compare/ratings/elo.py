"""Ratings on Elo's scale: 400 points are odds of ten to one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log, sqrt

import numpy as np

from experiment.compare.ratings.bradley_terry import chances, fit
from experiment.compare.ratings.pairs import Numbers, Pairs
from experiment.study.statistics.intervals import Estimate, Interval, student

SCALE = 400 / log(10)
"""Points a logit. Elo, "The rating of chessplayers, past and present", 1978."""
RATED = "95 % interval (Student's t over the openings, each with all its games)"
"""What to write beside ratings."""


class UnratedError(ValueError):
    """Games from which no ratings follow."""


@dataclass(frozen=True)
class Ratings:
    """Of P players."""

    points: Numbers
    """[P]"""
    covariance: Numbers
    """Of the points, [P, P]."""
    openings: Sequence[int]
    """At how many each played."""
    anchor: int | None = None
    """The player whose rating is known; None where the mean is 0."""

    def of(self, player: int) -> Estimate:
        """Return a player's rating with its interval, relative to the zero."""
        return self._estimate(self.points[player], self.covariance[player, player], self.openings[player])

    def difference(self, first: int, second: int) -> Estimate:
        """Return by how much the first is ahead of the second."""
        cov = self.covariance
        variance = cov[first, first] + cov[second, second] - 2 * cov[first, second]
        openings = min(self.openings[first], self.openings[second])
        return self._estimate(self.points[first] - self.points[second], variance, openings)

    @staticmethod
    def _estimate(points: float, variance: float, openings: int) -> Estimate:
        half = student(max(1, openings - 1)) * sqrt(max(0.0, variance))
        return Estimate(float(points), Interval(float(points) - half, float(points) + half))

    def chances(self) -> Numbers:
        """Return what each is expected to score against each, [P, P]."""
        return chances(self.points / SCALE)

    def order(self) -> list[int]:
        """Return the players from the best to the worst."""
        return [int(player) for player in np.argsort(-self.points, kind="stable")]

    def anchored(self, player: int, points: float) -> "Ratings":
        """Return the same with a player's rating set to a known one, and all others relative to that."""
        cov = self.covariance
        moved = cov - cov[player] - cov[:, [player]] + cov[player, player]
        relative = self.points - self.points[player] + points
        return replace(self, points=relative, covariance=moved, anchor=player)


def rate(pairs: Pairs) -> Ratings:
    """Return the ratings that games give, with mean 0; raise UnratedError if they do not link all players."""
    if (player := pairs.without_link()) is not None:
        raise UnratedError(f"no games link player {player + 1} with the first")
    found = fit(pairs)
    openings = np.count_nonzero(pairs.games.sum(-1), axis=0)
    return Ratings(found.strengths * SCALE, found.covariance * SCALE**2, openings.tolist())
