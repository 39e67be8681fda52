"""The rules as compiled kernels: one algorithm for every even size, on sets of squares (see `bits.py`).

The kernels check nothing: squares beyond the board, overlapping discs or an illegal move give nonsense.
`Board` checks. `own` is the side to move, `opponent` the other; `size` is the length of a side.

Along a line there are two ways. Rays (`rays.py`) serve positions of one word. Fills (below) serve those of
four words and, in the functions `..._within`, loops over many positions, which the compiler vectorises.
`inner` are those of the opponent's discs that a run in a row or a diagonal may pass: it must not wrap around
an edge, so it stays in the inner columns.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.kernels.bits import (
    FOUR,
    ONE_WORD,
    Bits,
    Integer,
    count,
    from_int,
    from_row,
    lowered,
    lowest,
    may_go_on,
    occupied,
    raised,
    single,
    to_int,
    without_lowest,
)
from othello_lab.game.kernels.jit import compiled, compiled_for, inlined, overloads
from othello_lab.game.kernels.rays import ends_by_rays, flips_by_rays
from othello_lab.game.notation import SIZES


def mask_rows(inside: Callable[[int, int, int], bool]) -> NDArray[np.uint64]:
    """Return, by size, the squares (row, column) of which inside(size, row, column) holds, [17, 4]."""
    rows = np.zeros((17, 4), np.uint64)
    for size in SIZES:
        squares = sum(1 << s for s in range(size * size) if inside(size, *divmod(s, size)))
        rows[size] = np.frombuffer(squares.to_bytes(32, "little"), "<u8")
    return rows


BOARD = mask_rows(lambda size, row, column: True)
INNER_COLUMNS = mask_rows(lambda size, row, column: 0 < column < size - 1)
CORNERS = mask_rows(lambda size, row, column: row in (0, size - 1) and column in (0, size - 1))
"""Rows of words for `from_row`: all squares, those that a run in a row or diagonal may pass, the corners."""


@compiled
def _reach_up(start: Bits, through: Bits, step: int) -> Bits:
    """Return the unbroken runs of `through` that begin one step above a square of `start`.

    Two squares singly, then two at a time wherever two squares of `through` follow each other.
    """
    front = through & raised(start, step)
    front = front | (through & raised(front, step))
    pairs = through & raised(through, step)
    run, turn = front, 0
    while may_go_on(front, turn):
        front = pairs & raised(front, 2 * step)
        run, turn = run | front, turn + 1
    return run


@compiled
def _reach_down(start: Bits, through: Bits, step: int) -> Bits:
    """Do the same as `_reach_up`, below."""
    front = through & lowered(start, step)
    front = front | (through & lowered(front, step))
    pairs = through & lowered(through, step)
    run, turn = front, 0
    while may_go_on(front, turn):
        front = pairs & lowered(front, 2 * step)
        run, turn = run | front, turn + 1
    return run


@compiled
def _ends(own: Bits, opponent: Bits, step: int) -> Bits:
    """Return the squares just behind a run of opponent discs next to an own disc, along one line."""
    return raised(_reach_up(own, opponent, step), step) | lowered(_reach_down(own, opponent, step), step)


@inlined
def ends_by_fills(own: Bits, opponent: Bits, inner: Bits, size: int) -> Bits:
    """Return the squares just behind a run of opponent discs next to an own disc, along all lines."""
    return (
        _ends(own, inner, 1)
        | _ends(own, opponent, size)
        | _ends(own, inner, size - 1)
        | _ends(own, inner, size + 1)
    )


@compiled
def _captured(disc: Bits, own: Bits, opponent: Bits, step: int) -> Bits:
    """Return what `disc` turns over along one line."""
    up = _reach_up(disc, opponent, step)
    down = _reach_down(disc, opponent, step)
    if not occupied(raised(up, step) & own):
        up = up & ~up
    if not occupied(lowered(down, step) & own):
        down = down & ~down
    return up | down


@inlined
def flips_by_fills(own: Bits, opponent: Bits, disc: Bits, inner: Bits, size: int) -> Bits:
    """Return the discs that a `disc`, as a set, turns over; no disc turns over nothing."""
    return (
        _captured(disc, own, inner, 1)
        | _captured(disc, own, opponent, size)
        | _captured(disc, own, inner, size - 1)
        | _captured(disc, own, inner, size + 1)
    )


@compiled
def legal_moves(own: Bits, opponent: Bits, size: int) -> Bits:
    """Return the squares where the side to move may place a disc."""
    inner, board = masks(own, size)
    return _ends_of_runs(own, opponent, opponent & inner, size) & ~(own | opponent) & board


def _ends_of_runs(own: Bits, opponent: Bits, inner: Bits, size: int) -> Bits:
    raise TypeError("compiled code only")


@overloads(_ends_of_runs)
def _ends_in_words(own: Bits, opponent: Bits, inner: Bits, size: int) -> object:
    # numba wants functions of Python's here, no compiled ones, so both are wrapped.
    if own == FOUR:
        return lambda own, opponent, inner, size: ends_by_fills(own, opponent, inner, size)  # noqa: PLW0108
    return lambda own, opponent, inner, size: ends_by_rays(own, opponent, inner, size)  # noqa: PLW0108


@inlined
def masks(kind: Bits, size: int) -> tuple[Bits, Bits]:
    """Return INNER_COLUMNS and BOARD of a size: a loop that fetches them once can be vectorised."""
    return from_row(kind, INNER_COLUMNS[size]), from_row(kind, BOARD[size])


@inlined
def legal_within(own: Bits, opponent: Bits, size: int, inner: Bits, board: Bits) -> Bits:
    """Do the same as `legal_moves`, given the `masks` of the size."""
    return ends_by_fills(own, opponent, opponent & inner, size) & ~(own | opponent) & board


def over_within(moves: Bits, own: Bits, opponent: Bits, size: int, inner: Bits, board: Bits) -> bool:
    """Tell whether neither side has a move, given those of the side to move and the `masks` of the size."""
    raise TypeError("compiled code only")


@overloads(over_within, inlined=True)
def _over_within(moves: Bits, own: Bits, opponent: Bits, size: int, inner: Bits, board: Bits) -> object:
    # On one word it is quicker to find the other side's moves in any case than to ask whether they matter.
    if moves != FOUR:
        return lambda moves, own, opponent, size, inner, board: (
            not occupied(moves | legal_within(opponent, own, size, inner, board))
        )
    return lambda moves, own, opponent, size, inner, board: (
        not (occupied(moves) or occupied(legal_within(opponent, own, size, inner, board)))
    )


@compiled
def flips(own: Bits, opponent: Bits, square: int, size: int) -> Bits:
    """Return the discs that a disc of the side to move on the empty `square` turns over."""
    return _flips(own, opponent, square, size)


def _flips(own: Bits, opponent: Bits, square: int, size: int) -> Bits:
    raise TypeError("compiled code only")


@overloads(_flips)
def _flips_in_words(own: Bits, opponent: Bits, square: int, size: int) -> object:
    if own == FOUR:
        return lambda own, opponent, square, size: flips_within(
            own, opponent, single(own, square), size, from_row(own, INNER_COLUMNS[size])
        )
    return lambda own, opponent, square, size: flips_by_rays(own, opponent, square, size)  # noqa: PLW0108


@inlined
def flips_within(own: Bits, opponent: Bits, disc: Bits, size: int, inner: Bits) -> Bits:
    """Do the same as `flips` for a disc as a set, given INNER_COLUMNS; no disc turns over nothing."""
    return flips_by_fills(own, opponent, disc, opponent & inner, size)


@compiled
def after(own: Bits, opponent: Bits, square: int, size: int) -> tuple[Bits, Bits]:
    """Return (own, opponent) after a legal move, still from the mover's side."""
    turned = flips(own, opponent, square, size)
    return own | turned | single(own, square), opponent & ~turned


def step(own: Bits, opponent: Bits, square: int, size: int) -> tuple[Bits, Bits, Bits]:
    """Return (own, opponent, legal moves) after a legal move, from the side of whoever is to move then."""
    inner, board = masks(own, size)
    disc = single(own, square)
    turned = flips_within(own, opponent, disc, size, inner)
    before, now = own | turned | disc, opponent & ~turned
    return now, before, legal_within(now, before, size, inner, board)


@cache
def step_on_integers() -> Callable[[int, int, int, int], tuple[int, int, int]]:
    """Return `step` for boards up to 8x8, on sets given as integers; compiled when it is first asked for."""
    return compiled_for(step, "(uint64, uint64, int64, int64)")


_step_on_words = compiled(step)


def step_of(own: int, opponent: int, square: int, size: int) -> tuple[int, int, int]:
    """Return `step` for boards of any size, on sets given as integers."""
    if size <= ONE_WORD:
        return step_on_integers()(own, opponent, square, size)
    now, before, moves = _step_on_words(from_int(own, size), from_int(opponent, size), square, size)
    return to_int(now), to_int(before), to_int(moves)


@compiled
def most_flips(own: Bits, opponent: Bits, size: int) -> Bits:
    """Return the legal moves that turn over the most discs."""
    moves = legal_moves(own, opponent, size)
    best, best_count = moves & ~moves, 0
    while occupied(moves):
        square = lowest(moves)
        turned = count(flips(own, opponent, square, size))
        if turned > best_count:
            best, best_count = single(own, square), turned
        elif turned == best_count:
            best = best | single(own, square)
        moves = without_lowest(moves)
    return best


@compiled
def _mark(plane: NDArray[Any], squares: Bits) -> None:
    while occupied(squares):
        plane[lowest(squares)] = 1
        squares = without_lowest(squares)


def write_planes(own: Bits, opponent: Bits, size: int, planes: NDArray[Any]) -> None:
    """Set, in zeroed planes [4 * size * size], own and opponent's discs and own and opponent's moves."""
    cells = size * size
    _mark(planes[:cells], own)
    _mark(planes[cells : 2 * cells], opponent)
    _mark(planes[2 * cells : 3 * cells], legal_moves(own, opponent, size))
    _mark(planes[3 * cells :], legal_moves(opponent, own, size))


write_planes_on_words = compiled(write_planes)


@cache
def _write_planes_on_integers() -> Callable[[int, int, int, NDArray[np.int32]], None]:
    return compiled_for(write_planes, "(uint64, uint64, int64, int32[::1])")


def planes_of(own: int, opponent: int, size: int) -> NDArray[np.int32]:
    """Return the planes of `write_planes` for a board of any size, on sets given as integers."""
    planes = np.zeros(4 * size * size, np.int32)
    if size <= ONE_WORD:
        _write_planes_on_integers()(own, opponent, size, planes)
    else:
        write_planes_on_words(from_int(own, size), from_int(opponent, size), size, planes)
    return planes


@compiled
def perft(own: Bits, opponent: Bits, depth: int, size: int) -> Integer:
    """Count the move paths of `depth` plies: a pass is a ply, a game that ended earlier is one path."""
    if depth == 0:
        return np.int64(1)
    moves = legal_moves(own, opponent, size)
    if not occupied(moves):
        if not occupied(legal_moves(opponent, own, size)):
            return np.int64(1)
        return perft(opponent, own, depth - 1, size)
    if depth == 1:
        return count(moves)
    paths = np.int64(0)
    while occupied(moves):
        mine, theirs = after(own, opponent, lowest(moves), size)
        paths += perft(theirs, mine, depth - 1, size)
        moves = without_lowest(moves)
    return paths
