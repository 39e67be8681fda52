"""Frames: what one decision looked like, packed to bits; and the stack of the last few."""

from collections import deque

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.board import Board, Colour

Frame = NDArray[np.uint8]
"""Four planes of N*N squares as bits, uint8 [N*N / 2]."""


def pack(planes: NDArray[np.int32]) -> Frame:
    """Return the observation's 4*N*N numbers of 0 and 1 as bits."""
    return np.packbits(planes.astype(np.uint8))


def unpack(frames: NDArray[np.uint8], squares: int) -> NDArray[np.uint8]:
    """Return planes of 0 and 1, [..., frames * 4, squares], from frames [..., frames, squares / 2]."""
    bits = np.unpackbits(frames.reshape(-1))  # much faster than along an axis
    return bits.reshape(*frames.shape[:-2], frames.shape[-2] * 4, squares)


def board_of(frame: Frame, size: int) -> Board:
    """Return the position of a packed observation; its side to move is taken for black."""
    squares = size * size
    discs = np.packbits(np.unpackbits(frame)[: 2 * squares], bitorder="little").tobytes()
    both = int.from_bytes(discs, "little")
    return Board(size, both & (1 << squares) - 1, both >> squares, Colour.BLACK)


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
