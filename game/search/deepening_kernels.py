"""The search of the player `search`, compiled: principal variation search with a transposition table.

A pass is a ply. A finished game counts as in the textbook searches, and among wins the larger is better.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from game.evaluators.compiled import PARAMETERS, evaluate, finished
from game.kernels.bitboard import after, legal_moves
from game.kernels.jit import compiled
from game.kernels.words import Integer, Words, count, lowest, occupied, without_lowest
from game.notation import PASS
from game.solver.table import NOTHING, Table, bucket_of, find, key, store

DEEPEST = 60
"""A search of more plies has no room for its moves."""
STATE = np.dtype(
    [
        ("size", np.int64),
        ("parameters", PARAMETERS),
        # How many positions were visited.
        ("nodes", np.int64),
        # Whether another thread wants the search to stop.
        ("stop", np.bool_),
        # The moves to try where so many plies remain, and how good each looks.
        ("moves", np.int16, (DEEPEST + 1, 256)),
        ("looks", np.float64, (DEEPEST + 1, 256)),
    ],
    align=True,
)
"""What a search shares with itself. One item is passed as a pointer: a recursion carries it for free."""
# An item of STATE: compiled code reads and writes its fields as attributes.
State = Any


@compiled
def result(own: Words, opponent: Words) -> float:
    """Return what a finished game is worth to the side to move."""
    return finished(own, opponent) + float(count(own) - count(opponent))


@compiled
def search_moves(
    own: Words, opponent: Words, depth: int, choices: NDArray[np.int64], state: State, table: Table
) -> tuple[float, Integer]:
    """Return the value of the best of `choices`, searched `depth` plies deep, and that move.

    The moves (or the one PASS) are tried in their order, and the first of equals is kept. Of a search that
    was stopped it is the best of those that were searched to the end, NOTHING if none was.
    """
    best, best_move = -np.inf, NOTHING
    for move in choices:
        mine, theirs = own, opponent
        if move != PASS:
            mine, theirs = after(own, opponent, move, state.size)
        value = _scout(theirs, mine, depth - 1, best, np.inf, state, table)
        if state.stop:
            break
        if value > best:
            best, best_move = value, move
    if not state.stop:
        first, second = key(own, opponent)
        bucket = bucket_of(table, first, second)
        store(table, bucket, first, second, best, best, depth, best_move, state.nodes)
    return best, best_move


@compiled
def _scout(
    own: Words, opponent: Words, depth: int, best: float, beta: float, state: State, table: Table
) -> float:
    """Return what a position after a move is worth to who made it; up to `best` only an upper bound.

    First it asks, with a window that holds no value, whether the move is better at all.
    """
    if best > -np.inf:
        value = -search(own, opponent, depth, -np.nextafter(best, np.inf), -best, state, table)
        if not best < value < beta:
            return value
    return -search(own, opponent, depth, -beta, -best, state, table)


@compiled
def search(
    own: Words, opponent: Words, depth: int, alpha: float, beta: float, state: State, table: Table
) -> float:
    """Return the value of a position `depth` plies deep: fail-soft, nonsense once the order is to stop."""
    state.nodes += 1
    moves = legal_moves(own, opponent, state.size)
    if not occupied(moves) and not occupied(legal_moves(opponent, own, state.size)):
        return result(own, opponent)
    if depth == 0 or state.stop:
        return evaluate(own, opponent, state.size, state.parameters)
    if not occupied(moves):
        return -search(opponent, own, depth - 1, -beta, -alpha, state, table)
    started = state.nodes
    first, second = key(own, opponent)
    bucket = bucket_of(table, first, second)
    lower, upper, hint = _known(table, bucket, first, second, depth)
    if lower >= beta or upper <= alpha or lower == upper:
        return upper if upper <= alpha else lower
    found = _list_moves(own, opponent, moves, depth, hint, state)
    best, best_move = -np.inf, NOTHING
    for index in range(found):
        move = _take_best(state.moves[depth], state.looks[depth], index, found)
        mine, theirs = after(own, opponent, move, state.size)
        bar = max(alpha, best)
        # As in _scout, which cannot stand here: numba wants a recursion to be of one function.
        floor = -beta if index == 0 else -np.nextafter(bar, np.inf)
        value = -search(theirs, mine, depth - 1, floor, -bar, state, table)
        if index > 0 and bar < value < beta:
            value = -search(theirs, mine, depth - 1, -beta, -bar, state, table)
        if value > best:
            best, best_move = value, move
        if best >= beta:
            break
    lower, upper = (best if best > alpha else lower), (best if best < beta else upper)
    if not state.stop:
        work = state.nodes - started
        store(table, bucket, first, second, lower, upper, depth, best_move, work)
    return best


@compiled
def _known(
    table: Table, bucket: int, first: Integer, second: Integer, depth: int
) -> tuple[float, float, Integer]:
    """Return (lower bound, upper bound, best move) of a position; bounds of another depth are no bounds."""
    place = find(table, bucket, first, second)
    if place < 0:
        return -np.inf, np.inf, NOTHING
    entry = table[bucket, place]
    if entry.depth != depth:
        return -np.inf, np.inf, np.int64(entry.move)
    return entry.lower, entry.upper, np.int64(entry.move)


@compiled
def _list_moves(own: Words, opponent: Words, rest: Words, depth: int, hint: int, state: State) -> Integer:
    """Write the legal moves and how good they look where so many plies remain; return how many there are.

    How good is the evaluation after the move; where only one ply remains looking would be searching.
    """
    found = 0
    while occupied(rest):
        move = lowest(rest)
        rest = without_lowest(rest)
        state.moves[depth, found] = move
        state.looks[depth, found] = 0.0
        if move == hint:
            state.looks[depth, found] = np.inf
        elif depth > 1:
            mine, theirs = after(own, opponent, move, state.size)
            state.looks[depth, found] = -evaluate(theirs, mine, state.size, state.parameters)
        found += 1
    return found


@compiled
def _take_best(moves: NDArray[np.int16], looks: NDArray[np.float64], start: int, end: int) -> Integer:
    """Move the best-looking of moves[start:end] to `start` and return it."""
    best = start
    for index in range(start + 1, end):
        if looks[index] > looks[best]:
            best = index
    move = moves[best]
    moves[best], looks[best] = moves[start], looks[start]
    return move
