"""Discs that can never be turned over again: a bound on what the other side can still reach."""

from game.kernels.bitboard import BOARD, mask_rows
from game.kernels.jit import compiled
from game.kernels.shifts import lowered, raised
from game.kernels.words import Integer, Words, count, from_row, occupied

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
