"""The rules of Othello as compiled functions on the sets of squares of `bits.py`, without checks.

`own` has the discs of the side to move. `inner` is the set of inner columns, or of the opponent's discs in
them, so that no run of discs wraps around an edge. Functions for one word follow lines with rays, in four
directions at a time. Functions for four words, or named `_within`, use fills, which a compiler can vectorise.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.kernels.bits import (
    ONE_WORD,
    Bits,
    Integer,
    by_kind,
    from_int,
    from_row,
    lowered,
    occupied,
    raised,
    single,
    to_int,
)
from othello_lab.game.kernels.jit import (
    Lanes,
    compiled,
    compiled_for,
    compiled_helper,
    flags,
    four,
    inlined,
    leading_zeros,
    row,
    together,
)
from othello_lab.game.notation import PASS, SIZES


def mask_rows(inside: Callable[[int, int, int], bool]) -> NDArray[np.uint64]:
    """Return masks by board size, uint64 [17, 4], of the squares where inside(size, row, column) is true."""
    rows = np.zeros((17, 4), np.uint64)
    for size in SIZES:
        squares = sum(1 << s for s in range(size * size) if inside(size, *divmod(s, size)))
        rows[size] = np.frombuffer(squares.to_bytes(32, "little"), "<u8")
    return rows


BOARD = mask_rows(lambda size, row, column: True)
INNER_COLUMNS = mask_rows(lambda size, row, column: 0 < column < size - 1)
# BOARD, INNER_COLUMNS and CORNERS are tables by board size. A row has the words of a set for `from_row`.
CORNERS = mask_rows(lambda size, row, column: row in (0, size - 1) and column in (0, size - 1))
_NONE, _ONE, _TOP = np.uint64(0), np.uint64(1), np.uint64(1 << 63)
_DIRECTIONS = ((0, 1), (1, 0), (1, -1), (1, 1))


def _ray(size: int, square: int, rows: int, columns: int) -> int:
    """Return the squares after `square` up to the edge, in the direction (rows, columns)."""
    y, x = divmod(square, size)
    squares = 0
    while 0 <= (y := y + rows) < size and 0 <= (x := x + columns) < size:
        squares |= 1 << y * size + x
    return squares


def _rays(sign: int) -> NDArray[np.uint64]:
    """Return ascending (`sign` 1) or descending (-1) rays from each square, [size, square, direction]."""
    table = np.zeros((ONE_WORD + 1, ONE_WORD**2, 4), np.uint64)
    for size in range(4, ONE_WORD + 1, 2):
        for square in range(size * size):
            table[size, square] = [_ray(size, square, sign * r, sign * c) for r, c in _DIRECTIONS]
    return table


_UP, _DOWN = _rays(1), _rays(-1)


@compiled_helper
def _each(word: Integer) -> Lanes:
    return four(word, word, word, word)


def _flips_by_rays(own: Bits, opponent: Bits, square: int, size: int) -> Bits:
    """Return the discs that a move to the empty `square` turns over."""
    # A run ends at the first square without an opponent's disc. On an ascending ray, x & -x isolates this
    # square, the lowest bit. On a descending ray, the number of leading zeros gives the highest bit.
    mine, others, none, number = _each(own), _each(~opponent), _each(_NONE), size * ONE_WORD**2 + square
    ray = row(_UP, number)
    end = (ray & others) & (none - (ray & others)) & mine
    upper = (end - flags(end)) & ray
    ray = row(_DOWN, number)
    end = (_each(_TOP) >> leading_zeros((ray & others) | _each(_ONE))) & mine & ray
    return together(upper | (ray & (none - (end + end))))


def _ends_by_rays(own: Bits, opponent: Bits, inner: Bits, size: int) -> Bits:
    """Return the next square after each run of opponent's discs that begins next to an own disc."""
    step = four(_ONE, size, size - 1, size + 1)
    through, start = four(inner, opponent, inner, inner), _each(own)
    # Two single steps and two double steps are enough, because a run in a line of 8 has at most six discs.
    up, down = through & (start << step), through & (start >> step)
    up, down = up | (through & (up << step)), down | (through & (down >> step))
    upper, lower, two = through & (through << step), through & (through >> step), step + step
    for _ in range(2):
        up, down = up | (upper & (up << two)), down | (lower & (down >> two))
    return together((up << step) | (down >> step))


# A run in a line of 8 has at most 6 discs. A fixed number of steps is faster than an unpredictable branch.
# Return whether a fill continues after `turn` steps. `front` has the squares of the last step.
_goes_on = by_kind(lambda front, turn: turn < 2, lambda front, turn: occupied(front))


@compiled_helper
def _reach_up(start: Bits, through: Bits, step: int) -> Bits:
    """Return the unbroken runs of `through` that begin one step above a square of `start`."""
    front = through & raised(start, step)
    front = front | (through & raised(front, step))
    pairs = through & raised(through, step)
    run, turn = front, 0
    while _goes_on(front, turn):
        front = pairs & raised(front, 2 * step)
        run, turn = run | front, turn + 1
    return run


@compiled_helper
def _reach_down(start: Bits, through: Bits, step: int) -> Bits:
    """Return the unbroken runs of `through` that begin one step below a square of `start`."""
    front = through & lowered(start, step)
    front = front | (through & lowered(front, step))
    pairs = through & lowered(through, step)
    run, turn = front, 0
    while _goes_on(front, turn):
        front = pairs & lowered(front, 2 * step)
        run, turn = run | front, turn + 1
    return run


@compiled_helper
def _ends(own: Bits, opponent: Bits, step: int) -> Bits:
    """Do the same as `_ends_by_fills`, but only along one line."""
    return raised(_reach_up(own, opponent, step), step) | lowered(_reach_down(own, opponent, step), step)


@inlined
def _ends_by_fills(own: Bits, opponent: Bits, inner: Bits, size: int) -> Bits:
    """Do the same as `_ends_by_rays` for sets of one word or of four words."""
    return (
        _ends(own, inner, 1)
        | _ends(own, opponent, size)
        | _ends(own, inner, size - 1)
        | _ends(own, inner, size + 1)
    )


@compiled_helper
def _captured(disc: Bits, own: Bits, opponent: Bits, step: int) -> Bits:
    """Return the discs that `disc` turns over along one line."""
    up = _reach_up(disc, opponent, step)
    down = _reach_down(disc, opponent, step)
    if not occupied(raised(up, step) & own):
        up = up & ~up
    if not occupied(lowered(down, step) & own):
        down = down & ~down
    return up | down


@compiled
def legal_moves(own: Bits, opponent: Bits, size: int) -> Bits:
    """Return the legal squares of the side to move."""
    inner, board = masks(own, size)
    return _ends_of_runs(own, opponent, opponent & inner, size) & ~(own | opponent) & board


_ends_of_runs = by_kind(
    _ends_by_rays,
    lambda own, opponent, inner, size: _ends_by_fills(own, opponent, inner, size),  # noqa: PLW0108  by_kind takes Python functions
)


@inlined
def masks(kind: Bits, size: int) -> tuple[Bits, Bits]:
    """Return INNER_COLUMNS and BOARD of a size. A call before a loop lets the compiler vectorise the loop."""
    return from_row(kind, INNER_COLUMNS[size]), from_row(kind, BOARD[size])


@inlined
def legal_within(own: Bits, opponent: Bits, size: int, inner: Bits, board: Bits) -> Bits:
    """Do the same as `legal_moves`, where `inner` and `board` are the `masks` of the size."""
    return _ends_by_fills(own, opponent, opponent & inner, size) & ~(own | opponent) & board


# With one word, it is faster to always compute the opponent's moves than to branch.
# Return whether the game is over. The call is over_within(moves, own, opponent, size, inner, board).
over_within = by_kind(
    lambda moves, own, opponent, size, inner, board: (
        not occupied(moves | legal_within(opponent, own, size, inner, board))
    ),
    lambda moves, own, opponent, size, inner, board: (
        not (occupied(moves) or occupied(legal_within(opponent, own, size, inner, board)))
    ),
    inlined=True,
)


@compiled_helper
def is_over(own: Bits, opponent: Bits, size: int) -> bool:
    """Return whether neither side has a move."""
    return not (occupied(legal_moves(own, opponent, size)) or occupied(legal_moves(opponent, own, size)))


# Return the discs that a move to an empty square turns over. The call is flips(own, opponent, square, size).
flips = by_kind(
    _flips_by_rays,
    lambda own, opponent, square, size: flips_within(
        own, opponent, single(own, square), size, from_row(own, INNER_COLUMNS[size])
    ),
)


@inlined
def flips_within(own: Bits, opponent: Bits, disc: Bits, size: int, inner: Bits) -> Bits:
    """Do the same as `flips`. `disc` holds the square or no square, and `inner` holds the inner columns."""
    return (
        _captured(disc, own, opponent & inner, 1)
        | _captured(disc, own, opponent, size)
        | _captured(disc, own, opponent & inner, size - 1)
        | _captured(disc, own, opponent & inner, size + 1)
    )


@compiled_helper
def after(own: Bits, opponent: Bits, square: int, size: int) -> tuple[Bits, Bits]:
    """Return (own, opponent) after a legal move, where `own` is still the side that has moved."""
    turned = flips(own, opponent, square, size)
    return own | turned | single(own, square), opponent & ~turned


@compiled_helper
def played(own: Bits, opponent: Bits, move: int, size: int) -> tuple[Bits, Bits]:
    """Return (own, opponent) after a legal move or a pass, where `own` is the side that moves next."""
    if move == PASS:
        return opponent, own
    mine, theirs = after(own, opponent, move, size)
    return theirs, mine


def step(own: Bits, opponent: Bits, square: int, size: int) -> tuple[Bits, Bits, Bits]:
    """Return (own, opponent, legal moves) after a legal move, where `own` is the side that moves next."""
    inner, board = masks(own, size)
    disc = single(own, square)
    turned = flips_within(own, opponent, disc, size, inner)
    before, now = own | turned | disc, opponent & ~turned
    return now, before, legal_within(now, before, size, inner, board)


_step_on_integers = compiled_for(step, "(uint64, uint64, int64, int64)")
_step_on_words = compiled(step)


def step_of(own: int, opponent: int, square: int, size: int) -> tuple[int, int, int]:
    """Call `step` with sets as Python integers, on boards of any size."""
    if size <= ONE_WORD:
        return _step_on_integers()(own, opponent, square, size)
    now, before, moves = _step_on_words(from_int(own, size), from_int(opponent, size), square, size)
    return to_int(now), to_int(before), to_int(moves)


@compiled_helper
def around(squares: Bits, size: int) -> Bits:
    """Return a set and its neighbours in eight directions. Some neighbours may be off the board."""
    inner = squares & from_row(squares, INNER_COLUMNS[size])
    row = squares | raised(inner, 1) | lowered(inner, 1)
    return row | raised(row, size) | lowered(row, size)
