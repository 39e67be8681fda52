"""The discs that a move turns over, by rays: twice as fast as the fills of `bitboard.flips`, one word only.

On a ray that ascends, adding one carries through the opponent's discs to the first other square; on one that
descends, counting leading zeros finds it. The tests hold both to the same answers.
"""

import numpy as np
from numba import types
from numpy.typing import NDArray

from game.kernels import bitboard
from game.kernels.jit import compiled, leading_zeros, overloads
from game.kernels.words import ONE_WORD, Words

_ZERO, _ONE, _TOP = np.uint64(0), np.uint64(1), np.uint64(1 << 63)
_DIRECTIONS = ((0, 1), (1, 0), (1, -1), (1, 1))


def _ray(size: int, square: int, rows: int, columns: int) -> int:
    """Return the squares from `square`, itself left out, to the edge."""
    row, column = divmod(square, size)
    squares = 0
    while 0 <= (row := row + rows) < size and 0 <= (column := column + columns) < size:
        squares |= 1 << row * size + column
    return squares


def _rays(sign: int) -> NDArray[np.uint64]:
    """Return the rays that ascend (sign 1) or descend (-1) from every square, [size, square, direction]."""
    table = np.zeros((ONE_WORD + 1, ONE_WORD**2, 4), np.uint64)
    for size in (size for size in bitboard.SIZES if size <= ONE_WORD):
        for square in range(size * size):
            table[size, square] = [_ray(size, square, sign * r, sign * c) for r, c in _DIRECTIONS]
    return table


_UP, _DOWN = _rays(1), _rays(-1)


def turned(own: Words, opponent: Words, square: int, size: int) -> Words:
    """Return the discs that a disc of the side to move on the empty `square` turns over."""
    raise TypeError("compiled code only")


@overloads(turned)
def _turned(own: Words, opponent: Words, square: int, size: int) -> object:
    if isinstance(own, types.Integer):
        return lambda own, opponent, square, size: _by_rays(own, opponent, square, size)  # noqa: PLW0108
    # numba wants a function of Python's here, no compiled one, so both are wrapped.
    return lambda own, opponent, square, size: bitboard.flips(own, opponent, square, size)  # noqa: PLW0108


@compiled
def _by_rays(own: Words, opponent: Words, square: int, size: int) -> Words:
    found = _ZERO
    for direction in range(4):
        ray = _UP[size, square, direction]
        end = ((opponent | ~ray) + _ONE) & own & ray
        found |= (end - np.uint64(end != _ZERO)) & ray
        ray = _DOWN[size, square, direction]
        end = (_TOP >> leading_zeros((ray & ~opponent) | _ONE)) & own & ray
        found |= ray & (_ZERO - (end + end))
    return found
