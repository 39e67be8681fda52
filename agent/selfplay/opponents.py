"""The pool: players that meet the learner in thousands of games at once."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from game.batch.games import count_squares, legal_moves, to_mask
from game.batch.history import pick
from game.batch.positions import Positions
from game.board import corners
from game.evaluators import Evaluator
from game.kernels import arrays
from game.kernels.words import from_int
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
        return pick(legal_moves(positions), positions.size, rng)


class CornerGreedyOpponent:
    """The opponent of the 2017 trio: `game.players.simple.CornerGreedyPlayer`."""

    def choose(
        self, positions: Positions, games: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """See BatchPlayer."""
        size, legal = positions.size, legal_moves(positions)
        on_offer = legal & np.frombuffer(corners(size).bits.to_bytes(8 * legal.shape[1], "little"), "<u8")
        t, some = rng.random(len(legal)), on_offer.any(axis=1)
        moves = pick(legal, size, rng)
        flips = np.empty_like(legal)
        arrays.most_flips(positions.own, positions.opponent, from_int(0, size), size, flips)
        # The lowest square is the first in row-major order.
        moves = np.where(~some & (t < 0.8), to_mask(flips, size).argmax(axis=1), moves)
        chosen: NDArray[np.int64] = np.where(some & (t < 0.9), pick(on_offer, size, rng), moves)
        return chosen


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


def best_of(
    values: NDArray[np.floating], positions: Positions, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return a move of each position that has the largest of its moves' values, uniformly among equals."""
    owner, squares = np.nonzero(to_mask(legal_moves(positions), positions.size))
    first = np.searchsorted(owner, np.arange(len(positions)))
    best = np.maximum.reduceat(values, first)
    # Of equals the one with the largest random number.
    draws = np.where(values == best[owner], rng.random(len(values)), -1.0)
    chosen = draws == np.maximum.reduceat(draws, first)[owner]
    moves: NDArray[np.int64] = squares[chosen]
    return moves
