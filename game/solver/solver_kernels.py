"""The exact search as compiled kernels: negamax that only asks "at least this much?".

Values are whole discs from the view of the side to move.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.evaluators.pattern_kernels import NETWORK, unbounded
from othello_lab.game.kernels.bitboard import BOARD, CORNERS, after, legal_moves
from othello_lab.game.kernels.bits import (
    Bits,
    Integer,
    Rows,
    count,
    from_row,
    lowest,
    nth_row,
    occupied,
    single,
    without_lowest,
)
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.solver.last import FEW, final_value, value_of_few
from othello_lab.game.solver.squares import around, most, odd_quadrants, odd_without
from othello_lab.game.solver.table import NOTHING, Table, known, store

INFINITY = 1 << 12
SHALLOW = 8
"""Up to this many empties a position is searched without table and by simpler looks of moves."""
_SORTED = 7
"""From this many empties on it is worth counting replies."""
PEEK = 10
"""From more empties on it first looks up all moves in the table, whether one is known to be enough."""
JUDGED = 13
"""From this many empties on a network, if there is one, helps to order the moves."""
JUDGEMENT = 16
"""What a unit of its sum of weights counts among the looks of moves; measured, 8 and 40 are worse."""
STATE = np.dtype(
    [
        ("size", np.int64),
        # Whether empty squares at the end go to the winner.
        ("bonus", np.bool_),
        # What orders the moves, if it has patterns.
        ("network", NETWORK),
        # How many positions were visited.
        ("nodes", np.int64),
        # From how many on it stops.
        ("limit", np.int64),
        # Whether another thread wants the search to stop, or the limit is reached.
        ("stop", np.bool_),
        # Not 0: another order of moves that look much alike, for a thread that helps another.
        ("salt", np.int64),
        # The moves where this many squares are empty: how good each looks and its square.
        ("moves", np.int32, (257, 256, 2)),
    ],
    align=True,
)
"""What a search shares with itself. One item is passed as a pointer: a recursion carries it for free."""
# An item of STATE: compiled code reads its fields as attributes.
State = Any


@compiled
def shallow(own: Bits, opponent: Bits, beta: int, state: State) -> Integer:
    """Do what `deep` does for a position with few empties."""
    size = state.size
    empties = from_row(own, BOARD[size]) & ~(own | opponent)
    odd, left = odd_quadrants(empties, size), count(empties)
    if left < _SORTED:
        return _unsorted(own, opponent, empties, odd, beta, state)
    state.nodes += 1
    moves = state.moves[left]
    found = list_by_replies(own, opponent, odd, size, moves)
    if found == 0:
        if not occupied(legal_moves(opponent, own, size)):
            return final_value(own, opponent, size, state.bonus)
        return -shallow(opponent, own, 1 - beta, state)
    best = -INFINITY
    for index in range(found):
        mine, theirs = after(own, opponent, take_best(moves, index, found), size)
        best = max(best, -shallow(theirs, mine, 1 - beta, state))
        if best >= beta:
            break
    return best


@compiled
def _unsorted(own: Bits, opponent: Bits, empties: Bits, odd: Bits, beta: int, state: State) -> Integer:
    """Do the same for a position with fewer empties, trying moves in odd quarters first."""
    state.nodes += 1
    size, bonus = state.size, state.bonus
    if count(empties) <= FEW:
        return value_of_few(own, opponent, empties, odd, beta, size, bonus)
    moves = legal_moves(own, opponent, size)
    if not occupied(moves):
        if not occupied(legal_moves(opponent, own, size)):
            return final_value(own, opponent, size, bonus)
        return -_unsorted(opponent, own, empties, odd, 1 - beta, state)
    best = -INFINITY
    for part in (moves & odd, moves & ~odd):
        rest = part
        while occupied(rest):
            square = lowest(rest)
            rest = without_lowest(rest)
            mine, theirs = after(own, opponent, square, size)
            left, still = empties & ~single(own, square), odd_without(odd, square, size)
            value = -_unsorted(theirs, mine, left, still, 1 - beta, state)
            if value > best:
                best = value
                if best >= beta:
                    return best
    return best


@compiled
def _judge(own: Bits, opponent: Bits, empties: int, moves: NDArray[np.int32], state: State) -> None:
    """Add what the network expects to how good the moves look."""
    if empties < JUDGED or state.network.instances == 0:
        return
    for index in range(len(moves)):
        square = moves[index, 1]
        mine, theirs = after(own, opponent, square, state.size)
        expected = -unbounded(theirs, mine, state.size, state.network)
        moves[index, 0] += np.int32(JUDGEMENT * expected)


@compiled
def deep(own: Bits, opponent: Bits, empties: int, beta: int, state: State, table: Table) -> Integer:
    """Tell whether a position with `empties` empty squares is worth `beta` to the side to move.

    A result from `beta` on is a lower bound of the value, any other an upper bound. It is nonsense once the
    order is to stop.
    """
    if empties <= SHALLOW:
        return shallow(own, opponent, beta, state)
    state.nodes += 1
    state.stop = state.stop or state.nodes >= state.limit
    size, started = state.size, state.nodes
    lower, upper, hint = known(table, own, opponent, empties, INFINITY)
    upper = min(upper, most(own, opponent, beta, size))
    if lower >= beta or upper < beta:
        return lower if lower >= beta else upper
    moves = state.moves[empties]
    found = list_moves(own, opponent, hint, size, moves)
    if found == 0:
        if not occupied(legal_moves(opponent, own, size)):
            return final_value(own, opponent, size, state.bonus)
        return -deep(opponent, own, empties, 1 - beta, state, table)
    _judge(own, opponent, empties, moves[:found], state)
    vary(moves[:found], state.salt)
    least = _known_of_moves(own, opponent, beta, moves[: found * (empties > PEEK)], size, table)
    if least >= beta:
        return least
    best, best_move = -INFINITY, NOTHING
    for index in range(found):
        square = take_best(moves, index, found)
        mine, theirs = after(own, opponent, square, size)
        value = -deep(theirs, mine, empties - 1, 1 - beta, state, table)
        if state.stop:
            return 0
        if value > best:
            best, best_move = value, square
            if best >= beta:
                break
    lower, upper = (best, upper) if best >= beta else (lower, best)
    store(table, own, opponent, lower, upper, empties, best_move, state.nodes - started)
    return best


@compiled
def _known_of_moves(
    own: Bits, opponent: Bits, beta: int, moves: NDArray[np.int32], size: int, table: Table
) -> Integer:
    """Return a lower bound of the value, by what the table knows of the positions after the moves."""
    best = -INFINITY
    for square in moves[:, 1]:
        mine, theirs = after(own, opponent, square, size)
        _, upper, _ = known(table, theirs, mine, 0, INFINITY)
        best = max(best, -upper)
        if best >= beta:
            break
    return best


VARIETY = 8
"""What a thread adds to the look of a move is less than this."""


@compiled
def list_moves(own: Bits, opponent: Bits, hint: int, size: int, moves: NDArray[np.int32]) -> Integer:
    """Write the legal moves and how good they look into `moves` [n, 2], and return how many there are.

    Few replies for the opponent are good ("fastest first"), above all few corners, and few empty squares
    beside the mover's discs, which are replies to come. `hint` comes first.
    """
    rest = legal_moves(own, opponent, size)
    corners = from_row(own, CORNERS[size])
    empties = from_row(own, BOARD[size]) & ~(own | opponent)
    odd = odd_quadrants(empties, size)
    found = 0
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
        moves[found, 0] = 1 << 20 if square == hint else look
        moves[found, 1] = square
        found += 1
    return found


@compiled
def list_by_replies(own: Bits, opponent: Bits, odd: Bits, size: int, moves: NDArray[np.int32]) -> Integer:
    """Do what `list_moves` does, by the replies and the odd quarters alone."""
    rest, corners = legal_moves(own, opponent, size), from_row(own, CORNERS[size])
    found = 0
    while occupied(rest):
        square = lowest(rest)
        rest = without_lowest(rest)
        mine, theirs = after(own, opponent, square, size)
        replies = legal_moves(theirs, mine, size)
        look = -2 * (count(replies) + count(replies & corners))
        moves[found, 0] = look + 1 if occupied(single(own, square) & odd) else look
        moves[found, 1] = square
        found += 1
    return found


@compiled
def vary(moves: NDArray[np.int32], salt: int) -> None:
    """Add a little to how good the moves look, another for each salt; nothing for 0."""
    if salt:
        for index in range(len(moves)):
            moves[index, 0] += (moves[index, 1] * salt >> 3) % VARIETY


@compiled
def take_best(moves: NDArray[np.int32], start: int, end: int) -> Integer:
    """Exchange the best-looking of moves[start:end] and that at `start`, and return its square."""
    best = start
    for index in range(start + 1, end):
        if moves[index, 0] > moves[best, 0]:
            best = index
    look, square = moves[best, 0], moves[best, 1]
    moves[best, 0], moves[best, 1] = moves[start, 0], moves[start, 1]
    moves[start, 0], moves[start, 1] = look, square
    return square


@compiled
def find_discs(
    kind: Bits,
    own: Rows,
    opponent: Rows,
    empties: NDArray[np.int64],
    state: State,
    table: Table,
    found: NDArray[np.int64],
) -> None:
    """Write the value of each position into `found`, [n], where a guess stands."""
    for i in range(len(found)):
        mine, theirs = nth_row(kind, own, i), nth_row(kind, opponent, i)
        lower, upper, guess = -INFINITY, INFINITY, found[i]
        while lower < upper:
            asked = max(guess, lower + 1)
            guess = deep(mine, theirs, empties[i], asked, state, table)
            lower, upper = (guess, upper) if guess >= asked else (lower, guess)
        found[i] = lower
