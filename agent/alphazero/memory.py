"""The memory of an AlphaZero learner: the last decisions, and what the network should say of them."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.selfplay.played import Played, lambda_returns
from othello_lab.game.kernels.words import words_of


class Examples(NamedTuple):
    """Decisions, and what the network should say of them."""

    own: NDArray[np.uint64]
    """The discs of the side that decides, [n, words]."""
    opponent: NDArray[np.uint64]
    policies: NDArray[np.float16]
    """[n, squares]"""
    values: NDArray[np.float32]
    """[n]"""
    scores: NDArray[np.float32]
    """[n]"""

    def take(self, rows: NDArray[np.int64] | slice) -> "Examples":
        """Return some of them."""
        own, opponent, policies, values, scores = self
        return Examples(own[rows], opponent[rows], policies[rows], values[rows], scores[rows])


def none(size: int) -> Examples:
    """Return no examples on boards of a size."""
    words = np.empty((0, words_of(size)), np.uint64)
    numbers = np.empty(0, np.float32)
    return Examples(words, words, np.empty((0, size * size), np.float16), numbers, numbers)


def examples_of(played: Played, bootstrap: float) -> Examples:
    """Return the examples in games that were played by search.

    The value is how the game went on, mixed with what the search said. It went on to the result of the game,
    or to what the search said of the next decision where it has proven that, or has not chosen the move.
    """
    assert played.policies is not None  # noqa: S101  they were played by search
    ends = np.where((played.following < 0) & played.greedy, played.results, played.best)
    values = (1 - bootstrap) * lambda_returns(replace(played, best=ends), 1.0) + bootstrap * played.best
    scores = played.scores / played.positions.size**2
    own, opponent = played.positions.own, played.positions.opponent
    return Examples(own, opponent, played.policies, values.astype(np.float32), scores.astype(np.float32))
