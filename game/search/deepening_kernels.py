"""The search of the player `search`, compiled: principal variation search with a transposition table.

A pass is a ply. A finished game counts as in the textbook searches, but a larger win is better. An evaluation
may have predictions of deep searches, from the evaluation itself and from shallow searches. A branch is cut
if a deep search there is unlikely to change the result (Buro 1995, "ProbCut: An Effective Selective Extension
of the Alpha-Beta Algorithm"; two predictions for each depth: Buro 1997, "Experiments with Multi-ProbCut").

The look of a move is a number that orders the moves: a search first tries moves with a higher look.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.evaluators.evaluator import PARAMETERS, evaluate, finished
from othello_lab.game.evaluators.patterns import (
    MOST_INSTANCES,
    find,
    find_after,
    sum_of,
    total,
    unbounded,
)
from othello_lab.game.evaluators.probcut import PREDICTION, shallow
from othello_lab.game.kernels.bitboard import CORNERS, after, flips, is_over, legal_moves, played
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
from othello_lab.game.kernels.jit import array_at, compiled, scratch
from othello_lab.game.search.textbook import DEEPEST
from othello_lab.game.solver.solver_kernels import take_best
from othello_lab.game.solver.table import NOTHING, Table, known, store
from othello_lab.game.values import WON

STATE = np.dtype(
    [
        ("size", np.int64),
        ("parameters", PARAMETERS),
        # The number of positions visited, and its limit.
        ("nodes", np.int64),
        ("limit", np.int64),
        # Whether another thread has interrupted the search, or the limit is reached.
        ("stop", np.bool_),
        # The predictions of searches of each depth; a slope of 0 cuts nothing.
        ("predictions", PREDICTION, (DEEPEST + 1, 2)),
        # The last move that refuted a position with this many plies remaining.
        ("refutations", np.int64, DEEPEST + 1),
        # The evaluation of the positions after the moves there, by the square.
        ("looks", np.float64, (DEEPEST + 1, 256)),
        # The moves to try if this many plies remain: the look and the square of each.
        ("moves", np.int32, (DEEPEST + 1, 256, 2)),
    ],
    align=True,
)
"""The state of a search. An item is passed as a pointer, so it costs nothing in a recursion."""
# An item of STATE: compiled code reads and writes its fields as attributes.
State = Any
THRESHOLDS = (1.5, 1.2)
"""The standard errors by which a prediction must lie outside the window to cut: by evaluation, by search."""
UNKNOWN = 1e30
"""The evaluation of a position that was not evaluated."""
_BY_VALUE = 3
"""The least depth in plies at which the evaluation orders the moves. Below, this costs more than it saves."""
_FIRST = 2_000_000_000
"""The look of the best move in the table: larger than all other looks."""
_MOST = 1e6
_UNIT = 1000.0
_REPLY = 20
"""Each reply lowers the look of a move by this many thousandths of a unit of the evaluation."""
_REFUTATION = 5
"""The number added to the look of a move that refuted another position; a reply counts 2."""
NO_QUESTION = 1e6
"""A number larger than any value of an evaluation that has predictions."""
SURE = -NO_QUESTION


@compiled
def search_moves(
    own: Bits, opponent: Bits, depth: int, choices: NDArray[np.int64], state: State, table: Table
) -> tuple[float, Integer]:
    """Return the value of the best move in `choices`, by a search of `depth` plies, and this move.

    The moves (or only PASS) are tried in their order. The first of equal moves is returned. An interrupted
    search returns the best move whose search was complete, or NOTHING if there is none.
    """
    best, best_move = -np.inf, NOTHING
    for move in choices:
        mine, theirs = played(own, opponent, move, state.size)
        value = _scout(mine, theirs, depth - 1, best, np.inf, state, table)
        if state.stop:
            break
        if value > best:
            best, best_move = value, move
    if not state.stop:
        store(table, own, opponent, best, best, depth, best_move, state.nodes)
    return in_its_unit(best, state), best_move


@compiled
def _scout(
    own: Bits, opponent: Bits, depth: int, best: float, beta: float, state: State, table: Table
) -> float:
    """Return the value of a position for the side that has just moved; up to `best` it is an upper bound.

    The first search has an empty window: it only finds out whether the move is better than `best`.
    """
    if best > -np.inf:
        value = -search(own, opponent, depth, -np.nextafter(best, np.inf), -best, UNKNOWN, state, table)
        if not best < value < beta:
            return value
    return -search(own, opponent, depth, -beta, -best, UNKNOWN, state, table)


@compiled
def search(  # noqa: C901  numba wants a recursion to be one function
    own: Bits,
    opponent: Bits,
    depth: int,
    alpha: float,
    beta: float,
    looks: float,
    state: State,
    table: Table,
) -> float:
    """Return the value of a position by a fail-soft search of `depth` plies; meaningless if interrupted.

    `looks` is the evaluation of the position, or UNKNOWN.
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
    end = list_moves(own, opponent, moves, hint, depth, state)
    best, best_move = -np.inf, NOTHING
    for index in range(end):
        move = take_best(state.moves[depth], index, end)
        mine, theirs = after(own, opponent, move, state.size)
        look = state.looks[depth, move]
        bar = max(alpha, best)
        # The code of _scout. A call of _scout is not possible: numba wants a recursion to be one function.
        floor = -beta if index == 0 else -np.nextafter(bar, np.inf)
        value = -search(theirs, mine, depth - 1, floor, -bar, look, state, table)
        if index > 0 and bar < value < beta:
            value = -search(theirs, mine, depth - 1, -beta, -bar, look, state, table)
        if value > best:
            best, best_move = value, move
        if best >= beta:
            state.refutations[depth] = move
            break
    lower, upper = (best if best > alpha else lower), (best if best < beta else upper)
    if not state.stop:
        store(table, own, opponent, lower, upper, depth, best_move, state.nodes - started)
    return best


@compiled
def search_all(
    kind: Bits, own: Rows, opponent: Rows, depth: int, state: State, table: Table, values: NDArray[np.float64]
) -> None:
    """Write the value of each position into `values`, [n]."""
    for i in range(len(values)):
        mine, theirs = nth_row(kind, own, i), nth_row(kind, opponent, i)
        values[i] = search(mine, theirs, depth, -np.inf, np.inf, UNKNOWN, state, table)


@compiled
def _visit(state: State) -> None:
    """Count a position; stop the search if the count reaches the limit."""
    state.nodes += 1
    if state.nodes >= state.limit:
        state.stop = True


@compiled
def _question(
    own: Bits, opponent: Bits, depth: int, alpha: float, beta: float, looks: float, state: State
) -> tuple[float, bool]:
    """Return the bound of a shallow search, and True if at least the bound cuts, False if a lower value cuts.

    The bound NO_QUESTION means no shallow search. SURE means that the evaluation alone is enough to cut. Only
    an empty window is cut, and only if neither the shallow nor the deep search reaches the end of the game.
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
    # A shallow search that would probably not cut is a waste of time.
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
    """Return two bounds of the shallow value.

    Up to the first, the deep value is unlikely to be above `alpha`. From the second on, it is unlikely to be
    below `beta`.
    """
    margin = threshold * math.exp(prediction.log_error + prediction.log_error_each * empties)
    slope = prediction.slope + prediction.slope_each * empties
    return (alpha - margin - prediction.offset) / slope, (beta + margin - prediction.offset) / slope


# The last two plies: the values of positions, and the order of moves. The value of an n-tuple network here is
# its sum, without the hyperbolic tangent: the order is the same, and predictions are linear. The
# configurations after a move are computed from the configurations before it.


@compiled
def result(own: Bits, opponent: Bits) -> float:
    """Return the value of a finished game for the side to move."""
    return finished(own, opponent) + float(count(own) - count(opponent))


@compiled
def leaf(own: Bits, opponent: Bits, state: State) -> float:
    """Return the value of a position without a search."""
    state.nodes += 1
    return result(own, opponent) if is_over(own, opponent, state.size) else judged(own, opponent, state)


@compiled
def judged(own: Bits, opponent: Bits, state: State) -> float:
    """Return the evaluation of an unfinished position; of an n-tuple network, its sum."""
    network = state.parameters.network
    if network.instances > 0:
        return unbounded(own, opponent, state.size, network)
    return evaluate(own, opponent, state.size, state.parameters)


@compiled
def in_its_unit(value: float, state: State) -> float:
    """Convert a value of the search to the unit of the evaluation; a won or lost value does not change."""
    is_sum = state.parameters.network.instances > 0 and abs(value) < WON / 2
    return math.tanh(value) if is_sum else value


@compiled
def best_leaf(own: Bits, opponent: Bits, moves: Bits, beta: float, state: State) -> float:
    """Return the value of a position with legal moves by a search of one ply.

    A value from `beta` on is a lower bound. The move that refuted another position is tried first.
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
    """Return the value of the position after a move for the other side, and that side's number of moves.

    `before` has the configurations before the move from the view of the other side, by `find`.
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
    configurations = array_at(scratch(), MOST_INSTANCES, np.uint16)
    find_after(before, square, gain, network, configurations)
    return sum_of(configurations, theirs, mine, moves, replies, size, network), count(moves)


@compiled
def list_moves(own: Bits, opponent: Bits, moves: Bits, hint: Integer, depth: int, state: State) -> Integer:
    """Write the moves and their looks into `state.moves[depth]`, and return the number of moves.

    `hint` has the highest look. The evaluation after each move is written into `state.looks[depth]`.
    """
    if depth >= _BY_VALUE:
        return _list_by_value(own, opponent, moves, hint, depth, state)
    return _list_by_replies(own, opponent, moves, hint, depth, state)


@compiled
def _list_by_value(
    own: Bits, opponent: Bits, moves: Bits, hint: Integer, depth: int, state: State
) -> Integer:
    """Do the same as `list_moves`; looks are from the evaluation after a move and the number of replies."""
    before = array_at(scratch(), MOST_INSTANCES, np.uint16)
    find(opponent, own, state.parameters.network, before)
    listed, end = state.moves[depth], 0
    while occupied(moves):
        square = lowest(moves)
        moves = without_lowest(moves)
        value, replies = _child(own, opponent, square, before, state)
        state.looks[depth, square] = value
        look = -np.int64(_UNIT * max(-_MOST, min(_MOST, value))) - _REPLY * replies
        listed[end, 0], listed[end, 1] = _FIRST if square == hint else look, square
        end += 1
    return end


@compiled
def _list_by_replies(
    own: Bits, opponent: Bits, moves: Bits, hint: Integer, depth: int, state: State
) -> Integer:
    """Do the same as `list_moves`. Looks are from the replies (corners count twice) and the refutations."""
    size, listed, end = state.size, state.moves[depth], 0
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
        listed[end, 0], listed[end, 1] = _FIRST if square == hint else look, square
        end += 1
    return end
