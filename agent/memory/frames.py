"""Frames: what one decision looked like, packed to bits; as positions, and the stack of the last few."""

from collections import deque

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.games import from_mask
from othello_lab.game.batch.positions import Positions

Frame = NDArray[np.uint8]
"""Four planes of N*N squares as bits, uint8 [N*N / 2]."""


def pack(planes: NDArray[np.int32]) -> Frame:
    """Return the observation's 4*N*N numbers of 0 and 1 as bits."""
    return np.packbits(planes.astype(np.uint8))


def unpack(frames: NDArray[np.uint8], squares: int) -> NDArray[np.uint8]:
    """Return planes of 0 and 1, [..., frames * 4, squares], from frames [..., frames, squares / 2]."""
    bits = np.unpackbits(frames.reshape(-1))  # much faster than along an axis
    return bits.reshape(*frames.shape[:-2], frames.shape[-2] * 4, squares)


def positions_of(frames: NDArray[np.uint8], size: int) -> Positions:
    """Return the positions of packed observations, uint8 [n, squares / 2], each for its side to move."""
    squares = size * size
    planes = np.unpackbits(frames, axis=1)
    own, opponent = planes[:, :squares], planes[:, squares : 2 * squares]
    return Positions(size, from_mask(own, size), from_mask(opponent, size))


class FrameStack:
    """The frames of the present game's last decisions of one side, newest first; missing ones are zeros."""

    def __init__(self, frames: int, squares: int) -> None:
        self._frames: deque[Frame] = deque(maxlen=frames)
        self._empty = np.zeros(squares // 2, np.uint8)
        self.clear()

    def clear(self) -> None:
        """Forget the game: frames never leak into the next one."""
        self._frames.extend([self._empty] * (self._frames.maxlen or 0))

    def push(self, frame: Frame) -> None:
        """Put the frame of a new decision in front."""
        self._frames.appendleft(frame)

    def array(self) -> NDArray[np.uint8]:
        """Return the stack, uint8 [frames, squares / 2]."""
        return np.stack(self._frames)
