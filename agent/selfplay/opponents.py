"""The pool: players that meet the learner in thousands of games at once."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from game.batch.games import count_squares, legal_moves, to_mask
from game.batch.policies import best_of
from game.batch.positions import Positions
from game.players import Player
from game.search import batched

MoveValues = Callable[[Positions], NDArray[np.float64]]
"""See `BatchLearner.move_values`."""
Opponent = Callable[[Positions, NDArray[np.int64], np.random.Generator], NDArray[np.int64]]
"""Returns a legal square for each position, int64 [n], from the positions, the numbers of their games in the
shard, int64 [n], and what it draws from."""


def as_opponent(player: Player) -> Opponent:
    """Return a player that chooses in many positions at once as an opponent."""

    def choose(positions: Positions, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        chosen = player.choose_many(positions, rng)
        assert chosen is not None  # noqa: S101  only such players are in the pool
        return chosen

    return choose


def past_self(move_values: MoveValues) -> Opponent:
    """Return the learner as it was, which takes the best move."""
    return lambda positions, games, rng: best_of(move_values(positions), positions, rng)


def random_weights(size: int, games: int, rng: np.random.Generator) -> Opponent:
    """Return one ply with square weights that are drawn anew for each of `games` games, corners dear and
    X-squares cheap.
    """
    weights = draw_weights(size, games, rng)

    def choose(positions: Positions, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        after = batched.children(positions)
        choices = count_squares(legal_moves(positions), positions.size)
        difference = to_mask(after.opponent, after.size).astype(np.float32) - to_mask(after.own, after.size)
        return best_of(np.einsum("ij,ij->i", difference, weights[games.repeat(choices)]), positions, rng)

    return choose


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
