"""Search trees in arrays, and the compiled Monte-Carlo tree search of the player `mcts`.

With playouts the algorithm is UCT (Kocsis and Szepesvari 2006, "Bandit based Monte-Carlo Planning"). With an
evaluator the algorithm is PUCT (Silver et al. 2017, "Mastering the game of Go without human knowledge"). A
solver gives the results of leaves near the end. `gumbel.py` uses the same trees.

A node of a tree is a position after a move, and node 0 is the root. Values and bounds are for the side to
move in the position, from -1 (lost) to 1 (won). The children of a node are consecutive. A forced pass is also
a child. Positions are not stored, because a search replays the moves on the path to a node.
"""

import math
from typing import Any

import numpy as np

from othello_lab.game.batch import random_game
from othello_lab.game.evaluators.evaluator import PARAMETERS, CompiledEvaluator, evaluate
from othello_lab.game.evaluators.weights import SquareEvaluator, published_weights
from othello_lab.game.kernels.bitboard import is_over, legal_moves, played
from othello_lab.game.kernels.bits import Bits, Integer, count, lowest, occupied, without_lowest
from othello_lab.game.kernels.jit import compiled, compiled_helper
from othello_lab.game.luck import random_word
from othello_lab.game.notation import PASS
from othello_lab.game.solver.few_empties import State as Solver
from othello_lab.game.solver.few_empties import shallow

# The record of a node. `visits` is the number of simulations through the node.
NODE = np.dtype(
    [
        # The sum of the results of all simulations through this node.
        ("total", np.float64),
        ("visits", np.int32),
        # The index of the first child, and the number of children. Both are 0 before the node is expanded.
        ("first", np.int32),
        ("parent", np.int32),
        ("children", np.int16),
        # The move to this node, which is a square or PASS.
        ("move", np.int16),
        # The logarithm of the prior probability of this move.
        ("logit", np.float32),
        # The estimate of the node's value before the first visit.
        ("expected", np.float32),
        # Bounds of the exact result. If the bounds are equal, the node is proven.
        ("lower", np.int8),
        ("upper", np.int8),
    ],
    align=True,
)
Nodes = Any  # Records of NODE, [n]. Compiled code reads the fields of a record as attributes.


def new_nodes(*shape: int) -> Nodes:
    """Return an array of nodes. The first node along the last axis is a root without children."""
    nodes = np.zeros(shape, NODE)
    nodes["lower"][..., 0], nodes["upper"][..., 0] = -1, 1
    return nodes


@compiled
def is_proven(nodes: Nodes, node: int) -> bool:
    """Return whether the exact result of a position is known."""
    return bool(nodes[node].lower == nodes[node].upper)


@compiled
def prove(nodes: Nodes, node: int, result: int) -> None:
    """Write the exact result of a position."""
    nodes[node].lower = result
    nodes[node].upper = result


@compiled
def expand(own: Bits, opponent: Bits, node: int, nodes: Nodes, used: int, size: int) -> Integer:
    """Add the children of a leaf, or the result of a finished game. Return the new number of used nodes."""
    moves = legal_moves(own, opponent, size)
    if occupied(moves):
        nodes[node].children = count(moves)
    elif occupied(legal_moves(opponent, own, size)):
        nodes[node].children = 1
    else:
        prove(nodes, node, np.sign(count(own) - count(opponent)))
        return used
    nodes[node].first = used
    for child in range(used, used + nodes[node].children):
        entry = nodes[child]
        entry.total, entry.visits, entry.children, entry.first = 0.0, 0, 0, 0
        entry.logit, entry.expected, entry.parent, entry.move = 0.0, 0.0, node, PASS
        entry.lower, entry.upper = -1, 1
        if occupied(moves):
            entry.move = lowest(moves)
            moves = without_lowest(moves)
    return used + nodes[node].children


@compiled
def exact_result(own: Bits, opponent: Bits, solver: Solver) -> Integer:
    """Return the result of a position with few empty squares under perfect play."""
    # A loop, because numba would compile `shallow` again for each literal, and not cache a recursion.
    for result in range(1, -1, -1):
        if shallow(own, opponent, result, solver) >= result:
            return result
    return -1


@compiled
def worth(nodes: Nodes, child: int) -> float:
    """Return the mean result of a move within the bounds, for the side that makes the move."""
    entry = nodes[child]
    mean = -entry.total / entry.visits if entry.visits > 0 else -float(entry.expected)
    return float(min(max(mean, -float(entry.upper)), -float(entry.lower)))


@compiled_helper
def may_be_best(nodes: Nodes, child: int) -> bool:
    """Return whether a move may have a greater value than the lower bound of the parent."""
    return bool(-nodes[child].lower > nodes[nodes[child].parent].lower)


@compiled
def best_child(nodes: Nodes, node: int) -> Integer:
    """Return the most visited move that may be better than the node's lower bound.

    If there is no such move, or its value is below the bound, return a move that certainly reaches the bound.
    """
    entry = nodes[node]
    keeping = most = -1
    for child in range(entry.first, entry.first + entry.children):
        if -nodes[child].upper >= entry.lower and _is_before(nodes, child, keeping):
            keeping = child
        if may_be_best(nodes, child) and _is_before(nodes, child, most):
            most = child
    return keeping if most < 0 or worth(nodes, most) < entry.lower else most


@compiled_helper
def _is_before(nodes: Nodes, child: int, other: int) -> bool:
    """Return whether a child has more visits than `other`, or equal visits and a higher value."""
    if other < 0 or nodes[child].visits != nodes[other].visits:
        return bool(other < 0 or nodes[child].visits > nodes[other].visits)
    return worth(nodes, child) > worth(nodes, other)


@compiled
def back_up(nodes: Nodes, leaf: int, value: float) -> None:
    """Add the result for the side to move to each node from a leaf to the root, and tighten the bounds.

    The bounds are from Winands, Björnsson and Saito 2008, "Monte-Carlo Tree Search Solver". The bounds of
    draws are from Cazenave and Saffidine 2010, "Score Bounded Monte-Carlo Tree Search".
    """
    node, tightened = leaf, True
    while True:
        entry = nodes[node]
        value = min(max(value, float(entry.lower)), float(entry.upper))
        entry.total += value
        entry.visits += 1
        if node == 0:
            break
        node, value = entry.parent, -value
        tightened = tightened and tighten(nodes, node)


@compiled
def tighten(nodes: Nodes, node: int) -> bool:
    """Update the bounds of an expanded node from its children, and return whether the bounds changed."""
    entry = nodes[node]
    lower, upper = -1, -1
    for child in range(entry.first, entry.first + entry.children):
        lower = max(lower, -nodes[child].upper)
        upper = max(upper, -nodes[child].lower)
    changed = lower > entry.lower or upper < entry.upper
    entry.lower, entry.upper = lower, upper
    return bool(changed)


@compiled
def copy_subtree(nodes: Nodes, root: int, copy: Nodes) -> Integer:
    """Copy the subtree of `root`, which becomes node 0 of the copy, and return the number of copied nodes."""
    copy[0] = nodes[root]
    copy[0].parent = 0
    used = 1
    for node in range(len(copy)):
        if node == used:
            break
        first = copy[node].first
        copy[node].first = used
        for child in range(first, first + copy[node].children):
            copy[used] = nodes[child]
            copy[used].parent = node
            used += 1
    return used


# The constant c of UCT, measured in docs/search.md. PRIOR_EXPLORATION is the constant of PUCT.
EXPLORATION = 0.4
PRIOR_EXPLORATION = 1.0
# The state of a search.
STATE = np.dtype(
    [
        ("size", np.int64),
        # The number of nodes in use.
        ("used", np.int64),
        # The number of simulations so far, and its limit.
        ("simulations", np.int64),
        ("enough", np.int64),
        # The number of visited positions, including playouts, and its limit.
        ("positions", np.int64),
        ("limit", np.int64),
        # Whether another thread has interrupted the search.
        ("stop", np.bool_),
        # The maximum number of empty squares of a solved leaf.
        ("solve", np.int64),
        # Whether a leaf is evaluated by a playout and the evaluator, or only by the evaluator.
        ("playouts", np.bool_),
        # The weight of exploration, which is c in `by_confidence` and `by_prior`.
        ("exploration", np.float64),
        # The evaluator. If the unit is POINTS, the expected result is tanh(value / scale), else `scale` is 0.
        ("parameters", PARAMETERS),
        ("scale", np.float64),
        # The seed of the random numbers, and the number of draws so far.
        ("seed", np.uint64),
        ("draws", np.int64),
    ],
    align=True,
)
State = Any  # An item of STATE. Compiled code reads and writes its fields as attributes.
_JUDGED = 0.5  # The weight of the evaluator in the value of a leaf. The weight of the playout is 1 - _JUDGED.
MOST_MOVES = 256  # An upper bound of the number of moves in a position.
SHARPNESS = 4.0  # The factor from a move's expected result to the logit of the move, before normalisation.


def judgement(size: int) -> CompiledEvaluator:
    """Return an evaluator with two terms of van Eck. The tanh of the value is the expected result."""
    return SquareEvaluator(published_weights("wipeout", size) / 80, mobility=2.5)


@compiled
def by_confidence(nodes: Nodes, node: int, state: State) -> Integer:
    """Return the child with the largest UCB1, mean + c sqrt(ln N / n). Unvisited children come first."""
    entry = nodes[node]
    scale = state.exploration * math.sqrt(math.log(max(1, entry.visits)))
    start = random_word(state.seed, state.draws) % np.uint64(entry.children)
    state.draws += 1
    best, highest = -1, -np.inf
    for place in range(entry.children):
        child = entry.first + (np.int64(start) + place) % entry.children
        if not may_be_best(nodes, child):
            continue
        if nodes[child].visits == 0:
            return child
        bound = worth(nodes, child) + scale / math.sqrt(nodes[child].visits)
        if bound > highest:
            best, highest = child, bound
    return best


@compiled
def by_prior(nodes: Nodes, node: int, exploration: float) -> Integer:
    """Return the child with the largest PUCT value, Q + c P sqrt(N) / (1 + n)."""
    entry = nodes[node]
    scale = exploration * math.sqrt(max(1, entry.visits))
    best, highest = -1, -np.inf
    for child in range(entry.first, entry.first + entry.children):
        bound = worth(nodes, child) + scale * math.exp(nodes[child].logit) / (1 + nodes[child].visits)
        if bound > highest and may_be_best(nodes, child):
            best, highest = child, bound
    return best


@compiled
def grow(own: Bits, opponent: Bits, nodes: Nodes, state: State, solver: Solver) -> None:
    """Run simulations until a limit is reached, the root is proven, or the tree is full.

    With playouts, a node is expanded at the second visit, to save memory.
    """
    while _goes_on(nodes, state):
        node, mine, theirs = 0, own, opponent
        while True:
            if nodes[node].children == 0:
                is_new = state.playouts and nodes[node].visits == 0 and node > 0
                if _solve(mine, theirs, node, nodes, state, solver) or is_new:
                    break
                state.used = expand(mine, theirs, node, nodes, state.used, state.size)
                if nodes[node].children == 0 or not state.playouts:
                    break
            if state.playouts:
                node = by_confidence(nodes, node, state)
            else:
                node = by_prior(nodes, node, state.exploration)
            mine, theirs = played(mine, theirs, nodes[node].move, state.size)
        value = float(nodes[node].lower)
        if not is_proven(nodes, node):
            if state.playouts:
                value = _sampled(mine, theirs, state)
            else:
                value = _judge(mine, theirs, node, nodes, state)
        back_up(nodes, node, value)
        state.simulations += 1
        state.positions += 1


@compiled_helper
def _goes_on(nodes: Nodes, state: State) -> bool:
    enough = state.simulations >= state.enough or state.positions >= state.limit or state.stop
    full = state.used + MOST_MOVES > len(nodes)
    return not (full or is_proven(nodes, 0) or (enough and state.simulations > 0))


@compiled_helper
def _solve(own: Bits, opponent: Bits, node: int, nodes: Nodes, state: State, solver: Solver) -> bool:
    """Solve a leaf with few empty squares that is not the root. Return whether the leaf was solved."""
    if node == 0 or state.size * state.size - count(own | opponent) > state.solve:
        return False
    before = solver.nodes
    prove(nodes, node, exact_result(own, opponent, solver))
    state.positions += solver.nodes - before
    return True


@compiled_helper
def _sampled(own: Bits, opponent: Bits, state: State) -> float:
    """Return a mean of a playout's result and an evaluator's value, as in AlphaGo (Silver et al. 2016)."""
    mine, theirs, plies = random_game(own, opponent, state.size, state.seed, state.draws, True)
    state.draws += plies
    state.positions += plies
    result = float(np.sign(mine - theirs))
    return result + _JUDGED * (_expected(own, opponent, state) - result)


@compiled_helper
def _judge(own: Bits, opponent: Bits, node: int, nodes: Nodes, state: State) -> float:
    """Write a value and a prior for each child of a node, and return the value of the best child."""
    entry = nodes[node]
    last, best = entry.first + entry.children, -np.inf
    for child in range(entry.first, last):
        mine, theirs = played(own, opponent, nodes[child].move, state.size)
        if is_over(mine, theirs, state.size):
            prove(nodes, child, np.sign(count(mine) - count(theirs)))
            value = float(nodes[child].lower)
        else:
            value = _expected(mine, theirs, state)
        nodes[child].expected = value
        best = max(best, -value)
    total = 0.0
    for child in range(entry.first, last):
        nodes[child].logit = SHARPNESS * (-float(nodes[child].expected) - best)
        total += math.exp(nodes[child].logit)
    for child in range(entry.first, last):
        nodes[child].logit -= math.log(total)
    state.positions += entry.children
    tighten(nodes, node)
    return best


@compiled_helper
def _expected(own: Bits, opponent: Bits, state: State) -> float:
    """Return the evaluator's expected result of an unfinished position, -1 to 1."""
    value = evaluate(own, opponent, state.size, state.parameters)
    return math.tanh(value / state.scale) if state.scale > 0 else value
