"""The exact search with a transposition table, as compiled functions. A network may help to order moves."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.evaluators.patterns import NETWORK, unbounded
from othello_lab.game.kernels.bitboard import BOARD, CORNERS, after, around, legal_moves, mask_rows
from othello_lab.game.kernels.bits import (
    Bits,
    Integer,
    count,
    from_row,
    lowered,
    lowest,
    occupied,
    raised,
    single,
    without_lowest,
)
from othello_lab.game.kernels.jit import compiled, compiled_helper
from othello_lab.game.solver.few_empties import (
    FIRST,
    INFINITY,
    final_value,
    odd_quadrants,
    shallow,
    take_best,
)
from othello_lab.game.solver.few_empties import STATE as FEW_EMPTIES
from othello_lab.game.solver.table import NOTHING, Table, known, store

SHALLOW = 8  # The maximum number of empty squares for `shallow`, a search without a table.
# The maximum number of empty squares for a search without enhanced transposition cutoffs.
PEEK = 10
JUDGED = 13  # The minimum number of empty squares for move ordering by a network.
JUDGEMENT = 16  # The factor of the network's sum in a look. Measurements with 8 and 40 were worse.
# The state of a search.
STATE = np.dtype(
    [
        # The network that helps to order the moves. Without patterns, there is no network.
        ("network", NETWORK),
        # The limit of `nodes`.
        ("limit", np.int64),
        # Whether another thread has interrupted the search, or the limit is reached.
        ("stop", np.bool_),
        # The state of `shallow`. `deep` shares its fields.
        ("few", FEW_EMPTIES),
    ],
    align=True,
)
State = Any  # An item of STATE. Compiled code reads its fields as attributes.


@compiled_helper
def _judge(own: Bits, opponent: Bits, empties: int, moves: NDArray[np.int32], state: State) -> None:
    """Add the network's evaluation of each move to the look of the move."""
    if empties < JUDGED or state.network.instances == 0:
        return
    for index in range(len(moves)):
        square = moves[index, 1]
        mine, theirs = after(own, opponent, square, state.few.size)
        expected = -unbounded(theirs, mine, state.few.size, state.network)
        moves[index, 0] += np.int32(JUDGEMENT * expected)


@compiled
def deep(own: Bits, opponent: Bits, empties: int, beta: int, state: State, table: Table) -> Integer:
    """Run a null-window search. Return a lower bound of at least `beta`, or an upper bound below `beta`.

    The result of an interrupted search is undefined.
    """
    if empties <= SHALLOW:
        return shallow(own, opponent, beta, state.few)
    few = state.few
    few.nodes += 1
    state.stop = state.stop or few.nodes >= state.limit
    size, started = few.size, few.nodes
    lower, upper, hint = known(table, own, opponent, empties, INFINITY)
    upper = min(upper, most(own, opponent, beta, size))
    if lower >= beta or upper < beta:
        return lower if lower >= beta else upper
    moves = few.moves[empties]
    end = list_moves(own, opponent, hint, size, moves)
    if end == 0:
        if not occupied(legal_moves(opponent, own, size)):
            return final_value(own, opponent, size, few.bonus)
        return -deep(opponent, own, empties, 1 - beta, state, table)
    _judge(own, opponent, empties, moves[:end], state)
    least = _known_of_moves(own, opponent, beta, moves[: end * (empties > PEEK)], size, table)
    if least >= beta:
        return least
    best, best_move = -INFINITY, NOTHING
    for index in range(end):
        square = take_best(moves, index, end)
        mine, theirs = after(own, opponent, square, size)
        value = -deep(theirs, mine, empties - 1, 1 - beta, state, table)
        if state.stop:
            return 0
        if value > best:
            best, best_move = value, square
            if best >= beta:
                break
    lower, upper = (best, upper) if best >= beta else (lower, best)
    store(table, own, opponent, lower, upper, empties, best_move, few.nodes - started)
    return best


@compiled_helper
def _known_of_moves(
    own: Bits, opponent: Bits, beta: int, moves: NDArray[np.int32], size: int, table: Table
) -> Integer:
    """Return a lower bound from the table's bounds of the children, for enhanced transposition cutoffs."""
    best = -INFINITY
    for square in moves[:, 1]:
        mine, theirs = after(own, opponent, square, size)
        _, upper, _ = known(table, theirs, mine, 0, INFINITY)
        best = max(best, -upper)
        if best >= beta:
            break
    return best


@compiled_helper
def list_moves(own: Bits, opponent: Bits, hint: int, size: int, moves: NDArray[np.int32]) -> Integer:
    """Write the legal moves and their looks into `moves` [n, 2], and return the number of moves.

    A look is high if the opponent has few replies and few empty squares are next to the mover's discs. The
    move `hint` has the highest look.
    """
    rest = legal_moves(own, opponent, size)
    corners = from_row(own, CORNERS[size])
    empties = from_row(own, BOARD[size]) & ~(own | opponent)
    odd = odd_quadrants(empties, size)
    end = 0
    while occupied(rest):
        square = lowest(rest)
        rest = without_lowest(rest)
        disc = single(own, square)
        mine, theirs = after(own, opponent, square, size)
        replies = legal_moves(theirs, mine, size)
        look = -3 * (count(replies) + count(replies & corners)) - count(around(mine, size) & empties)
        if occupied(disc & corners):
            look += 2
        if occupied(disc & odd):
            look += 1
        moves[end, 0] = FIRST if square == hint else look
        moves[end, 1] = square
        end += 1
    return end


# Masks of the edges by board size, for stable discs.
_FIRST = mask_rows(lambda size, row, column: column == 0)
_LAST = mask_rows(lambda size, row, column: column == size - 1)
_ENDS = mask_rows(lambda size, row, column: row in (0, size - 1))


@compiled_helper
def _reached(empties: Bits, step: int, stop_up: Bits, stop_down: Bits, size: int) -> Bits:
    """Return the squares whose line in direction `step` has an empty square."""
    up = down = empties
    for _ in range(size - 1):
        up = up | raised(up & ~stop_up, step)
        down = down | lowered(down & ~stop_down, step)
    return up | down


@compiled
def stable(own: Bits, opponent: Bits, size: int) -> Bits:
    """Return discs of `own` that no later move can turn over, possibly not all such discs.

    A disc is stable if all four lines are safe. A line is safe if it is full, or has the edge or a stable
    disc of the same colour next to the disc.
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


@compiled_helper
def most(own: Bits, opponent: Bits, beta: int, size: int) -> Integer:
    """Return an upper bound of the value for `own`, from the opponent's stable discs."""
    cells = size * size
    if cells - 2 * count(opponent) >= beta:
        return cells
    return cells - 2 * count(stable(opponent, own, size))
