"""The exact search for few empty squares, as compiled functions, with neither a table nor a network.

Values are numbers of discs, for the side to move. The sort key of a move is called the look of the move. A
search tries the moves with a higher look first.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.kernels.bitboard import BOARD, CORNERS, after, flips, legal_moves, mask_rows
from othello_lab.game.kernels.bits import (
    Bits,
    Integer,
    count,
    from_row,
    lowest,
    occupied,
    single,
    without_lowest,
)
from othello_lab.game.kernels.jit import compiled, compiled_helper
from othello_lab.game.notation import PASS, SIZES

INFINITY = 1 << 12
FIRST = 2_000_000_000  # The look of the best move from the table, which is larger than all other looks.
_NONE = -(1 << 20)  # The sentinel for the value of an illegal move.
FEW = 3  # The maximum number of empty squares for a search without a move list. Four would be slower.
_SORTED = 7  # The minimum number of empty squares for move ordering by the opponent's replies.
# The state of a search. Compiled code passes a state by reference, so a recursion makes no copies.
STATE = np.dtype(
    [
        ("size", np.int64),
        # Whether empty squares at the end count for the winner.
        ("bonus", np.bool_),
        # The number of visited positions.
        ("nodes", np.int64),
        # The look and the square of each move, for each number of empty squares.
        ("moves", np.int32, (257, 256, 2)),
    ],
    align=True,
)
State = Any  # An item of STATE. Compiled code reads its fields as attributes.


@compiled
def shallow(own: Bits, opponent: Bits, beta: int, state: State) -> Integer:
    """Run a null-window search. Return a lower bound of at least `beta`, or an upper bound below `beta`."""
    size = state.size
    empties = from_row(own, BOARD[size]) & ~(own | opponent)
    odd, left = odd_quadrants(empties, size), count(empties)
    if left < _SORTED:
        return _unsorted(own, opponent, empties, odd, beta, state)
    state.nodes += 1
    moves = state.moves[left]
    end = list_by_replies(
        own, opponent, legal_moves(own, opponent, size), odd, 1, PASS, size, moves
    )  # PASS means no hint
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


@compiled_helper
def _unsorted(own: Bits, opponent: Bits, empties: Bits, odd: Bits, beta: int, state: State) -> Integer:
    """Do the same as `shallow` for fewer than _SORTED empty squares, with moves in odd quadrants first."""
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


@compiled_helper
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
    """Write the moves `rest` and their looks into `moves` [n, 2], and return the number of moves.

    A look is high if the opponent has few replies. `bonus` is added to the look of a square in `preferred`.
    The move `hint` has the highest look.
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


@compiled_helper
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


@compiled_helper
def final_value(own: Bits, opponent: Bits, size: int, bonus: bool) -> Integer:
    """Return the value of a finished game for `own`. With `bonus`, empty squares count for the winner."""
    mine, theirs = count(own), count(opponent)
    if not bonus or mine == theirs:
        return mine - theirs
    return size * size - 2 * theirs if mine > theirs else 2 * mine - size * size


@compiled_helper
def _value_of_one(own: Bits, opponent: Bits, square: int, size: int, bonus: bool) -> Integer:
    """Return the value of a position whose only empty square is `square`."""
    # Both numbers are always computed, because a branch would often be mispredicted.
    gain, loss = count(flips(own, opponent, square, size)), count(flips(opponent, own, square, size))
    difference = 2 * count(own) - size * size + 1  # all squares but one are occupied
    nobody = difference
    if bonus:
        nobody += 1 if difference > 0 else -1
    otherwise = difference - 2 * loss - 1 if loss > 0 else nobody
    return difference + 2 * gain + 1 if gain > 0 else otherwise


@compiled_helper
def _first_then(own: Bits, opponent: Bits, first: int, second: int, size: int, bonus: bool) -> Integer:
    """Return the value of the move `first`, after which only `second` is empty. An illegal move has _NONE."""
    gain = flips(own, opponent, first, size)
    if not occupied(gain):
        return _NONE
    return -_value_of_one(opponent & ~gain, own | gain | single(own, first), second, size, bonus)


@compiled_helper
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


@compiled_helper
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


@compiled_helper
def value_of_few(
    own: Bits, opponent: Bits, empties: Bits, odd: Bits, beta: int, size: int, bonus: bool
) -> Integer:
    """Run the null-window search of `shallow` for at most FEW empty squares. Return a bound."""
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


def _quadrant(bottom: bool, right: bool) -> NDArray[np.uint64]:
    return mask_rows(lambda size, row, column: (row >= size // 2, column >= size // 2) == (bottom, right))


# The quadrants of the board, [17, 4, 4]. A move to a quadrant with an odd number of empties is often good.
QUADRANTS = np.stack([_quadrant(bottom, right) for bottom in (False, True) for right in (False, True)], 1)


def _quadrants_of_squares() -> NDArray[np.uint64]:
    """Return a table, [17, 256, 4], of the quadrant that contains each square."""
    table = np.zeros((17, 256, 4), np.uint64)
    for size in SIZES:
        for square in range(size * size):
            row, column = divmod(square, size)
            table[size, square] = QUADRANTS[size, 2 * (row >= size // 2) + (column >= size // 2)]
    return table


_QUADRANT_OF = _quadrants_of_squares()


@compiled_helper
def odd_without(odd: Bits, square: int, size: int) -> Bits:
    """Return the odd quadrants after a move to `square`. `odd` are the odd quadrants before the move."""
    quadrant = from_row(odd, _QUADRANT_OF[size, square])
    return (odd | quadrant) & ~(odd & quadrant)


@compiled_helper
def odd_quadrants(empties: Bits, size: int) -> Bits:
    """Return all squares of the quadrants with an odd number of empty squares."""
    odd = empties & ~empties
    for quadrant in range(4):
        squares = from_row(empties, QUADRANTS[size, quadrant])
        if count(empties & squares) & 1:
            odd = odd | squares
    return odd
