"""The last two plies of `deepening_kernels.py`: what positions are worth, and moves in the order to try them.

There an n-tuple network counts as its sum, whose hyperbolic tangent is its value: the order is the same, and
predictions are straight lines. What a network sees after a move follows from what it saw before it.
"""

import math
from typing import Any

import numpy as np

from othello_lab.game.evaluators.evaluator import evaluate, finished
from othello_lab.game.evaluators.pattern_kernels import (
    MOST_INSTANCES,
    find,
    find_after,
    sum_of,
    total,
    unbounded,
)
from othello_lab.game.kernels.bitboard import CORNERS, after, flips, legal_moves
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
from othello_lab.game.kernels.jit import array_at, compiled, scratch
from othello_lab.game.values import WON

# An item of `deepening_kernels.STATE`.
State = Any
UNKNOWN = 1e30
"""What the evaluation says of a position where nobody has asked it."""
_BY_VALUE = 3
"""From this many plies on the moves are ordered by the evaluation; below, that costs more than it saves."""
_FIRST = 2_000_000_000
"""How good the move of the table looks: better than any other."""
_MOST = 1e6
_UNIT = 1000.0
_REPLY = 20
"""Each reply costs a move's look so many thousandths of a unit of the evaluation."""
_REFUTATION = 5
"""Below, the move that refuted another position looks better by half as many replies."""


@compiled
def result(own: Bits, opponent: Bits) -> float:
    """Return what a finished game is worth to the side to move."""
    return finished(own, opponent) + float(count(own) - count(opponent))


@compiled
def leaf(own: Bits, opponent: Bits, state: State) -> float:
    """Return how good a position is for its side to move, without looking further."""
    state.nodes += 1
    size = state.size
    if occupied(legal_moves(own, opponent, size)) or occupied(legal_moves(opponent, own, size)):
        return judged(own, opponent, state)
    return result(own, opponent)


@compiled
def judged(own: Bits, opponent: Bits, state: State) -> float:
    """Return what the evaluation says of a position that is not finished."""
    network = state.parameters.network
    if network.instances > 0:
        return unbounded(own, opponent, state.size, network)
    return evaluate(own, opponent, state.size, state.parameters)


@compiled
def in_its_unit(value: float, state: State) -> float:
    """Return a value of the search in the unit of the evaluation; a result of the game stays what it is."""
    is_sum = state.parameters.network.instances > 0 and abs(value) < WON / 2
    return math.tanh(value) if is_sum else value


@compiled
def best_leaf(own: Bits, opponent: Bits, moves: Bits, beta: float, state: State) -> float:
    """Return the value of a position that has moves one ply deep; one from `beta` on may be too low.

    The move that refuted another position comes first.
    """
    best = -np.inf
    before = array_at(scratch(), MOST_INSTANCES, np.uint16)
    find(opponent, own, state.parameters.network, before)
    square = state.refutations[1]
    if not occupied(moves & single(own, square)):
        square = lowest(moves)
    while True:
        value, _ = _child(own, opponent, square, before, state)
        best = max(best, -value)
        moves = moves & ~single(own, square)
        if best >= beta or not occupied(moves):
            break
        square = lowest(moves)
    if best >= beta:
        state.refutations[1] = square
    return best


@compiled
def _child(
    own: Bits,
    opponent: Bits,
    square: Integer,
    before: Any,  # noqa: ANN401  numba's array
    state: State,
) -> tuple[float, Integer]:
    """Return what the position after a move is worth to the other side, and how many moves it has there.

    `before` is what the other side's network sees now, of `find`.
    """
    state.nodes += 1
    size, network = state.size, state.parameters.network
    gain = flips(own, opponent, square, size)
    mine, theirs = own | gain | single(own, square), opponent & ~gain
    moves, replies = legal_moves(theirs, mine, size), legal_moves(mine, theirs, size)
    if not occupied(moves) and not occupied(replies):
        return result(theirs, mine), 0
    if network.instances == 0:
        return evaluate(theirs, mine, size, state.parameters), count(moves)
    if not occupied(moves):
        return -total(mine, theirs, replies, size, network), 0
    found = array_at(scratch(), MOST_INSTANCES, np.uint16)
    find_after(before, square, gain, network, found)
    return sum_of(found, theirs, mine, moves, replies, size, network), count(moves)


@compiled
def list_moves(own: Bits, opponent: Bits, moves: Bits, hint: Integer, depth: int, state: State) -> Integer:
    """Write the moves and how good they look into `state.moves[depth]`, and return how many there are.

    `hint` comes first. What the evaluation says after each goes into `state.looks[depth]`, by the square.
    """
    if depth >= _BY_VALUE:
        return _list_by_value(own, opponent, moves, hint, depth, state)
    return _list_by_replies(own, opponent, moves, hint, depth, state)


@compiled
def _list_by_value(
    own: Bits, opponent: Bits, moves: Bits, hint: Integer, depth: int, state: State
) -> Integer:
    """Order them by what the evaluation says after each, and by how many replies there are."""
    before = array_at(scratch(), MOST_INSTANCES, np.uint16)
    find(opponent, own, state.parameters.network, before)
    listed, found = state.moves[depth], 0
    while occupied(moves):
        square = lowest(moves)
        moves = without_lowest(moves)
        value, replies = _child(own, opponent, square, before, state)
        state.looks[depth, square] = value
        look = -np.int64(_UNIT * max(-_MOST, min(_MOST, value))) - _REPLY * replies
        listed[found, 0], listed[found, 1] = _FIRST if square == hint else look, square
        found += 1
    return found


@compiled
def _list_by_replies(
    own: Bits, opponent: Bits, moves: Bits, hint: Integer, depth: int, state: State
) -> Integer:
    """Order them by the number of replies, corners twice, and by what refuted another position."""
    size, listed, found = state.size, state.moves[depth], 0
    corners = from_row(own, CORNERS[size])
    while occupied(moves):
        square = lowest(moves)
        moves = without_lowest(moves)
        mine, theirs = after(own, opponent, square, size)
        replies = legal_moves(theirs, mine, size)
        look = -2 * (count(replies) + count(replies & corners))
        state.looks[depth, square] = UNKNOWN
        if square == state.refutations[depth]:
            look += _REFUTATION
        listed[found, 0], listed[found, 1] = _FIRST if square == hint else look, square
        found += 1
    return found
