"""A guided search of a batch of positions, in which a network evaluates the leaves of all trees in one batch.

The algorithm is Gumbel AlphaZero (Danihelka, Guez, Schrittwieser and Silver 2022, "Policy improvement by
planning with Gumbel"). Equation numbers refer to this paper. A logit is the logarithm of a move's prior.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch import Positions, count_squares, draws, legal_moves, to_mask
from othello_lab.game.evaluators.evaluator import Evaluator, scale_of
from othello_lab.game.kernels.bitboard import played
from othello_lab.game.kernels.bits import Bits, Integer, Rows, count, from_int, nth_row, write_nth_row
from othello_lab.game.kernels.jit import compiled, compiled_helper
from othello_lab.game.luck import SeatSeeds
from othello_lab.game.notation import PASS
from othello_lab.game.search.mcts import (
    SHARPNESS,
    Nodes,
    back_up,
    exact_result,
    expand,
    is_proven,
    new_nodes,
    prove,
    tighten,
    worth,
)
from othello_lab.game.search.textbook import move_values
from othello_lab.game.solver.few_empties import STATE as SOLVER
from othello_lab.game.solver.few_empties import State as Solver

_NODES = 1 << 22  # The approximate number of nodes of all trees that grow at the same time.
_EACH = 8  # The approximate number of nodes that a simulation adds.
_MOST_LIKELY = 1 - 1e-6  # The maximum value of a guide. The value 1 means a proven win.
_NOWHERE = -1  # The sentinel for a tree without a leaf for the guide.
# The constants that scale completed Q before it is added to the logits (equation 8 and section 4).
_C_VISIT, _C_SCALE = 50.0, 1.0


@runtime_checkable
class Guide(Protocol):
    """The interface of a policy and value function, such as a network."""

    def judge(self, positions: Positions) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Return logits, [n, squares], and expected results, -1 to 1, [n], of positions with a legal move."""


@dataclass(frozen=True, slots=True)
class GuidedLimits:
    """The limits of a Gumbel search."""

    # The number of simulations for each position. With 0, the guide's policy alone chooses the move.
    simulations: int
    considered: int = 16  # The maximum number of root moves at the start of sequential halving.
    # The maximum number of empty squares of a solved position, which the guide does not evaluate.
    solve: int = 8


class SearchResults(NamedTuple):
    """The results of searches, for the side to move."""

    moves: NDArray[np.int64]  # The square to play, [n].
    # The expected result, -1 to 1, [n]. The result of a solved position is exact.
    values: NDArray[np.float64]
    policies: NDArray[np.float32]  # The probabilities of the squares in the improved policy, [n, squares].
    # The expected result of each legal move, [n, squares], and 0 for illegal squares.
    worths: NDArray[np.float64]
    # Whether the exact result is known, [n]. In a solved position, `moves` has a move with this result.
    solved: NDArray[np.bool_]


def search_many(
    guide: Guide, positions: Positions, limits: GuidedLimits, noise: SeatSeeds | None
) -> SearchResults:
    """Search positions with legal moves. `noise` [n] has the seeds of the Gumbel draws. None means no noise.

    The values may differ by rounding errors from the values for single positions.
    """
    at_once = max(1, _NODES // (_EACH * (1 + limits.simulations)))
    parts = []
    for start in range(0, max(1, len(positions)), at_once):
        rows = np.arange(start, min(start + at_once, len(positions)))
        parts.append(_search(guide, positions.take(rows), limits, None if noise is None else noise[rows]))
    return SearchResults(*map(np.concatenate, zip(*parts, strict=True)))


def _search(
    guide: Guide, positions: Positions, limits: GuidedLimits, noise: SeatSeeds | None
) -> SearchResults:
    n, size = len(positions), positions.size
    kind, roots, gumbels = from_int(0, size), (positions.own, positions.opponent), _gumbels(positions, noise)
    trees, used = new_nodes(n, _EACH * limits.simulations + 2 * size * size), np.zeros(n, np.int64)
    solver: Solver = np.zeros(1, SOLVER)[0]
    solver["size"] = size
    _begin(kind, roots, trees, used, limits.solve, solver)
    leaves, leaf_positions = np.zeros(n, np.int64), (np.zeros_like(roots[0]), np.zeros_like(roots[1]))
    _judge(guide, positions, leaves, trees)
    for wanted_visits in _halving_visits(limits.simulations, limits.considered):
        # Make room in each tree for the children of a leaf and for the children after a pass.
        if used.max(initial=0) + size**2 > trees.shape[1]:
            trees = np.concatenate([trees, new_nodes(*trees.shape)], axis=1)
        rest = limits.solve, solver, gumbels, wanted_visits, leaves, leaf_positions
        _descend(kind, roots, trees, used, *rest)
        _judge(guide, Positions(size, *leaf_positions), leaves, trees)
    results = SearchResults(
        np.empty(n, np.int64),
        np.empty(n),
        np.zeros((n, size * size), np.float32),
        np.zeros((n, size * size)),
        np.empty(n, np.bool_),
    )
    _conclude(trees, gumbels, results)
    return results


def _judge(guide: Guide, positions: Positions, leaves: NDArray[np.int64], trees: Nodes) -> None:
    games = np.flatnonzero(leaves != _NOWHERE)
    if len(games):
        logits, values = guide.judge(positions.take(games))
        values = np.clip(values, -_MOST_LIKELY, _MOST_LIKELY)
        _take_judgements(trees, games, leaves, logits, values)


def _gumbels(positions: Positions, noise: SeatSeeds | None) -> NDArray[np.float64]:
    """Return a sample of the Gumbel distribution for each square, float64 [n, squares]."""
    squares = positions.size**2
    if noise is None:
        return np.zeros((len(positions), squares))
    uniform = [draws(noise, positions, square) for square in range(squares)]
    return -np.log(-np.log(np.stack(uniform, axis=1)))


@lru_cache
def _halving_visits(simulations: int, considered: int) -> NDArray[np.int64]:
    """Return the schedules of `halving_visits` for all numbers of moves, [simulations, 1 + considered]."""
    rows = [halving_visits(simulations, max(1, moves)) for moves in range(considered + 1)]
    return np.array(rows, np.int64).reshape(considered + 1, simulations).T.copy()


def halving_visits(simulations: int, considered: int) -> list[int]:
    """Return the schedule of sequential halving, which is a number of visits for each simulation.

    A simulation goes to the best root move that has exactly this number of visits. First all moves are
    visited equally often, then the better half, and so on (Karnin, Koren and Somekh 2013).
    """
    phases = math.ceil(math.log2(considered)) or 1
    schedule: list[int] = []
    visits = 0
    while len(schedule) < simulations:
        for _ in range(max(1, simulations // (phases * considered))):
            schedule += [visits] * considered
            visits += 1
        considered = min(considered, max(2, considered // 2))
    return schedule[:simulations]


def guide_of(evaluator: Evaluator, size: int) -> Guide:
    """Return the evaluator itself if it is a Guide, and otherwise a ValueGuide of the evaluator."""
    return evaluator if isinstance(evaluator, Guide) else ValueGuide(evaluator, size)


class ValueGuide:
    """A guide made from an evaluator. The policy of this guide prefers moves to better positions."""

    def __init__(self, evaluator: Evaluator, size: int) -> None:
        self._evaluator, self._scale = evaluator, scale_of(evaluator, size)

    def judge(self, positions: Positions) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Return logits and expected results. The result of a position is the result of its best move."""
        moves = legal_moves(positions)
        choices = count_squares(moves, positions.size)
        values = move_values(positions, self._evaluator)
        expected = np.tanh(values / self._scale) if self._scale else np.clip(values, -1.0, 1.0)
        logits = np.zeros((len(positions), positions.size**2), np.float32)
        logits[to_mask(moves, positions.size)] = SHARPNESS * expected
        return logits, np.maximum.reduceat(expected, np.cumsum(choices) - choices)


@compiled_helper
def _mixed_value(nodes: Nodes, node: int) -> float:
    """Return a mean of the guide's value of a node and the results of the visits (equation 33)."""
    entry = nodes[node]
    visits, share, weighted = 0, 0.0, 0.0
    for child in range(entry.first, entry.first + entry.children):
        if nodes[child].visits > 0:
            prior = math.exp(nodes[child].logit)
            visits += nodes[child].visits
            share += prior
            weighted += prior * worth(nodes, child)
    mixed = entry.expected + visits * weighted / share if visits > 0 else float(entry.expected)
    return min(max(mixed / (1 + visits), float(entry.lower)), float(entry.upper))


@compiled_helper
def _completed(nodes: Nodes, child: int, mixed: float) -> float:
    """Return the value of a move, -1 to 1. An unvisited move has the value `mixed` (equation 10)."""
    known = nodes[child].visits > 0 or is_proven(nodes, child)
    return worth(nodes, child) if known else mixed


@compiled_helper
def _improve(nodes: Nodes, node: int, weights: NDArray[np.float64]) -> Integer:
    """Write logit + sigma(completed Q) of each move (equation 8). Return the maximum number of visits."""
    entry = nodes[node]
    most, mixed = 0, _mixed_value(nodes, node)
    for child in range(entry.first, entry.first + entry.children):
        most = max(most, nodes[child].visits)
    scale = (_C_VISIT + most) * _C_SCALE
    for i in range(entry.children):
        child = entry.first + i
        # Q is scaled from [-1, 1] to [0, 1].
        weights[i] = nodes[child].logit + scale * (_completed(nodes, child, mixed) + 1) / 2
    return most


@compiled_helper
def _to_shares(weights: NDArray[np.float64]) -> None:
    """Replace the weights by their softmax."""
    # Loops, because numba needs twenty times as long to compile the functions of numpy.
    highest, total = -np.inf, 0.0
    for i in range(len(weights)):
        highest = max(highest, weights[i])
    for i in range(len(weights)):
        weights[i] = math.exp(weights[i] - highest)
        total += weights[i]
    for i in range(len(weights)):
        weights[i] /= total


@compiled_helper
def _nearest_to_improved(nodes: Nodes, node: int, weights: NDArray[np.float64]) -> Integer:
    """Return the child whose visit brings the visits closest to the improved policy (equation 14)."""
    entry = nodes[node]
    _improve(nodes, node, weights)
    _to_shares(weights[: entry.children])
    visits = 0
    for child in range(entry.first, entry.first + entry.children):
        visits += nodes[child].visits
    best, highest = 0, -np.inf
    for i in range(entry.children):
        lacking = weights[i] - nodes[entry.first + i].visits / (1 + visits)
        if lacking > highest:
            best, highest = i, lacking
    return entry.first + best


@compiled_helper
def _best_root_move(
    nodes: Nodes, visits: int, gumbels: NDArray[np.float64], weights: NDArray[np.float64]
) -> Integer:
    """Return the best of the root moves that have `visits` visits. `weights` are from `_improve`.

    If the root is proven, return the best of the moves with the exact result.
    """
    root = nodes[0]
    best, highest = root.first, -np.inf
    for i in range(root.children):
        child = root.first + i
        may = -nodes[child].upper >= root.lower if is_proven(nodes, 0) else nodes[child].visits == visits
        score = weights[i] + gumbels[nodes[child].move]
        if may and score > highest:
            best, highest = child, score
    return best


@compiled
def _begin(
    kind: Bits, roots: tuple[Rows, Rows], trees: Nodes, used: NDArray[np.int64], solve: int, solver: Solver
) -> None:
    """Expand the roots. If a root has few empty squares, also solve the position after each move."""
    for game in range(len(used)):
        nodes, mine, theirs = trees[game], nth_row(kind, roots[0], game), nth_row(kind, roots[1], game)
        used[game] = expand(mine, theirs, 0, nodes, 1, solver.size)
        if _is_near_the_end(mine, theirs, solve, solver.size):
            for child in range(nodes[0].first, used[game]):
                after = played(mine, theirs, nodes[child].move, solver.size)
                prove(nodes, child, exact_result(after[0], after[1], solver))
            tighten(nodes, 0)


@compiled_helper
def _is_near_the_end(own: Bits, opponent: Bits, solve: int, size: int) -> bool:
    return bool(size * size - count(own | opponent) <= solve)


@compiled
def _descend(
    kind: Bits,
    roots: tuple[Rows, Rows],
    trees: Nodes,
    used: NDArray[np.int64],
    solve: int,
    solver: Solver,
    gumbels: NDArray[np.float64],
    wanted_visits: NDArray[np.int64],
    leaves: NDArray[np.int64],
    leaf_positions: tuple[Rows, Rows],
) -> None:
    """Select a leaf in each tree whose root is not proven. A known result is backed up immediately.

    A leaf for the guide is written into `leaves` and `leaf_positions`. If a tree has no leaf for the guide,
    `leaves` gets _NOWHERE. A root with m moves chooses a move that has `wanted_visits[m]` visits.
    """
    size, weights = solver.size, np.empty(gumbels.shape[1])
    for game in range(len(used)):
        nodes, node = trees[game], 0
        own, opponent = nth_row(kind, roots[0], game), nth_row(kind, roots[1], game)
        leaves[game] = _NOWHERE
        if is_proven(nodes, 0):
            continue
        while nodes[node].children > 0 and not is_proven(nodes, node):
            if node == 0:
                visits = wanted_visits[min(nodes[0].children, len(wanted_visits) - 1)]
                _improve(nodes, 0, weights)
                node = _best_root_move(nodes, visits, gumbels[game], weights)
            else:
                node = _nearest_to_improved(nodes, node, weights)
            own, opponent = played(own, opponent, nodes[node].move, size)
        if not is_proven(nodes, node) and _is_near_the_end(own, opponent, solve, size):
            prove(nodes, node, exact_result(own, opponent, solver))
        if not is_proven(nodes, node):
            used[game] = expand(own, opponent, node, nodes, used[game], size)
        if nodes[node].children == 1 and nodes[nodes[node].first].move == PASS:
            node, own, opponent = nodes[node].first, opponent, own
            used[game] = expand(own, opponent, node, nodes, used[game], size)
        if is_proven(nodes, node):
            back_up(nodes, node, float(nodes[node].lower))
        else:
            leaves[game] = node
            write_nth_row(own, leaf_positions[0], game)
            write_nth_row(opponent, leaf_positions[1], game)


@compiled
def _take_judgements(
    trees: Nodes,
    games: NDArray[np.int64],
    leaves: NDArray[np.int64],
    logits: NDArray[np.float32],
    values: NDArray[np.float64],
) -> None:
    """Write the priors of the moves at the leaves of some games, and back up the guide's values.

    `logits` are [n, squares]. The value of a leaf is also the estimate for each of its moves.
    """
    for i in range(len(games)):
        nodes, leaf = trees[games[i]], leaves[games[i]]
        entry = nodes[leaf]
        entry.expected = values[i]
        highest, total = -np.inf, 0.0
        for child in range(entry.first, entry.first + entry.children):
            highest = max(highest, float(logits[i, nodes[child].move]))
        for child in range(entry.first, entry.first + entry.children):
            total += math.exp(logits[i, nodes[child].move] - highest)
        for child in range(entry.first, entry.first + entry.children):
            nodes[child].logit = logits[i, nodes[child].move] - highest - math.log(total)
            nodes[child].expected = -values[i]
        back_up(nodes, leaf, values[i])


@compiled
def _conclude(trees: Nodes, gumbels: NDArray[np.float64], results: SearchResults) -> None:
    weights = np.empty(gumbels.shape[1])
    for game in range(len(trees)):
        nodes, root = trees[game], trees[game][0]
        most = _improve(nodes, 0, weights)
        results.moves[game] = nodes[_best_root_move(nodes, most, gumbels[game], weights)].move
        results.solved[game], results.values[game] = is_proven(nodes, 0), _mixed_value(nodes, 0)
        _to_shares(weights[: root.children])
        for i in range(root.children):
            move = nodes[root.first + i].move
            results.policies[game, move] = weights[i]
            results.worths[game, move] = _completed(nodes, root.first + i, results.values[game])
