"""Packed observations as positions that compiled code takes."""

import numpy as np
from numpy.typing import NDArray

from game.batch.games import from_mask
from game.batch.positions import Positions


def positions_of(frames: NDArray[np.uint8], size: int) -> Positions:
    """Return the positions of packed observations, uint8 [n, squares / 2], each for its side to move."""
    squares = size * size
    planes = np.unpackbits(frames, axis=1)
    own, opponent = planes[:, :squares], planes[:, squares : 2 * squares]
    return Positions(size, from_mask(own, size), from_mask(opponent, size))
