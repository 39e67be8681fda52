"""Sets of squares moved up and down the board, in compiled code: both kinds of `words.py`."""

import numpy as np

from othello_lab.game.kernels.jit import compiled, overloads
from othello_lab.game.kernels.words import FOUR, Words


@compiled
def _left(high: Words, low: Words, bits: int) -> Words:
    """Return the upper word of (high, low) shifted left by 1 to 63 bits."""
    return (high << np.uint64(bits)) | (low >> np.uint64(64 - bits))


def raised(squares: Words, by: int) -> Words:
    """Move every square up by 1 to 63 indices; what leaves the words is lost."""
    raise TypeError("compiled code only")


@overloads(raised)
def _raised(squares: Words, by: int) -> object:
    if squares != FOUR:
        return lambda squares, by: squares << np.uint64(by)

    def four(squares: Words, by: int) -> Words:
        return (
            squares[0] << np.uint64(by),
            _left(squares[1], squares[0], by),
            _left(squares[2], squares[1], by),
            _left(squares[3], squares[2], by),
        )

    return four


def lowered(squares: Words, by: int) -> Words:
    """Move every square down by 1 to 63 indices; what falls below 0 is lost."""
    raise TypeError("compiled code only")


@overloads(lowered)
def _lowered(squares: Words, by: int) -> object:
    if squares != FOUR:
        return lambda squares, by: squares >> np.uint64(by)

    def four(squares: Words, by: int) -> Words:
        # (high, low) shifted right by n: its lower word is the upper one after a shift left by 64 - n.
        return (
            _left(squares[1], squares[0], 64 - by),
            _left(squares[2], squares[1], 64 - by),
            _left(squares[3], squares[2], 64 - by),
            squares[3] >> np.uint64(by),
        )

    return four
