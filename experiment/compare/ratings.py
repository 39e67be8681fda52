"""Ratings of players on Elo's scale, fitted with the Bradley-Terry model.

The expected score of player i against j is 1 / (1 + exp(s_j - s_i)). A draw is half a win. Bradley and Terry,
"Rank analysis of incomplete block designs", Biometrika 39, 1952.

The strengths s are maximum-likelihood estimates with Jeffreys' prior, which adds drawn games to each pair.
The number of added games is the leverage of the pair. The prior gives finite strengths to players that won or
lost every game. Firth, "Bias reduction of maximum likelihood estimates", Biometrika 80, 1993.

The covariance is the sandwich estimate over units. A unit is an opening with all its games and added games,
or a group of games if there is only one opening. Liang and Zeger, "Longitudinal data analysis using
generalized linear models", Biometrika 73, 1986.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.study.statistics.intervals import Estimate, Interval, student

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]


class Pairs(NamedTuple):
    """Games and points of each pair at each opening. Cell [i, j] is for player i against player j."""

    games: Numbers  # [openings, P, P]
    points: Numbers  # The row player's points, [..., openings, P, P]. Leading axes are batch axes.

    @classmethod
    def of(cls, players: int, openings: Places, first: Places, second: Places, points: Numbers) -> "Pairs":
        """Sum games by opening and pair. Arrays are [games]. The first player's `points`: [..., games]."""
        shape = (int(openings.max(initial=-1)) + 1, players, players)
        rows, columns = np.concatenate([first, second]), np.concatenate([second, first])
        cells = np.ravel_multi_index((np.tile(openings, 2), rows, columns), shape)

        def added(values: Numbers) -> Numbers:
            sums = np.zeros((*values.shape[:-1], int(np.prod(shape))))
            np.add.at(sums.T, cells, values.T)
            return sums.reshape(*values.shape[:-1], *shape)

        return cls(added(np.ones(len(cells))), added(np.concatenate([points, 1 - points], axis=-1)))

    def without_link(self) -> int | None:
        """Return a player that is not connected to player 0 in the graph of games, or None."""
        against = self.games.sum(0) > 0
        linked = np.eye(len(against))[0] > 0
        for _ in range(len(against)):
            linked |= against[linked].any(0)
        return None if linked.all() else int(np.argmin(linked))


SCALE = 400 / log(10)  # Rating points per logit. Elo, "The rating of chessplayers, past and present", 1978.
RATED = "95 % interval (Student's t over the openings, each with all its games)"  # The intervals' label.


class UnratedError(ValueError):
    """The games do not connect all players, so ratings are impossible."""


@dataclass(frozen=True)
class Ratings:
    """The ratings of P players."""

    points: Numbers  # The ratings, [P].
    covariance: Numbers  # The covariance of the points, [P, P].
    units: Sequence[int]  # For each player, the number of units with games.

    def of(self, player: int) -> Estimate:
        """Return the rating of a player with its interval."""
        return self._estimate(self.points[player], self.covariance[player, player], self.units[player])

    def difference(self, first: int, second: int) -> Estimate:
        """Return the first rating minus the second rating, with its interval."""
        cov = self.covariance
        variance = cov[first, first] + cov[second, second] - 2 * cov[first, second]
        units = min(self.units[first], self.units[second])
        return self._estimate(self.points[first] - self.points[second], variance, units)

    @staticmethod
    def _estimate(points: float, variance: float, units: int) -> Estimate:
        half = student(max(1, units - 1)) * sqrt(max(0.0, variance))
        return Estimate(float(points), Interval(float(points) - half, float(points) + half))

    def chances(self) -> Numbers:
        """Return the expected score of each player (row) against each player (column), [P, P]."""
        return chances(self.points / SCALE)

    def order(self) -> list[int]:
        """Return the indices of the players in descending order of rating."""
        return [int(player) for player in np.argsort(-self.points, kind="stable")]


def rate(pairs: Pairs) -> Ratings:
    """Return ratings with mean 0. Raises UnratedError if the games do not connect all players."""
    if (player := pairs.without_link()) is not None:
        raise UnratedError(f"no games link player {player + 1} with the first")
    strengths, covariance = fit(pairs)
    units = np.count_nonzero(pairs.games.sum(-1), axis=0)
    return Ratings(strengths * SCALE, covariance * SCALE**2, units.tolist())


_ROUNDS = 200
_PRECISION = 1e-9
_LONGEST_STEP = 2.0


class Fit(NamedTuple):
    """The strengths in logits, [..., P], with mean 0, and their covariance, [..., P, P]."""

    strengths: Numbers
    covariance: Numbers


class _Totals(NamedTuple):
    """The sums over all openings, [..., P, P]."""

    games: Numbers
    points: Numbers


def fit(pairs: Pairs) -> Fit:
    """Fit the strengths of at least two players. The games must connect all players."""
    totals = _Totals(pairs.games.sum(-3), pairs.points.sum(-3))
    strengths = np.zeros(totals.points.shape[:-1])
    for _ in range(_ROUNDS):
        step = _step(totals, strengths)
        strengths = strengths + step
        if np.abs(step).max() < _PRECISION:
            break
    return Fit(strengths, _covariance(pairs, totals, strengths))


def chances(strengths: Numbers) -> Numbers:
    """Return the expected score of each player against each player, [..., P, P], with 1/2 on the diagonal."""
    apart = strengths[..., :, None] - strengths[..., None, :]
    return np.asarray(1 / (1 + np.exp(-apart)))


def _step(totals: _Totals, strengths: Numbers) -> Numbers:
    """Return one step of Fisher scoring, clipped to _LONGEST_STEP."""
    shares = chances(strengths)
    added = _leverages(totals, shares)
    surplus = totals.points - totals.games * shares + added * (0.5 - shares)
    step = np.einsum("...ij,...j->...i", _bread(totals, shares), surplus.sum(-1))
    longest = np.abs(step).max(-1, keepdims=True)
    return np.asarray(step * np.minimum(1, _LONGEST_STEP / np.maximum(longest, _PRECISION)))


def _covariance(pairs: Pairs, totals: _Totals, strengths: Numbers) -> Numbers:
    shares, openings = chances(strengths), len(pairs.games)
    residuals = (pairs.points - pairs.games * shares[..., None, :, :]).sum(-1)  # [..., openings, P]
    meat = np.einsum("...oi,...oj->...ij", residuals, residuals) * openings / max(1, openings - 1)
    games_there = totals.games / np.maximum(1, np.count_nonzero(pairs.games, axis=0))
    added = _laplacian(_leverages(totals, shares) * games_there * (0.5 - shares) ** 2)
    bread = _bread(totals, shares)
    return np.asarray(bread @ (meat + added) @ bread)


def _bread(totals: _Totals, shares: Numbers) -> Numbers:
    """Return the pseudoinverse of the information matrix of all games, including the added games."""
    return _inverse((totals.games + _leverages(totals, shares)) * shares * (1 - shares))


def _leverages(totals: _Totals, shares: Numbers) -> Numbers:
    information = totals.games * shares * (1 - shares)
    inverse = _inverse(information)
    diagonal = np.diagonal(inverse, axis1=-2, axis2=-1)
    return np.asarray(information * (diagonal[..., :, None] + diagonal[..., None, :] - 2 * inverse))


def _laplacian(weights: Numbers) -> Numbers:
    """Return the graph Laplacian: the sum of weight * d d^T over pairs (i, j), where d_i = 1 and d_j = -1."""
    return np.asarray(np.eye(weights.shape[-1]) * weights.sum(-1, keepdims=True) - weights)


def _inverse(weights: Numbers) -> Numbers:
    """Return the pseudoinverse of the graph Laplacian of `weights`."""
    players = weights.shape[-1]
    even = weights.sum((-2, -1), keepdims=True) / players**2
    return np.asarray(np.linalg.inv(_laplacian(weights) + even) - 1 / (even * players**2))
