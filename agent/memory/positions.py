"""From packed observations to positions that compiled code takes."""

import numpy as np
from numpy.typing import NDArray

from game.batch.positions import Positions
from game.kernels.words import words_of


def positions_of(frames: NDArray[np.uint8], size: int) -> Positions:
    """Return the positions of packed observations, uint8 [n, squares / 2], each for its side to move."""
    squares = size * size
    planes = np.unpackbits(frames, axis=1)
    return Positions(size, _words(planes[:, :squares], size), _words(planes[:, squares : 2 * squares], size))


def _words(plane: NDArray[np.uint8], size: int) -> NDArray[np.uint64]:
    """Return planes of 0 and 1, [n, squares], as sets of squares, uint64 [n, words]."""
    octets = np.zeros((len(plane), 8 * words_of(size)), np.uint8)
    packed = np.packbits(plane, axis=1, bitorder="little")
    octets[:, : packed.shape[1]] = packed
    return octets.view("<u8").astype(np.uint64)
