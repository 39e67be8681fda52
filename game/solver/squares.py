"""Sets of squares for the exact search: stable discs, odd quarters, neighbours."""

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.kernels.bitboard import BOARD, INNER_COLUMNS, mask_rows
from othello_lab.game.kernels.bits import Bits, Integer, count, from_row, lowered, occupied, raised
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.notation import SIZES

_FIRST = mask_rows(lambda size, row, column: column == 0)
_LAST = mask_rows(lambda size, row, column: column == size - 1)
_ENDS = mask_rows(lambda size, row, column: row in (0, size - 1))


@compiled
def _reached(empties: Bits, step: int, stop_up: Bits, stop_down: Bits, size: int) -> Bits:
    """Return the squares whose line in one direction has an empty square."""
    up = down = empties
    for _ in range(size - 1):
        up = up | raised(up & ~stop_up, step)
        down = down | lowered(down & ~stop_down, step)
    return up | down


@compiled
def stable(own: Bits, opponent: Bits, size: int) -> Bits:
    """Return discs of `own` that no later move can turn over, but not always all such discs.

    A disc is stable if it is safe along all four lines. It is safe along a line if the line is full, or if on
    one side of the disc there is the edge or a stable disc of the same colour.
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
    known = own & row & column & rising & falling
    grown = known
    while occupied(grown):
        right, left = known & ~last, known & ~first
        safe = own & ~known & (row | raised(right, 1) | lowered(left, 1))
        safe = safe & (column | raised(known, size) | lowered(known, size))
        safe = safe & (rising | raised(right, size + 1) | lowered(left, size + 1))
        grown = safe & (falling | raised(left, size - 1) | lowered(right, size - 1))
        known = known | grown
    return known


@compiled
def most(own: Bits, opponent: Bits, beta: int, size: int) -> Integer:
    """Return an upper bound of the value for the side `own`: all squares but the opponent's stable discs.

    If this bound cannot be less than `beta`, the function returns the number of all squares, which is faster.
    """
    cells = size * size
    if cells - 2 * count(opponent) >= beta:
        return cells
    return cells - 2 * count(stable(opponent, own, size))


def _quadrant(bottom: bool, right: bool) -> NDArray[np.uint64]:
    return mask_rows(lambda size, row, column: (row >= size // 2, column >= size // 2) == (bottom, right))


QUADRANTS = np.stack([_quadrant(bottom, right) for bottom in (False, True) for right in (False, True)], 1)
"""The quarters of the board, [17, 4, 4]. In a quarter with an odd number of empties the mover is favoured."""


def _quadrants_of_squares() -> NDArray[np.uint64]:
    """Return the quarter in which each square lies, [17, 256, 4]."""
    table = np.zeros((17, 256, 4), np.uint64)
    for size in SIZES:
        for square in range(size * size):
            row, column = divmod(square, size)
            table[size, square] = QUADRANTS[size, 2 * (row >= size // 2) + (column >= size // 2)]
    return table


_QUADRANT_OF = _quadrants_of_squares()


@compiled
def odd_without(odd: Bits, square: int, size: int) -> Bits:
    """Return the odd quarters after a move on `square`."""
    quadrant = from_row(odd, _QUADRANT_OF[size, square])
    return (odd | quadrant) & ~(odd & quadrant)


@compiled
def odd_quadrants(empties: Bits, size: int) -> Bits:
    """Return the quarters of the board that have an odd number of empty squares."""
    odd = empties & ~empties
    for quadrant in range(4):
        squares = from_row(empties, QUADRANTS[size, quadrant])
        if count(empties & squares) & 1:
            odd = odd | squares
    return odd


@compiled
def around(squares: Bits, size: int) -> Bits:
    """Return a set and the squares next to it in the eight directions, including some beyond the board."""
    inner = squares & from_row(squares, INNER_COLUMNS[size])
    row = squares | raised(inner, 1) | lowered(inner, 1)
    return row | raised(row, size) | lowered(row, size)
