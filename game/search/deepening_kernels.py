"""The search of the player `search`, compiled: principal variation search with a transposition table.

A pass is a ply. A finished game counts as in the textbook searches, and among wins the larger is better.
Where the evaluation says how well it and shallow searches with it predict deep ones, a branch is cut when
they make it unlikely that the deep one would matter (Buro 1995, "ProbCut: An Effective Selective Extension
of the Alpha-Beta Algorithm"; two predictions for each depth: Buro 1997, "Experiments with Multi-ProbCut").
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.evaluators.evaluator import PARAMETERS
from othello_lab.game.evaluators.probcut import PREDICTION, shallow
from othello_lab.game.kernels.bitboard import after, legal_moves
from othello_lab.game.kernels.bits import Bits, Integer, Rows, count, nth_row, occupied
from othello_lab.game.kernels.jit import array_at, at_address, compiled
from othello_lab.game.notation import PASS
from othello_lab.game.search.leaf_kernels import (
    UNKNOWN,
    best_leaf,
    in_its_unit,
    judged,
    leaf,
    list_moves,
    result,
)
from othello_lab.game.solver.solver_kernels import take_best
from othello_lab.game.solver.table import NOTHING, Table, key, known, store

DEEPEST = 60
"""A search of more plies has no room for its moves."""
STATE = np.dtype(
    [
        ("size", np.int64),
        ("parameters", PARAMETERS),
        # How many positions were visited.
        ("nodes", np.int64),
        # From how many on it stops.
        ("limit", np.int64),
        # Whether another thread wants the search to stop, or the limit is reached.
        ("stop", np.bool_),
        # The address of the marks of `new_marks`, 0 for a thread alone.
        ("marks", np.int64),
        # How searches of each depth are predicted; a slope of 0 cuts nothing.
        ("predictions", PREDICTION, (DEEPEST + 1, 2)),
        # The last move that was enough where this many plies remained.
        ("refutations", np.int64, DEEPEST + 1),
        # What the evaluation says of the positions after the moves there, by the square.
        ("looks", np.float64, (DEEPEST + 1, 256)),
        # The moves to try where this many plies remain: how good each looks and its square.
        ("moves", np.int32, (DEEPEST + 1, 256, 2)),
    ],
    align=True,
)
"""What a search shares with itself. One item is passed as a pointer: a recursion carries it for free."""
# An item of STATE: compiled code reads and writes its fields as attributes.
State = Any
THRESHOLDS = (1.5, 1.2)
"""How many standard errors beyond the window a prediction must lie to cut: by the evaluation, by a search."""
NO_QUESTION = 1e6
"""No value of an evaluation that has predictions."""
SURE = -NO_QUESTION


@compiled
def search_moves(
    own: Bits, opponent: Bits, depth: int, choices: NDArray[np.int64], state: State, table: Table
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
    _keep(own, opponent, best, best, depth, best_move, 0, state, table)
    return in_its_unit(best, state), best_move


@compiled
def _scout(
    own: Bits, opponent: Bits, depth: int, best: float, beta: float, state: State, table: Table
) -> float:
    """Return what a position after a move is worth to who made it; up to `best` only an upper bound.

    First it asks, with a window that holds no value, whether the move is better at all.
    """
    if best > -np.inf:
        value = -search(own, opponent, depth, -np.nextafter(best, np.inf), -best, UNKNOWN, state, table)
        if not best < value < beta:
            return value
    return -search(own, opponent, depth, -beta, -best, UNKNOWN, state, table)


@compiled
def search(
    own: Bits,
    opponent: Bits,
    depth: int,
    alpha: float,
    beta: float,
    looks: float,
    state: State,
    table: Table,
) -> float:
    """Return the value of a position `depth` plies deep: fail-soft, nonsense once the order is to stop.

    `looks` is what the evaluation says of it, or UNKNOWN.
    """
    if depth == 0 or state.stop:
        return leaf(own, opponent, state)
    _visit(state)
    moves = legal_moves(own, opponent, state.size)
    if not occupied(moves):
        passes = occupied(legal_moves(opponent, own, state.size))
        return (
            -search(opponent, own, depth - 1, -beta, -alpha, -looks, state, table)
            if passes
            else result(own, opponent)
        )
    if depth == 1:
        return best_leaf(own, opponent, moves, beta, state)
    started = state.nodes
    lower, upper, hint = known(table, own, opponent, depth, np.inf)
    if lower >= beta or upper <= alpha or lower == upper:
        return float(upper if upper <= alpha else lower)
    question, hopeful = _question(own, opponent, depth, alpha, beta, looks, state)
    below, less = np.nextafter(question, -np.inf), shallow(depth)
    if question == SURE or (
        question < NO_QUESTION
        and hopeful == (search(own, opponent, less, below, question, looks, state, table) >= question)
    ):
        return beta if hopeful else alpha
    found = list_moves(own, opponent, moves, hint, depth, state)
    best, best_move = -np.inf, NOTHING
    for index in range(found):
        move, mine, theirs, mark = take_move(own, opponent, depth, index, found, state)
        look = state.looks[depth, move]
        bar = max(alpha, best)
        # As in _scout, which cannot stand here: numba wants a recursion to be of one function.
        floor = -beta if index == 0 else -np.nextafter(bar, np.inf)
        value = -search(theirs, mine, depth - 1, floor, -bar, look, state, table)
        if index > 0 and bar < value < beta:
            value = -search(theirs, mine, depth - 1, -beta, -bar, look, state, table)
        unmark(mark, state)
        if value > best:
            best, best_move = value, move
        if best >= beta:
            state.refutations[depth] = move
            break
    lower, upper = (best if best > alpha else lower), (best if best < beta else upper)
    _keep(own, opponent, lower, upper, depth, best_move, started, state, table)
    return best


@compiled
def search_all(
    kind: Bits,
    own: Rows,
    opponent: Rows,
    depth: int,
    state: State,
    table: Table,
    found: NDArray[np.float64],
) -> None:
    """Write the value of each position into `found`, [n]."""
    for i in range(len(found)):
        mine, theirs = nth_row(kind, own, i), nth_row(kind, opponent, i)
        found[i] = search(mine, theirs, depth, -np.inf, np.inf, UNKNOWN, state, table)


@compiled
def _visit(state: State) -> None:
    """Count a position, and stop when they are enough."""
    state.nodes += 1
    if state.nodes >= state.limit:
        state.stop = True


@compiled
def _keep(
    own: Bits,
    opponent: Bits,
    lower: float,
    upper: float,
    depth: int,
    move: Integer,
    started: int,
    state: State,
    table: Table,
) -> None:
    """Store what was learnt since there were `started` nodes, unless it was stopped."""
    if not state.stop:
        store(table, own, opponent, lower, upper, depth, move, state.nodes - started)


@compiled
def _question(
    own: Bits, opponent: Bits, depth: int, alpha: float, beta: float, looks: float, state: State
) -> tuple[float, bool]:
    """Return what to ask a shallow search, and whether "at least this much" cuts; else "less than that" does.

    NO_QUESTION is for nothing, SURE where what the evaluation says is enough to cut. Only a window that holds
    no value is cut, and only where neither it nor the deep search reaches the end of the game.
    """
    predictions = state.predictions[depth]
    empties = state.size * state.size - count(own | opponent)
    if predictions[0].slope <= 0.0 or empties <= depth:
        return NO_QUESTION, False
    if max(-alpha, beta) >= NO_QUESTION or beta > np.nextafter(alpha, np.inf):
        return NO_QUESTION, False
    if abs(looks) >= UNKNOWN:
        looks = judged(own, opponent, state)
    low, high = _bounds(predictions[0], THRESHOLDS[0], alpha, beta, empties)
    if not low < looks < high:
        return SURE, looks >= high
    if shallow(depth) == 0:
        return NO_QUESTION, False
    low, high = _bounds(predictions[1], THRESHOLDS[1], alpha, beta, empties)
    # A search that would probably not cut is not worth asking.
    if looks >= 0.25 * low + 0.75 * high:
        return high, True
    return (low, False) if looks <= 0.75 * low + 0.25 * high else (NO_QUESTION, False)


@compiled
def _bounds(
    prediction: Any,  # noqa: ANN401  an item of PREDICTION
    threshold: float,
    alpha: float,
    beta: float,
    empties: Integer,
) -> tuple[float, float]:
    """Return two values of the shallow search: up to the first the deep one is hardly above `alpha`, from the
    second on hardly below `beta`.
    """
    margin = threshold * math.exp(prediction.log_error + prediction.log_error_each * empties)
    slope = prediction.slope + prediction.slope_each * empties
    return (alpha - margin - prediction.offset) / slope, (beta + margin - prediction.offset) / slope


# Marks of the moves that threads are searching, so that others put them off.
# Kerrigan 2017, "Simplified ABDADA": the first move of a position is searched at once; another one that a
# thread is searching already comes after those that nobody searches, and by then its value is often in the
# table. The marks need no lock: one that is lost or left behind costs time alone.
PLACES = 1 << 12
SHARED = 4
"""From this many plies on moves are put off: below, looking costs more than it saves."""
PUT_OFF = -2_000_000_000
"""How good a move looks that was put off: worse than any other."""
_MIX = np.uint64(0x9E3779B97F4A7C15)


def new_marks() -> NDArray[np.uint64]:
    """Return the marks of a search, none of them set; `State.marks` is their address."""
    return np.zeros(PLACES, np.uint64)


@compiled
def take_move(
    own: Bits, opponent: Bits, depth: int, index: Integer, found: Integer, state: State
) -> tuple[Integer, Bits, Bits, Integer]:
    """Return the next move of `state.moves[depth]`, what it leaves the mover and the other, and its mark.

    The mark is set, and 0 where threads do not share.
    """
    listed = state.moves[depth]
    while True:
        move = take_best(listed, index, found)
        mine, theirs = after(own, opponent, move, state.size)
        if state.marks == 0 or depth < SHARED:
            return move, mine, theirs, np.uint64(0)
        mark, marks = _mark_of(theirs, mine, depth), _marks(state)
        place = mark % np.uint64(PLACES)
        if index == 0 or listed[index, 0] == PUT_OFF or marks[place] != mark:
            marks[place] = mark
            return move, mine, theirs, mark
        listed[index, 0] = PUT_OFF


@compiled
def unmark(mark: Integer, state: State) -> None:
    """Say that a move is no longer searched."""
    if mark:
        _marks(state)[mark % np.uint64(PLACES)] = np.uint64(0)


@compiled
def _mark_of(own: Bits, opponent: Bits, depth: int) -> Integer:
    """Return what stands for searching a position to this depth."""
    first, second = key(own, opponent)
    mixed = (first * _MIX ^ second) * _MIX + np.uint64(depth)
    return mixed ^ (mixed >> np.uint64(32))


@compiled
def _marks(state: State) -> Any:  # noqa: ANN401  numba's array
    return array_at(at_address(state.marks), PLACES, np.uint64)
