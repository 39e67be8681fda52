"""Bradley and Terry's model: what one player scores against another follows from their two strengths.

Player i is expected to score 1 / (1 + exp(s_j - s_i)) against j; a draw is half a win. Bradley and Terry,
"Rank analysis of incomplete block designs", Biometrika 39, 1952.

The strengths are those of the greatest likelihood under Jeffreys' prior, which is to add drawn games: to
each pair as many as its leverage, P - 1 in all. That takes most of the bias away, and the strength of who won
or lost every game stays finite. Firth, "Bias reduction of maximum likelihood estimates", Biometrika 80, 1993;
Heinze and Schemper, "A solution to the problem of separation in logistic regression", 2002.

The covariance is the sandwich estimate with an opening as the unit, all games of all pairs that began there:
so positions that favour a side, or suit a player, draws, and repeats that are copies all count for what they
are. Liang and Zeger, "Longitudinal data analysis using generalized linear models", Biometrika 73, 1986. The
added games count in it with as many games as a pair has at an opening: without them there would be no spread
where a player won everything.
"""

from typing import NamedTuple

import numpy as np

from experiment.compare.ratings.pairs import Numbers, Pairs

_ROUNDS = 200
_PRECISION = 1e-9
_LONGEST_STEP = 2.0


class Fit(NamedTuple):
    """Strengths in logits, [..., P], with mean 0, and their covariance, [..., P, P]."""

    strengths: Numbers
    covariance: Numbers


class _Totals(NamedTuple):
    """Over all openings, [..., P, P]."""

    games: Numbers
    points: Numbers


def fit(pairs: Pairs) -> Fit:
    """Return the strengths of at least two players who are all linked by games."""
    totals = _Totals(pairs.games.sum(-3), pairs.points.sum(-3))
    strengths = np.zeros(totals.points.shape[:-1])
    for _ in range(_ROUNDS):
        step = _step(totals, strengths)
        strengths = strengths + step
        if np.abs(step).max() < _PRECISION:
            break
    return Fit(strengths, _covariance(pairs, totals, strengths))


def chances(strengths: Numbers) -> Numbers:
    """Return what each is expected to score against each, [..., P, P]; 1/2 against itself."""
    apart = strengths[..., :, None] - strengths[..., None, :]
    return np.asarray(1 / (1 + np.exp(-apart)))


def _step(totals: _Totals, strengths: Numbers) -> Numbers:
    """Return a step of Fisher's scoring, not too long a one."""
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
    of_added = _laplacian(_leverages(totals, shares) * games_there * (0.5 - shares) ** 2)
    bread = _bread(totals, shares)
    return np.asarray(bread @ (meat + of_added) @ bread)


def _bread(totals: _Totals, shares: Numbers) -> Numbers:
    """Return the inverse of the information, that of the added games included."""
    return _inverse((totals.games + _leverages(totals, shares)) * shares * (1 - shares))


def _leverages(totals: _Totals, shares: Numbers) -> Numbers:
    information = totals.games * shares * (1 - shares)
    inverse = _inverse(information)
    own = np.diagonal(inverse, axis1=-2, axis2=-1)
    return np.asarray(information * (own[..., :, None] + own[..., None, :] - 2 * inverse))


def _laplacian(weights: Numbers) -> Numbers:
    """Return the sum of weight * d d^T over the pairs; d has 1 for one of the pair, -1 for the other."""
    return np.asarray(np.eye(weights.shape[-1]) * weights.sum(-1, keepdims=True) - weights)


def _inverse(weights: Numbers) -> Numbers:
    """Return the inverse of a Laplacian among the vectors with mean 0."""
    players = weights.shape[-1]
    even = weights.sum((-2, -1), keepdims=True) / players**2
    return np.asarray(np.linalg.inv(_laplacian(weights) + even) - 1 / (even * players**2))
