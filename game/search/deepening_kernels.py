"""The compiled search of the player `search`, a principal variation search with a transposition table.

In a finished game, a larger win has a larger value. ProbCut (Buro 1995) and Multi-ProbCut (Buro 1997) cut a
branch if a deep search will probably not change the result. The sort key of a move is called the look of the
move. A search tries the moves with a higher look first.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.evaluators.evaluator import PARAMETERS, PREDICTION, bounds, evaluate, finished, shallow
from othello_lab.game.evaluators.patterns import MOST_INSTANCES, find, find_after, sum_of, total, unbounded
from othello_lab.game.kernels.bitboard import after, flips, is_over, legal_moves, played
from othello_lab.game.kernels.bits import Bits, Integer, count, lowest, occupied, single, without_lowest
from othello_lab.game.kernels.jit import array_at, compiled, compiled_helper, scratch
from othello_lab.game.search.textbook import DEEPEST
from othello_lab.game.solver.few_empties import STATE as SOLVER
from othello_lab.game.solver.few_empties import list_by_replies, take_best
from othello_lab.game.solver.few_empties import shallow as solve
from othello_lab.game.solver.solver_kernels import SHALLOW
from othello_lab.game.solver.table import NOTHING, Table, known, store
from othello_lab.game.values import WON

# The state of a search. Compiled code passes a state by reference, so a recursion makes no copies.
STATE = np.dtype(
    [
        ("size", np.int64),
        ("parameters", PARAMETERS),
        # The number of visited positions, and its limit.
        ("nodes", np.int64),
        ("limit", np.int64),
        # Whether another thread has interrupted the search, or the limit is reached.
        ("stop", np.bool_),
        # The predictions of searches of each depth. With a slope of 0, nothing is cut.
        ("predictions", PREDICTION, (DEEPEST + 1, 2)),
        # The killer move, the last move that caused a cutoff, for each number of remaining plies.
        ("refutations", np.int64, DEEPEST + 1),
        # The state of the solver, which searches the last plies of a game exactly.
        ("solver", SOLVER),
        # The evaluation after each move, for each number of remaining plies.
        ("looks", np.float64, (DEEPEST + 1, 256)),
        # The look and the square of each move, for each number of remaining plies.
        ("moves", np.int32, (DEEPEST + 1, 256, 2)),
    ],
    align=True,
)
# An item of STATE. Compiled code reads and writes its fields as attributes.
State = Any
UNKNOWN = 1e30  # The sentinel for a position without an evaluation.
_BY_VALUE = 3  # The minimum depth in plies for move ordering by the evaluation.
_MOST, _MOST_MOVES = 1e6, 256
_UNIT = 1000.0
# The penalty on a look for each reply of the opponent, which equals 0.02 units of the evaluation.
_REPLY = 20
# The bonus on the look of a killer move. Each reply of the opponent subtracts 2.
_REFUTATION = 5
NO_QUESTION = 1e6  # The sentinel for no shallow search. Every possible bound is smaller.
SURE = -NO_QUESTION
_SOLVED_A_NODE = 4  # The number of positions of the solver that count as one node.


@compiled
def search_moves(
    own: Bits, opponent: Bits, depth: int, choices: NDArray[np.int64], state: State, table: Table
) -> tuple[float, Integer]:
    """Search `choices` to `depth` plies, and return (value of the best move, best move).

    If interrupted, return the best of the completely searched moves, or NOTHING without such a move.
    """
    best, best_move = -np.inf, NOTHING
    for move in choices:
        mine, theirs = played(own, opponent, move, state.size)
        value = np.inf
        if best > -np.inf:
            floor = -np.nextafter(best, np.inf)
            value = -search(mine, theirs, depth - 1, floor, -best, UNKNOWN, state, table)
        if value > best:
            value = -search(mine, theirs, depth - 1, -np.inf, -best, UNKNOWN, state, table)
        if state.stop:
            break
        if value > best:
            best, best_move = value, move
    if not state.stop:
        store(table, own, opponent, best, best, depth, best_move, state.nodes)
    is_sum = state.parameters.network.instances > 0 and abs(best) < WON / 2  # else the game is decided
    return (math.tanh(best) if is_sum else best), best_move


@compiled_helper
def search(  # noqa: C901  numba wants a recursion to be one function
    own: Bits, opponent: Bits, depth: int, alpha: float, beta: float, looks: float, state: State, table: Table
) -> float:
    """Return the value by a fail-soft search of `depth` plies. `looks` is the evaluation, or UNKNOWN.

    The result of an interrupted search is undefined.
    """
    state.nodes += 1
    if depth == 0 or state.stop:
        over = is_over(own, opponent, state.size)
        return result(own, opponent) if over else judged(own, opponent, state)
    if state.nodes >= state.limit:
        state.stop = True
    moves = legal_moves(own, opponent, state.size)
    if not occupied(moves):
        passes = occupied(legal_moves(opponent, own, state.size))
        return (
            -search(opponent, own, depth - 1, -beta, -alpha, -looks, state, table)
            if passes
            else result(own, opponent)
        )
    if state.size**2 - count(own | opponent) <= min(depth, SHALLOW) and beta <= np.nextafter(alpha, np.inf):
        return _solved(own, opponent, beta, state)
    if depth == 1:
        question, hopeful = _question(own, opponent, depth, alpha, beta, looks, state)
        if question == SURE:
            return beta if hopeful else alpha
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
    # The table's best move often causes a cutoff, so this move is searched before the other moves are sorted.
    first, end, listed = (0 if hint == NOTHING else -1), 0, state.moves[depth]
    best, best_move = -np.inf, NOTHING
    for index in range(first, _MOST_MOVES):
        move, look = hint, UNKNOWN
        if index >= 0:
            end = end if index > 0 else _list(own, opponent, moves, hint, depth, state)
            if index == end:
                break
            move = take_best(listed, index, end)
            look = state.looks[depth, move] if depth >= _BY_VALUE else UNKNOWN
        mine, theirs = after(own, opponent, move, state.size)
        bar = max(alpha, best)
        floor = -beta if index == first else -np.nextafter(bar, np.inf)
        value = -search(theirs, mine, depth - 1, floor, -bar, look, state, table)
        if index > first and bar < value < beta:
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


@compiled_helper
def _solved(own: Bits, opponent: Bits, beta: float, state: State) -> float:
    """Return a bound of the exact value, on the scale of `result`, for at most SHALLOW empty squares."""
    least = 1 if beta > 0 else 0  # a win reaches a `beta` that is an evaluation
    if abs(beta) > WON / 2:
        least = math.ceil(beta - math.copysign(WON, beta))
    before = state.solver.nodes
    value = solve(own, opponent, least, state.solver)
    state.nodes += (state.solver.nodes - before) // _SOLVED_A_NODE
    return float(WON * np.sign(value) + value)


@compiled_helper
def _question(
    own: Bits, opponent: Bits, depth: int, alpha: float, beta: float, looks: float, state: State
) -> tuple[float, bool]:
    """Return a bound for a shallow search, and a flag.

    If the flag is True, a shallow value of at least the bound cuts the branch. If the flag is False, a
    smaller shallow value cuts the branch. NO_QUESTION means no shallow search. SURE means that the evaluation
    alone cuts the branch.
    """
    predictions = state.predictions[depth]
    empties = state.size * state.size - count(own | opponent)
    if predictions[0].slope <= 0.0 or empties <= depth:
        return NO_QUESTION, False
    if max(-alpha, beta) >= NO_QUESTION or beta > np.nextafter(alpha, np.inf):
        return NO_QUESTION, False
    if abs(looks) >= UNKNOWN:
        looks = judged(own, opponent, state)
    low, high = bounds(predictions[0], alpha, beta, empties)
    if not low < looks < high:
        return SURE, looks >= high
    if shallow(depth) == 0:
        return NO_QUESTION, False
    low, high = bounds(predictions[1], alpha, beta, empties)
    # Skip a shallow search that will probably not cut the branch.
    if looks >= 0.25 * low + 0.75 * high:
        return high, True
    return (low, False) if looks <= 0.75 * low + 0.25 * high else (NO_QUESTION, False)


# The values of positions, and the order of moves. In this search, the value of an n-tuple network is its sum,
# without the hyperbolic tangent. The sum gives the same order of values, and makes predictions linear. The
# configurations after a move are computed from the configurations before the move.


@compiled_helper
def result(own: Bits, opponent: Bits) -> float:
    """Return the value of a finished game for the side to move."""
    return finished(own, opponent) + float(count(own) - count(opponent))


@compiled_helper
def judged(own: Bits, opponent: Bits, state: State) -> float:
    """Return the evaluation of an unfinished position. For an n-tuple network, return the network's sum."""
    network = state.parameters.network
    if network.instances > 0:
        return unbounded(own, opponent, state.size, network)
    return evaluate(own, opponent, state.size, state.parameters)


@compiled_helper
def best_leaf(own: Bits, opponent: Bits, moves: Bits, beta: float, state: State) -> float:
    """Return the value of a position by a search of one ply. A value of at least `beta` is a lower bound."""
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


@compiled_helper
def _child(
    own: Bits,
    opponent: Bits,
    square: Integer,
    before: Any,  # noqa: ANN401  numba's array
    state: State,
) -> tuple[float, Integer]:
    """Return the opponent's value after a move, and the number of the opponent's replies.

    `before` has the configurations before the move, from the opponent's view.
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


@compiled_helper
def _list(own: Bits, opponent: Bits, moves: Bits, hint: Integer, depth: int, state: State) -> Integer:
    """Write the moves without `hint` and their looks into `state.moves[depth]`, and return their number.

    From _BY_VALUE plies on, a look combines the evaluation after the move and the number of replies.
    """
    if hint != NOTHING:
        moves = moves & ~single(own, hint)
    listed, end = state.moves[depth], 0
    if depth < _BY_VALUE:
        refutation = single(own, state.refutations[depth])
        return list_by_replies(own, opponent, moves, refutation, _REFUTATION, NOTHING, state.size, listed)
    before = array_at(scratch(), MOST_INSTANCES, np.uint16)
    find(opponent, own, state.parameters.network, before)
    while occupied(moves):
        square = lowest(moves)
        moves = without_lowest(moves)
        value, replies = _child(own, opponent, square, before, state)
        state.looks[depth, square] = value
        listed[end, 0] = -np.int64(_UNIT * max(-_MOST, min(_MOST, value))) - _REPLY * replies
        listed[end, 1] = square
        end += 1
    return end
