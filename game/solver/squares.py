"""Sets of squares that the exact search asks for: discs turned over, stable discs, odd quarters.

Discs turned over are found by rays, twice as fast as by the fills of `bitboard.flips`, on one word only. On a
ray that ascends, adding one carries through the opponent's discs to the first other square; on one that
descends, counting leading zeros finds it. The tests hold both to the same answers.
"""

import numpy as np
from numba import types
from numpy.typing import NDArray

from othello_lab.game.kernels import bitboard
from othello_lab.game.kernels.bitboard import BOARD, INNER_COLUMNS, mask_rows
from othello_lab.game.kernels.jit import compiled, leading_zeros, overloads
from othello_lab.game.kernels.shifts import lowered, raised
from othello_lab.game.kernels.words import ONE_WORD, Integer, Words, count, from_row, occupied, single

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


@compiled
def played(own: Words, opponent: Words, square: int, size: int) -> tuple[Words, Words]:
    """Return (own, opponent) after a legal move, still from the mover's side."""
    gain = turned(own, opponent, square, size)
    return own | gain | single(own, square), opponent & ~gain


_FIRST = mask_rows(lambda size, row, column: column == 0)
_LAST = mask_rows(lambda size, row, column: column == size - 1)
_ENDS = mask_rows(lambda size, row, column: row in (0, size - 1))


@compiled
def _reached(empties: Words, step: int, stop_up: Words, stop_down: Words, size: int) -> Words:
    """Return the squares on lines in one direction that have an empty square."""
    up = down = empties
    for _ in range(size - 1):
        up = up | raised(up & ~stop_up, step)
        down = down | lowered(down & ~stop_down, step)
    return up | down


@compiled
def stable(own: Words, opponent: Words, size: int) -> Words:
    """Return discs of `own` that no play of either side can turn over; not always all of them.

    A disc is safe along a line that is full, or that on one side ends or goes on with a stable disc of the
    same colour; safe along all four it is stable.
    """
    first, last = from_row(own, _FIRST[size]), from_row(own, _LAST[size])
    none = own & ~own
    empties = from_row(own, BOARD[size]) & ~(own | opponent)
    row = ~_reached(empties, 1, last, first, size)
    column = ~_reached(empties, size, none, none, size)
    rising = ~_reached(empties, size + 1, last, first, size)
    falling = ~_reached(empties, size - 1, first, last, size)
    sides, ends = first | last, from_row(own, _ENDS[size])
    row, column = row | sides, column | ends
    rising, falling = rising | sides | ends, falling | sides | ends
    found = own & row & column & rising & falling
    grown = found
    while occupied(grown):
        right, left = found & ~last, found & ~first
        beside = own & ~found & (row | raised(right, 1) | lowered(left, 1))
        beside = beside & (column | raised(found, size) | lowered(found, size))
        beside = beside & (rising | raised(right, size + 1) | lowered(left, size + 1))
        grown = beside & (falling | raised(left, size - 1) | lowered(right, size - 1))
        found = found | grown
    return found


@compiled
def most(own: Words, opponent: Words, beta: int, size: int) -> Integer:
    """Return an upper bound of the value for the side `own`: of all squares but the opponent's stable discs.

    Where that could not be less than `beta` the bound is that of an empty board.
    """
    cells = size * size
    if cells - 2 * count(opponent) >= beta:
        return cells
    return cells - 2 * count(stable(opponent, own, size))


def _quadrant(bottom: bool, right: bool) -> NDArray[np.uint64]:
    return mask_rows(lambda size, row, column: (row >= size // 2, column >= size // 2) == (bottom, right))


QUADRANTS = np.stack([_quadrant(bottom, right) for bottom in (False, True) for right in (False, True)], 1)
"""The quarters of the board, [17, 4, 4]: an odd number of empties in one favours who moves there."""


@compiled
def odd_quadrants(empties: Words, size: int) -> Words:
    """Return the quarters of the board that have an odd number of empty squares."""
    odd = empties & ~empties
    for quadrant in range(4):
        squares = from_row(empties, QUADRANTS[size, quadrant])
        if count(empties & squares) & 1:
            odd = odd | squares
    return odd


@compiled
def around(squares: Words, size: int) -> Words:
    """Return a set with the squares next to it in the eight directions, and some beyond the board."""
    inner = squares & from_row(squares, INNER_COLUMNS[size])
    row = squares | raised(inner, 1) | lowered(inner, 1)
    return row | raised(row, size) | lowered(row, size)
