"""Monte-Carlo tree search, compiled: UCT with playouts, or PUCT with an evaluator in their place.

UCT: Kocsis and Szepesvari 2006, "Bandit based Monte-Carlo Planning". PUCT: Silver et al. 2017, "Mastering the
game of Go without human knowledge", section "Search algorithm".
"""

import math
from typing import Any

import numpy as np

from othello_lab.game.evaluators.evaluator import Parameters, evaluate
from othello_lab.game.kernels.bitboard import CORNERS, legal_moves
from othello_lab.game.kernels.bits import Bits, Integer, count, from_row, occupied
from othello_lab.game.kernels.choices import random_square, random_word
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.search.tree import (
    Nodes,
    back_up,
    exact_result,
    expand,
    is_proven,
    may_be_best,
    moved,
    prove,
    tighten,
    worth,
)
from othello_lab.game.solver.solver_kernels import State as Solver
from othello_lab.game.solver.squares import around

STATE = np.dtype(
    [
        ("size", np.int64),
        # Nodes in use.
        ("used", np.int64),
        # Simulations done, and after how many it stops.
        ("simulations", np.int64),
        ("enough", np.int64),
        # Positions looked at, those of playouts too, and after how many it stops.
        ("positions", np.int64),
        ("limit", np.int64),
        # Whether another thread wants the search to stop.
        ("stop", np.bool_),
        # From how many empty squares on a leaf is solved.
        ("solve", np.int64),
        # How much it explores: c of `_by_confidence` or `_by_prior`.
        ("exploration", np.float64),
        # What points of an evaluator are divided by before tanh makes results of them; 0: they are results.
        ("scale", np.float64),
        # What random numbers are drawn from, and how many were.
        ("seed", np.uint64),
        ("draws", np.int64),
    ],
    align=True,
)
"""What a search shares with itself."""
# An item of STATE: compiled code reads and writes its fields as attributes.
State = Any
_JUDGED = 0.5
"""The share of an evaluator in the value of a leaf; the rest is the result of a playout."""
MOST_MOVES = 256
"""No position has more."""
SHARPNESS = 4.0
"""How many times the expected result of a move is the logarithm of its probability, up to a constant."""


@compiled
def by_confidence(nodes: Nodes, node: int, state: State) -> Integer:
    """Return the child to visit by UCB1: mean + c sqrt(ln N / n), first those that were never visited."""
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
    """Return the child to visit by PUCT: Q + c P sqrt(N) / (1 + n)."""
    entry = nodes[node]
    scale = exploration * math.sqrt(max(1, entry.visits))
    best, highest = -1, -np.inf
    for child in range(entry.first, entry.first + entry.children):
        bound = worth(nodes, child) + scale * math.exp(nodes[child].logit) / (1 + nodes[child].visits)
        if bound > highest and may_be_best(nodes, child):
            best, highest = child, bound
    return best


@compiled
def search_by_playouts(
    own: Bits, opponent: Bits, nodes: Nodes, state: State, solver: Solver, parameters: Parameters
) -> None:
    """Simulate until it is enough, the root is proven or there is no room; a playout values each new leaf."""
    while _goes_on(nodes, state):
        node, mine, theirs = 0, own, opponent
        while not _is_leaf(mine, theirs, node, nodes, state, solver):
            node = by_confidence(nodes, node, state)
            mine, theirs = moved(mine, theirs, nodes[node].move, state.size)
        value = float(nodes[node].lower)
        if not is_proven(nodes, node):
            value = _sampled(mine, theirs, state, parameters)
        _finish(nodes, node, value, state)


@compiled
def _sampled(own: Bits, opponent: Bits, state: State, parameters: Parameters) -> float:
    """Return the result of a playout, mixed with what an evaluator expects.

    Silver et al. 2016, "Mastering the game of Go with deep neural networks and tree search", lambda.
    """
    value, plies = _play_out(own, opponent, state.size, state.seed, state.draws)
    state.draws += plies
    state.positions += plies
    return value + _JUDGED * (_expected(own, opponent, state, parameters) - value)


@compiled
def _play_out(own: Bits, opponent: Bits, size: int, seed: Integer, drawn: int) -> tuple[float, Integer]:
    """Play random likely moves to the end; return the result for the side to move, and the number of plies.

    All random numbers come from the seed, counted from `drawn`: one a ply at most.
    """
    sign, passed, plies = 1.0, False, 0
    while True:
        moves = legal_moves(own, opponent, size)
        if occupied(moves):
            square = random_square(_likely(moves, own, opponent, size), random_word(seed, drawn + plies))
            own, opponent = moved(own, opponent, square, size)
            passed = False
        elif passed:
            return sign * np.sign(count(own) - count(opponent)), plies
        else:
            own, opponent, passed = opponent, own, True
        plies += 1
        sign = -sign


@compiled
def _likely(moves: Bits, own: Bits, opponent: Bits, size: int) -> Bits:
    """Return the corners among the moves if there are any, else those that are not beside an empty corner.

    All of them where none is left.
    """
    corners = from_row(own, CORNERS[size])
    if occupied(moves & corners):
        return moves & corners
    quiet = moves & ~around(corners & ~(own | opponent), size)
    return quiet if occupied(quiet) else moves


@compiled
def _is_leaf(own: Bits, opponent: Bits, node: int, nodes: Nodes, state: State, solver: Solver) -> bool:
    """Tell whether a simulation leaves the tree here. A node is expanded at its second visit: half of them
    have no other, and are spared the memory.
    """
    if nodes[node].children > 0:
        return False
    if _solve(own, opponent, node, nodes, state, solver) or (nodes[node].visits == 0 and node > 0):
        return True
    state.used = expand(own, opponent, node, nodes, state.used, state.size)
    return bool(nodes[node].children == 0)


@compiled
def search_by_evaluation(
    own: Bits, opponent: Bits, nodes: Nodes, state: State, solver: Solver, parameters: Parameters
) -> None:
    """Do the same with an evaluator, which gives each new leaf a value and each of its moves a prior."""
    while _goes_on(nodes, state):
        node, mine, theirs = 0, own, opponent
        while nodes[node].children > 0:
            node = by_prior(nodes, node, state.exploration)
            mine, theirs = moved(mine, theirs, nodes[node].move, state.size)
        if not _solve(mine, theirs, node, nodes, state, solver):
            state.used = expand(mine, theirs, node, nodes, state.used, state.size)
        value = float(nodes[node].lower)
        if not is_proven(nodes, node):
            value = _judge(mine, theirs, node, nodes, state, parameters)
        _finish(nodes, node, value, state)


@compiled
def _goes_on(nodes: Nodes, state: State) -> bool:
    enough = state.simulations >= state.enough or state.positions >= state.limit or state.stop
    full = state.used + MOST_MOVES > len(nodes)
    return not (full or is_proven(nodes, 0) or (enough and state.simulations > 0))


@compiled
def _solve(own: Bits, opponent: Bits, node: int, nodes: Nodes, state: State, solver: Solver) -> bool:
    """Prove a leaf other than the root if few squares are empty; tell whether that was done."""
    if node == 0 or state.size * state.size - count(own | opponent) > state.solve:
        return False
    before = solver.nodes
    prove(nodes, node, exact_result(own, opponent, solver))
    state.positions += solver.nodes - before
    return True


@compiled
def _finish(nodes: Nodes, leaf: int, value: float, state: State) -> None:
    back_up(nodes, leaf, value)
    state.simulations += 1
    state.positions += 1


@compiled
def _judge(own: Bits, opponent: Bits, node: int, nodes: Nodes, state: State, parameters: Parameters) -> float:
    """Write what an evaluator expects of each child of a node, and a prior that prefers the better ones.

    Returns the value of the best.
    """
    entry = nodes[node]
    last, best = entry.first + entry.children, -np.inf
    for child in range(entry.first, last):
        mine, theirs = moved(own, opponent, nodes[child].move, state.size)
        value = _first_value(mine, theirs, child, nodes, state, parameters)
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
def _first_value(
    own: Bits, opponent: Bits, node: int, nodes: Nodes, state: State, parameters: Parameters
) -> float:
    """Return the expected result of a position for its side to move; a finished game is proven."""
    if not (
        occupied(legal_moves(own, opponent, state.size)) or occupied(legal_moves(opponent, own, state.size))
    ):
        prove(nodes, node, np.sign(count(own) - count(opponent)))
        return float(nodes[node].lower)
    return _expected(own, opponent, state, parameters)


@compiled
def _expected(own: Bits, opponent: Bits, state: State, parameters: Parameters) -> float:
    """Return what an evaluator expects, from -1 to 1, of a position that is not finished."""
    value = evaluate(own, opponent, state.size, parameters)
    return math.tanh(value / state.scale) if state.scale > 0 else value
