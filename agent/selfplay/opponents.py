"""The pool: players that meet the learner in thousands of games at once."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from game.batch.games import count_squares, legal_moves, to_mask
from game.batch.history import random_policy
from game.batch.policies import best_of, corner_greedy_policy
from game.batch.positions import Positions
from game.evaluators import Evaluator
from game.search import batched

MoveValues = Callable[[Positions], NDArray[np.float64]]
"""See `BatchLearner.move_values`."""


class BatchPlayer(Protocol):
    """A player of many games at once."""

    def choose(
        self, positions: Positions, games: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Return a legal square for each position, int64 [n]; `games` are their numbers in the shard."""


class RandomOpponent:
    """Any legal move, uniformly."""

    def choose(
        self, positions: Positions, games: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """See BatchPlayer."""
        return random_policy(positions, rng)


class CornerGreedyOpponent:
    """The opponent of the 2017 trio: `game.players.simple.CornerGreedyPlayer`."""

    def choose(
        self, positions: Positions, games: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """See BatchPlayer."""
        return corner_greedy_policy(positions, rng)


class EvaluatingOpponent:
    """One ply with an evaluator, uniformly among equals; a finished game counts by who won."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def choose(
        self, positions: Positions, games: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """See BatchPlayer."""
        values, _ = batched.values(batched.children(positions), 0, self._evaluator)
        return best_of(-values, positions, rng)


class PastSelf:
    """The learner as it was, which takes the best move."""

    def __init__(self, move_values: MoveValues) -> None:
        self._move_values = move_values

    def choose(
        self, positions: Positions, games: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """See BatchPlayer."""
        return best_of(self._move_values(positions), positions, rng)


class RandomWeightsOpponent:
    """One ply with square weights that are drawn anew for each game, corners dear and X-squares cheap."""

    def __init__(self, size: int, games: int, rng: np.random.Generator) -> None:
        self._weights = draw_weights(size, games, rng)

    def choose(
        self, positions: Positions, games: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """See BatchPlayer."""
        after = batched.children(positions)
        choices = count_squares(legal_moves(positions), positions.size)
        weights = self._weights[games.repeat(choices)]
        difference = to_mask(after.opponent, after.size).astype(np.float32) - to_mask(after.own, after.size)
        return best_of(np.einsum("ij,ij->i", difference, weights), positions, rng)


def draw_weights(size: int, games: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return square weights, float32 [games, squares], alike under all symmetries but for a little noise.

    Corners 60 to 120, squares beside them -45 to 5 on the edge and -60 to 0 on the diagonal, other edges -5
    to 25, the inside -5 to 5.
    """
    half = size // 2
    matrix = rng.uniform(-5, 5, (games, half, half))
    matrix[:, 0, :] = rng.uniform(-5, 25, (games, half))
    matrix[:, 0, 1] = rng.uniform(-45, 5, games)
    matrix[:, 1, 1] = rng.uniform(-60, 0, games)
    matrix[:, 0, 0] = rng.uniform(60, 120, games)
    upper = np.triu(np.ones((half, half), bool))
    quarter = np.where(upper, matrix, matrix.transpose(0, 2, 1))
    top = np.concatenate([quarter, quarter[:, :, ::-1]], axis=2)
    whole = np.concatenate([top, top[:, ::-1]], axis=1).reshape(games, size * size)
    noisy: NDArray[np.float32] = (whole + rng.normal(0, 1, whole.shape)).astype(np.float32)
    return noisy
