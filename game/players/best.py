"""The best move of each of many positions, from what every legal move is worth."""

import numpy as np
from numpy.typing import NDArray

from game.batch.positions import Positions
from game.kernels import choices
from game.kernels.words import from_int


def best_of(
    values: NDArray[np.floating], positions: Positions, draws: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return a move of each position that has the largest of its moves' values, uniformly among equals.

    values: [moves], no NaN, those of the first position by ascending square, then those of the second; draws:
    from 0 to 1, [n]. Every position has a move.
    """
    chosen = np.empty(len(positions), np.int64)
    numbers, like = values.astype(np.float64, copy=False), from_int(0, positions.size)
    choices.best(numbers, positions.own, positions.opponent, like, positions.size, draws, chosen)
    return chosen


def first_best(values: NDArray[np.floating], positions: Positions) -> NDArray[np.int64]:
    """Return the lowest square of those with the largest value in each position; `values` as in `best_of`."""
    return best_of(values, positions, np.zeros(len(positions)))
