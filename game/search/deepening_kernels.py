"""The search of the player `search`, compiled: principal variation search with a transposition table.

A pass is a ply. A finished game counts as in the textbook searches, and among wins the larger is better.
Where the evaluation says how well shallow searches with it predict deep ones, a branch is cut when a shallow
search makes it unlikely that the deep one would matter (Buro 1995, "ProbCut: An Effective Selective Extension
of the Alpha-Beta Algorithm"; a pair of depths for each depth: Buro 1997, "Experiments with Multi-ProbCut").
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.evaluators.evaluator import PARAMETERS, evaluate, finished
from othello_lab.game.evaluators.probcut import PREDICTION, shallow
from othello_lab.game.kernels.bitboard import after, legal_moves
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.kernels.words import Integer, Words, count, lowest, occupied, without_lowest
from othello_lab.game.notation import PASS
from othello_lab.game.solver.moves import list_moves, take_best
from othello_lab.game.solver.table import NOTHING, Table, known, store

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
        # How searches of each depth are predicted; a slope of 0 cuts nothing.
        ("predictions", PREDICTION, DEEPEST + 1),
        # The moves to try where this many plies remain: how good each looks and its square.
        ("moves", np.int32, (DEEPEST + 1, 256, 2)),
    ],
    align=True,
)
"""What a search shares with itself. One item is passed as a pointer: a recursion carries it for free."""
# An item of STATE: compiled code reads and writes its fields as attributes.
State = Any
THRESHOLD = 1.5
"""How many standard errors beyond the window a prediction must lie to cut."""
NO_QUESTION = 2.0
"""No value of an evaluation that has predictions."""


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
    _keep(own, opponent, best, best, depth, best_move, 0, state, table)
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
    if depth == 0 or state.stop:
        return _leaf(own, opponent, state)
    _visit(state)
    moves = legal_moves(own, opponent, state.size)
    if not occupied(moves):
        passes = occupied(legal_moves(opponent, own, state.size))
        return (
            -search(opponent, own, depth - 1, -beta, -alpha, state, table)
            if passes
            else result(own, opponent)
        )
    if depth == 1:
        return _best_leaf(own, opponent, moves, beta, state)
    started = state.nodes
    lower, upper, hint = known(table, own, opponent, depth, np.inf)
    if lower >= beta or upper <= alpha or lower == upper:
        return float(upper if upper <= alpha else lower)
    question, hopeful = _question(own, opponent, depth, alpha, beta, state)
    below, less = np.nextafter(question, -np.inf), shallow(depth)
    if question < NO_QUESTION and hopeful == (
        search(own, opponent, less, below, question, state, table) >= question
    ):
        return beta if hopeful else alpha
    listed = state.moves[depth]
    found = list_moves(own, opponent, hint, state.size, listed)
    best, best_move = -np.inf, NOTHING
    for index in range(found):
        move = take_best(listed, index, found)
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
    _keep(own, opponent, lower, upper, depth, best_move, started, state, table)
    return best


@compiled
def _visit(state: State) -> None:
    """Count a position, and stop when they are enough."""
    state.nodes += 1
    if state.nodes >= state.limit:
        state.stop = True


@compiled
def _keep(
    own: Words,
    opponent: Words,
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
    own: Words, opponent: Words, depth: int, alpha: float, beta: float, state: State
) -> tuple[float, bool]:
    """Return what to ask a shallow search, NO_QUESTION for nothing, and whether "at least this much" cuts.

    Else "less than that" does: of the two it asks the one that the position itself looks like. Only a window
    that holds no value is cut, and only where neither it nor the deep search reaches the end of the game.
    """
    prediction = state.predictions[depth]
    empties = state.size * state.size - count(own | opponent)
    if prediction.slope <= 0.0 or empties <= depth:
        return NO_QUESTION, False
    if alpha <= -1.0 or beta >= 1.0 or beta > np.nextafter(alpha, np.inf):
        return NO_QUESTION, False
    hopeful = evaluate(own, opponent, state.size, state.parameters) >= beta
    margin = THRESHOLD * math.exp(prediction.log_error + prediction.log_error_each * empties)
    wanted = math.atanh(beta) + (margin if hopeful else -margin) - prediction.offset
    slope = prediction.slope + prediction.slope_each * empties
    return math.tanh(wanted / slope), hopeful


@compiled
def _best_leaf(own: Words, opponent: Words, moves: Words, beta: float, state: State) -> float:
    """Return the value of a position that has moves one ply deep; one from `beta` on may be too low."""
    best = -np.inf
    while occupied(moves) and best < beta:
        mine, theirs = after(own, opponent, lowest(moves), state.size)
        moves = without_lowest(moves)
        best = max(best, -_leaf(theirs, mine, state))
    return best


@compiled
def _leaf(own: Words, opponent: Words, state: State) -> float:
    """Return how good a position is for its side to move, without looking further."""
    state.nodes += 1
    size = state.size
    if occupied(legal_moves(own, opponent, size)) or occupied(legal_moves(opponent, own, size)):
        return evaluate(own, opponent, size, state.parameters)
    return result(own, opponent)
