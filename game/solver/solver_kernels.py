"""The exact search as compiled functions, which test whether the value is at least `beta`.

Values are numbers of discs, for the side to move. Each move gets a number, which is called the look of the
move. A search tries the moves with a higher look first.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.evaluators.patterns import NETWORK, unbounded
from othello_lab.game.kernels.bitboard import (
    BOARD,
    CORNERS,
    after,
    around,
    flips,
    legal_moves,
    mask_rows,
)
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
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.notation import SIZES
from othello_lab.game.solver.table import NOTHING, Table, known, store

INFINITY = 1 << 12
FIRST = 2_000_000_000  # The look of the best move from the table, which is larger than all other looks.
_NONE = -(1 << 20)  # The value of an illegal move.
FEW = 3  # Up to this number of empty squares, a search needs no list of moves. Four would be slower.
SHALLOW = 8  # Up to this number of empty squares, a search uses no table and a simple order of moves.
_SORTED = 7  # From this number of empty squares on, it saves time to count the opponent's replies.
# Above this number of empty squares, the search first looks in the table for a move that reaches `beta`.
PEEK = 10
JUDGED = 13  # From this number of empty squares on, a network helps to order the moves.
JUDGEMENT = 16  # The network adds this factor times the sum to a look. Measurements with 8 and 40 were worse.
# The state of a search. Compiled code passes a state as a pointer, so a recursion makes no copies.
STATE = np.dtype(
    [
        ("size", np.int64),
        # Whether empty squares at the end count for the winner.
        ("bonus", np.bool_),
        # The network that helps to order the moves. Without patterns, there is no network.
        ("network", NETWORK),
        # The number of visited positions, and its limit.
        ("nodes", np.int64),
        ("limit", np.int64),
        # Whether another thread has interrupted the search, or the limit is reached.
        ("stop", np.bool_),
        # The look and the square of each move, for each number of empty squares.
        ("moves", np.int32, (257, 256, 2)),
    ],
    align=True,
)
# An item of STATE. Compiled code reads its fields as attributes.
State = Any


@compiled
def shallow(own: Bits, opponent: Bits, beta: int, state: State) -> Integer:
    """Do the same as `deep` for a position with at most SHALLOW empty squares."""
    size = state.size
    empties = from_row(own, BOARD[size]) & ~(own | opponent)
    odd, left = odd_quadrants(empties, size), count(empties)
    if left < _SORTED:
        return _unsorted(own, opponent, empties, odd, beta, state)
    state.nodes += 1
    moves = state.moves[left]
    end = list_by_replies(own, opponent, legal_moves(own, opponent, size), odd, 1, NOTHING, size, moves)
    if end == 0:
        if not occupied(legal_moves(opponent, own, size)):
            return final_value(own, opponent, size, state.bonus)
        return -shallow(opponent, own, 1 - beta, state)
    best = -INFINITY
    for index in range(end):
        mine, theirs = after(own, opponent, take_best(moves, index, end), size)
        best = max(best, -shallow(theirs, mine, 1 - beta, state))
        if best >= beta:
            break
    return best


@compiled
def _unsorted(own: Bits, opponent: Bits, empties: Bits, odd: Bits, beta: int, state: State) -> Integer:
    """Do the same as `shallow` for fewer than _SORTED empty squares, with moves in odd quarters first."""
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
    """Add the network's evaluation of each move to the look of the move."""
    if empties < JUDGED or state.network.instances == 0:
        return
    for index in range(len(moves)):
        square = moves[index, 1]
        mine, theirs = after(own, opponent, square, state.size)
        expected = -unbounded(theirs, mine, state.size, state.network)
        moves[index, 0] += np.int32(JUDGEMENT * expected)


@compiled
def deep(own: Bits, opponent: Bits, empties: int, beta: int, state: State, table: Table) -> Integer:
    """Test whether the value is at least `beta`, and return a lower bound or an upper bound below `beta`.

    The result of an interrupted search has no meaning.
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
    end = list_moves(own, opponent, hint, size, moves)
    if end == 0:
        if not occupied(legal_moves(opponent, own, size)):
            return final_value(own, opponent, size, state.bonus)
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
    store(table, own, opponent, lower, upper, empties, best_move, state.nodes - started)
    return best


@compiled
def _known_of_moves(
    own: Bits, opponent: Bits, beta: int, moves: NDArray[np.int32], size: int, table: Table
) -> Integer:
    """Return a lower bound of the value, from the table's bounds for the positions after the moves."""
    best = -INFINITY
    for square in moves[:, 1]:
        mine, theirs = after(own, opponent, square, size)
        _, upper, _ = known(table, theirs, mine, 0, INFINITY)
        best = max(best, -upper)
        if best >= beta:
            break
    return best


@compiled
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


@compiled
def list_by_replies(
    own: Bits,
    opponent: Bits,
    rest: Bits,
    preferred: Bits,
    bonus: int,
    hint: int,
    size: int,
    moves: NDArray[np.int32],
) -> Integer:
    """Do the same as `list_moves` for the moves `rest`, with looks from the number of replies.

    `bonus` is added to the look of a square in `preferred`.
    """
    corners, end = from_row(own, CORNERS[size]), 0
    while occupied(rest):
        square = lowest(rest)
        rest = without_lowest(rest)
        mine, theirs = after(own, opponent, square, size)
        replies = legal_moves(theirs, mine, size)
        look = -2 * (count(replies) + count(replies & corners))
        if occupied(single(own, square) & preferred):
            look += bonus
        moves[end, 0], moves[end, 1] = FIRST if square == hint else look, square
        end += 1
    return end


@compiled
def take_best(moves: NDArray[np.int32], start: int, end: int) -> Integer:
    """Swap the move with the highest look in moves[start:end] to index `start`, and return the square."""
    best = start
    for index in range(start + 1, end):
        if moves[index, 0] > moves[best, 0]:
            best = index
    look, square = moves[best, 0], moves[best, 1]
    moves[best, 0], moves[best, 1] = moves[start, 0], moves[start, 1]
    moves[start, 0], moves[start, 1] = look, square
    return square


@compiled
def final_value(own: Bits, opponent: Bits, size: int, bonus: bool) -> Integer:
    """Return the value of a finished game for `own`. With `bonus`, empty squares count for the winner."""
    mine, theirs = count(own), count(opponent)
    if not bonus or mine == theirs:
        return mine - theirs
    return size * size - 2 * theirs if mine > theirs else 2 * mine - size * size


@compiled
def _value_of_one(own: Bits, opponent: Bits, square: int, size: int, bonus: bool) -> Integer:
    """Return the value of a position whose only empty square is `square`."""
    # Both numbers are always computed, because the processor cannot predict a branch well here.
    gain, loss = count(flips(own, opponent, square, size)), count(flips(opponent, own, square, size))
    difference = 2 * count(own) - size * size + 1  # all squares but one are occupied
    nobody = difference
    if bonus:
        nobody += 1 if difference > 0 else -1
    otherwise = difference - 2 * loss - 1 if loss > 0 else nobody
    return difference + 2 * gain + 1 if gain > 0 else otherwise


@compiled
def _first_then(own: Bits, opponent: Bits, first: int, second: int, size: int, bonus: bool) -> Integer:
    """Return the value of the move `first`, after which only `second` is empty. An illegal move has _NONE."""
    gain = flips(own, opponent, first, size)
    if not occupied(gain):
        return _NONE
    return -_value_of_one(opponent & ~gain, own | gain | single(own, first), second, size, bonus)


@compiled
def _value_of_two(own: Bits, opponent: Bits, empties: Bits, beta: int, size: int, bonus: bool) -> Integer:
    """Return the value of a position with two empty squares. A value of at least `beta` is a lower bound."""
    a = lowest(empties)
    b = lowest(without_lowest(empties))
    best = _first_then(own, opponent, a, b, size, bonus)
    if best >= beta:
        return best
    best = max(best, _first_then(own, opponent, b, a, size, bonus))
    if best > _NONE:
        return best
    worst = max(_first_then(opponent, own, a, b, size, bonus), _first_then(opponent, own, b, a, size, bonus))
    return -worst if worst > _NONE else final_value(own, opponent, size, bonus)


@compiled
def _best_of_three(
    own: Bits, opponent: Bits, empties: Bits, odd: Bits, beta: int, size: int, bonus: bool
) -> Integer:
    """Return the value of the first move that reaches `beta`, else of the best move, else _NONE."""
    best = _NONE
    for part in (empties & odd, empties & ~odd):
        rest = part
        while occupied(rest) and best < beta:
            square = lowest(rest)
            rest = without_lowest(rest)
            gain = flips(own, opponent, square, size)
            if occupied(gain):
                disc = single(own, square)
                value = -_value_of_two(
                    opponent & ~gain, own | gain | disc, empties & ~disc, 1 - beta, size, bonus
                )
                best = max(best, value)
    return best


@compiled
def value_of_few(
    own: Bits, opponent: Bits, empties: Bits, odd: Bits, beta: int, size: int, bonus: bool
) -> Integer:
    """Do the same as `deep` for a position with up to FEW empty squares."""
    left = count(empties)
    if left == 3:
        best = _best_of_three(own, opponent, empties, odd, beta, size, bonus)
        if best > _NONE:
            return best
        worst = _best_of_three(opponent, own, empties, odd, 1 - beta, size, bonus)
        return -worst if worst > _NONE else final_value(own, opponent, size, bonus)
    if left == 2:
        return _value_of_two(own, opponent, empties, beta, size, bonus)
    if left == 1:
        return _value_of_one(own, opponent, lowest(empties), size, bonus)
    return final_value(own, opponent, size, bonus)


# Sets of squares: stable discs, odd quarters, neighbours.
_FIRST = mask_rows(lambda size, row, column: column == 0)
_LAST = mask_rows(lambda size, row, column: column == size - 1)
_ENDS = mask_rows(lambda size, row, column: row in (0, size - 1))


@compiled
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


@compiled
def most(own: Bits, opponent: Bits, beta: int, size: int) -> Integer:
    """Return an upper bound of the value for `own`, from the opponent's stable discs."""
    cells = size * size
    if cells - 2 * count(opponent) >= beta:
        return cells
    return cells - 2 * count(stable(opponent, own, size))


def _quadrant(bottom: bool, right: bool) -> NDArray[np.uint64]:
    return mask_rows(lambda size, row, column: (row >= size // 2, column >= size // 2) == (bottom, right))


# The quarters of the board, [17, 4, 4]. A move to a quarter with an odd number of empties is often good.
QUADRANTS = np.stack([_quadrant(bottom, right) for bottom in (False, True) for right in (False, True)], 1)


def _quadrants_of_squares() -> NDArray[np.uint64]:
    """Return a table, [17, 256, 4], of the quarter that contains each square."""
    table = np.zeros((17, 256, 4), np.uint64)
    for size in SIZES:
        for square in range(size * size):
            row, column = divmod(square, size)
            table[size, square] = QUADRANTS[size, 2 * (row >= size // 2) + (column >= size // 2)]
    return table


_QUADRANT_OF = _quadrants_of_squares()


@compiled
def odd_without(odd: Bits, square: int, size: int) -> Bits:
    """Return the odd quarters after a move to `square`, where `odd` are the odd quarters before the move."""
    quadrant = from_row(odd, _QUADRANT_OF[size, square])
    return (odd | quadrant) & ~(odd & quadrant)


@compiled
def odd_quadrants(empties: Bits, size: int) -> Bits:
    """Return all squares of the quarters with an odd number of empty squares."""
    odd = empties & ~empties
    for quadrant in range(4):
        squares = from_row(empties, QUADRANTS[size, quadrant])
        if count(empties & squares) & 1:
            odd = odd | squares
    return odd
