"""The exact search as compiled kernels: negamax with null windows around the best line (PVS).

Values are whole discs from the view of the side to move; windows as in fail-soft alpha-beta. `bonus` gives
the empty squares to the winner. `control` counts nodes and carries another thread's order to stop.
"""

import numpy as np
from numpy.typing import NDArray

from game.bitboard import legal_moves
from game.compiled import compiled
from game.solver.last import final_value, value_of_one, value_of_two
from game.solver.masks import BOARD, CORNERS, QUADRANTS
from game.solver.rays import turned
from game.solver.table import NOTHING, Table, bucket_of, find, key, known, store
from game.words import Integer, Words, count, from_row, lowest, occupied, single, without_lowest

NODES, STOP = 0, 1
"""What the two numbers of `control` are, int64 [2]."""
INFINITY = 1 << 12
SHALLOW = 7
"""Up to so many empties a position is searched without table and without counting replies."""

Control = NDArray[np.int64]
Lists = NDArray[np.int64]
"""The sorted moves of each level, [empties, move, 2]: how good a move looks, its square."""


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
def shallow(
    own: Words, opponent: Words, alpha: int, beta: int, size: int, bonus: bool, control: Control
) -> Integer:
    """Return the value of a position with few empties, trying moves in odd quarters first."""
    control[NODES] += 1
    empties = from_row(own, BOARD[size]) & ~(own | opponent)
    left = count(empties)
    if left == 0:
        return final_value(own, opponent, size, bonus)
    if left == 1:
        return value_of_one(own, opponent, lowest(empties), size, bonus)
    if left == 2:
        return value_of_two(own, opponent, empties, beta, size, bonus)
    moves = legal_moves(own, opponent, size)
    if not occupied(moves):
        if not occupied(legal_moves(opponent, own, size)):
            return final_value(own, opponent, size, bonus)
        return -shallow(opponent, own, -beta, -alpha, size, bonus, control)
    odd = odd_quadrants(empties, size)
    best = -INFINITY
    for part in (moves & odd, moves & ~odd):
        rest = part
        while occupied(rest):
            square = lowest(rest)
            rest = without_lowest(rest)
            gain = turned(own, opponent, square, size)
            mine = own | gain | single(own, square)
            value = -shallow(opponent & ~gain, mine, -beta, -max(alpha, best), size, bonus, control)
            if value > best:
                best = value
                if best >= beta:
                    return best
    return best


@compiled
def list_moves(own: Words, opponent: Words, hint: int, size: int, moves: Lists) -> Integer:
    """Write the legal moves and how good they look into `moves` [n, 2], and return how many there are.

    Few replies for the opponent are good ("fastest first"), above all few corners; `hint` comes first.
    """
    rest = legal_moves(own, opponent, size)
    corners = from_row(own, CORNERS[size])
    odd = odd_quadrants(from_row(own, BOARD[size]) & ~(own | opponent), size)
    found = 0
    while occupied(rest):
        square = lowest(rest)
        rest = without_lowest(rest)
        disc = single(own, square)
        gain = turned(own, opponent, square, size)
        replies = legal_moves(opponent & ~gain, own | gain | disc, size)
        look = -4 * (count(replies) + count(replies & corners))
        if occupied(disc & corners):
            look += 2
        if occupied(disc & odd):
            look += 1
        moves[found, 0] = 1 << 20 if square == hint else look
        moves[found, 1] = square
        found += 1
    return found


@compiled
def take_best(moves: Lists, start: int, end: int) -> Integer:
    """Move the best-looking of moves[start:end] to `start` and return its square."""
    best = start
    for index in range(start + 1, end):
        if moves[index, 0] > moves[best, 0]:
            best = index
    square = moves[best, 1]
    moves[best, 0], moves[best, 1] = moves[start, 0], moves[start, 1]
    return square


@compiled
def deep(
    own: Words,
    opponent: Words,
    empties: int,
    alpha: int,
    beta: int,
    size: int,
    bonus: bool,
    table: Table,
    lists: Lists,
    control: Control,
) -> Integer:
    """Return the value of a position with `empties` empty squares; nonsense once `control` says stop."""
    if empties <= SHALLOW:
        return shallow(own, opponent, alpha, beta, size, bonus, control)
    control[NODES] += 1
    started = control[NODES]
    first, second = key(own, opponent)
    bucket = bucket_of(table, first, second)
    lower, upper, hint = known(table, bucket, first, second, INFINITY)
    if lower >= beta or upper <= alpha or lower == upper:
        return lower if lower >= beta else upper
    moves = lists[empties]
    found = list_moves(own, opponent, hint, size, moves)
    if found == 0:
        if not occupied(legal_moves(opponent, own, size)):
            return final_value(own, opponent, size, bonus)
        return -deep(opponent, own, empties, -beta, -alpha, size, bonus, table, lists, control)
    best, best_move, bar = -INFINITY, NOTHING, alpha
    for index in range(found):
        square = take_best(moves, index, found)
        gain = turned(own, opponent, square, size)
        mine, theirs = own | gain | single(own, square), opponent & ~gain
        # After the first move the others only have to prove that they are no better.
        floor = -beta if index == 0 else -bar - 1
        value = -deep(theirs, mine, empties - 1, floor, -bar, size, bonus, table, lists, control)
        if -floor <= value < beta:
            value = -deep(theirs, mine, empties - 1, -beta, -bar, size, bonus, table, lists, control)
        if control[STOP]:
            return 0
        if value > best:
            best, best_move = value, square
            bar = max(bar, best)
        if best >= beta:
            break
    lower, upper = (best if best > alpha else lower), (best if best < beta else upper)
    store(table, bucket, first, second, lower, upper, empties, best_move, control[NODES] - started)
    return best


@compiled
def remembered_move(table: Table, own: Words, opponent: Words) -> Integer:
    """Return the best move that the table knows for a position, NOTHING for none."""
    first, second = key(own, opponent)
    bucket = bucket_of(table, first, second)
    place = find(table, bucket, first, second)
    return np.int64(table[bucket, place].move) if place >= 0 else NOTHING
