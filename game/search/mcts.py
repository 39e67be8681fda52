"""The compiled Monte-Carlo tree search of the player `mcts`, with a solver for leaves near the end.

With playouts the algorithm is UCT (Kocsis and Szepesvari 2006, "Bandit based Monte-Carlo Planning"). With an
evaluator the algorithm is PUCT (Silver et al. 2017, "Mastering the game of Go without human knowledge").
"""

import math
from typing import Any

import numpy as np

from othello_lab.game.batch import random_game
from othello_lab.game.evaluators.evaluator import PARAMETERS, CompiledEvaluator, evaluate
from othello_lab.game.evaluators.weights import SquareEvaluator, published_weights
from othello_lab.game.kernels.bitboard import is_over, played
from othello_lab.game.kernels.bits import Bits, Integer, count
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.luck import random_word
from othello_lab.game.search.tree import (
    Nodes,
    back_up,
    exact_result,
    expand,
    is_proven,
    may_be_best,
    prove,
    tighten,
    worth,
)
from othello_lab.game.solver.few_empties import State as Solver

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
        # A leaf with at most this many empty squares is solved.
        ("solve", np.int64),
        # Whether playouts give the values of leaves, and not only the evaluator.
        ("playouts", np.bool_),
        # The weight of exploration, which is c in `by_confidence` and `by_prior`.
        ("exploration", np.float64),
        # The evaluator. If it counts points, the expected result is tanh(value / scale). Otherwise this is 0.
        ("parameters", PARAMETERS),
        ("scale", np.float64),
        # The seed of the random numbers, and the number of draws so far.
        ("seed", np.uint64),
        ("draws", np.int64),
    ],
    align=True,
)
# An item of STATE. Compiled code reads and writes its fields as attributes.
State = Any
_JUDGED = 0.5  # The weight of the evaluator in the value of a leaf. The weight of the playout is 1 - _JUDGED.
MOST_MOVES = 256  # An upper bound of the number of moves in a position.
SHARPNESS = 4.0  # The logarithm of a move's prior is this factor times the expected result.


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


@compiled
def _goes_on(nodes: Nodes, state: State) -> bool:
    enough = state.simulations >= state.enough or state.positions >= state.limit or state.stop
    full = state.used + MOST_MOVES > len(nodes)
    return not (full or is_proven(nodes, 0) or (enough and state.simulations > 0))


@compiled
def _solve(own: Bits, opponent: Bits, node: int, nodes: Nodes, state: State, solver: Solver) -> bool:
    """Solve a leaf with few empty squares that is not the root. Return whether the leaf was solved."""
    if node == 0 or state.size * state.size - count(own | opponent) > state.solve:
        return False
    before = solver.nodes
    prove(nodes, node, exact_result(own, opponent, solver))
    state.positions += solver.nodes - before
    return True


@compiled
def _sampled(own: Bits, opponent: Bits, state: State) -> float:
    """Return a mean of a playout's result and an evaluator's value, as in AlphaGo (Silver et al. 2016)."""
    mine, theirs, plies = random_game(own, opponent, state.size, state.seed, state.draws, True)
    state.draws += plies
    state.positions += plies
    result = float(np.sign(mine - theirs))
    return result + _JUDGED * (_expected(own, opponent, state) - result)


@compiled
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


@compiled
def _expected(own: Bits, opponent: Bits, state: State) -> float:
    """Return the evaluator's expected result of an unfinished position, -1 to 1."""
    value = evaluate(own, opponent, state.size, state.parameters)
    return math.tanh(value / state.scale) if state.scale > 0 else value
