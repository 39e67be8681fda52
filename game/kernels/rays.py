"""Legal moves and the discs that a move turns over on boards of one word: four directions at a time.

Discs turned over are found by rays. On a ray that ascends, adding one carries through the opponent's discs to
the first other square; on one that descends, counting leading zeros finds it. Legal moves are found by fills,
as in `bitboard.py`. The tests hold both to the same answers.
"""

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.kernels.bits import ONE_WORD, Bits, Integer
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.kernels.lanes import Lanes, flags, four, leading_zeros, row, together

_NONE, _ONE, _TOP = np.uint64(0), np.uint64(1), np.uint64(1 << 63)
_DIRECTIONS = ((0, 1), (1, 0), (1, -1), (1, 1))


def _ray(size: int, square: int, rows: int, columns: int) -> int:
    """Return the squares from `square`, itself left out, to the edge."""
    y, x = divmod(square, size)
    squares = 0
    while 0 <= (y := y + rows) < size and 0 <= (x := x + columns) < size:
        squares |= 1 << y * size + x
    return squares


def _rays(sign: int) -> NDArray[np.uint64]:
    """Return the rays that ascend (sign 1) or descend (-1) from every square, [size, square, direction]."""
    table = np.zeros((ONE_WORD + 1, ONE_WORD**2, 4), np.uint64)
    for size in range(4, ONE_WORD + 1, 2):
        for square in range(size * size):
            table[size, square] = [_ray(size, square, sign * r, sign * c) for r, c in _DIRECTIONS]
    return table


_UP, _DOWN = _rays(1), _rays(-1)


@compiled
def _each(word: Integer) -> Lanes:
    return four(word, word, word, word)


@compiled
def flips_by_rays(own: Bits, opponent: Bits, square: int, size: int) -> Bits:
    """Return the discs that a disc of the side to move on the empty `square` turns over."""
    mine, theirs, number = _each(own), _each(opponent), size * ONE_WORD**2 + square
    ray = row(_UP, number)
    end = ((theirs | ~ray) + _each(_ONE)) & mine & ray
    found = (end - flags(end)) & ray
    ray = row(_DOWN, number)
    end = (_each(_TOP) >> leading_zeros((ray & ~theirs) | _each(_ONE))) & mine & ray
    return together(found | (ray & (_each(_NONE) - (end + end))))


@compiled
def ends_by_rays(own: Bits, opponent: Bits, inner: Bits, size: int) -> Bits:
    """Return the squares just behind a run of opponent discs next to an own disc.

    `inner` are those of the opponent's discs that a run in a row or diagonal may pass.
    """
    step = four(_ONE, size, size - 1, size + 1)
    through, start = four(inner, opponent, inner, inner), _each(own)
    # Two squares singly, then two at a time, which is enough for the six of a line of 8.
    up, down = through & (start << step), through & (start >> step)
    up, down = up | (through & (up << step)), down | (through & (down >> step))
    upper, lower, two = through & (through << step), through & (through >> step), step + step
    for _ in range(2):
        up, down = up | (upper & (up << two)), down | (lower & (down >> two))
    return together((up << step) | (down >> step))
