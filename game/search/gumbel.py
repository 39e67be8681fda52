"""A guided search of many positions at once, in which a network evaluates the leaves of all trees together.

The algorithm is Gumbel AlphaZero (Danihelka, Guez, Schrittwieser and Silver 2022, "Policy improvement by
planning with Gumbel"). Equation numbers refer to this paper. A logit is the logarithm of a move's prior.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch import Positions, count_squares, legal_moves, to_mask
from othello_lab.game.evaluators.evaluator import Evaluator, scale_of
from othello_lab.game.kernels.bitboard import played
from othello_lab.game.kernels.bits import Bits, Integer, Rows, count, from_int, nth_row, write_nth_row
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.luck import SeatSeeds, draws
from othello_lab.game.notation import PASS
from othello_lab.game.search.mcts import SHARPNESS
from othello_lab.game.search.textbook import batched_values, children
from othello_lab.game.search.tree import (
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
from othello_lab.game.solver.solver_kernels import STATE as SOLVER
from othello_lab.game.solver.solver_kernels import State as Solver

_NODES = 1 << 22
"""The approximate number of nodes of all trees that grow at the same time."""
_EACH = 8
"""The approximate number of nodes that a simulation adds."""
_MOST_LIKELY = 1 - 1e-6
"""The largest value of a guide. The value 1 means a proven win."""
_NOWHERE = -1
"""This number means that the guide has no leaf to evaluate in a tree."""
_TASK = np.dtype(
    [
        ("size", np.int64),
        # The constants that scale completed Q before it is added to the logits (equation 8).
        ("c_visit", np.float64),
        ("c_scale", np.float64),
        # A position with at most this many empty squares is solved.
        ("solve", np.int64),
    ],
    align=True,
)
"""The constants of a search, which are the same for all trees."""
# An item of _TASK. Compiled code reads its fields as attributes.
_Task = Any


@runtime_checkable
class Guide(Protocol):
    """A network or another object that gives a policy and a value of positions."""

    def judge(self, positions: Positions) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Return logits, [n, squares], and expected results, -1 to 1, [n], of positions with a legal move."""


@dataclass(frozen=True, slots=True)
class GuidedLimits:
    """The limits and constants of a search."""

    simulations: int
    """The number of simulations for each position. With 0, the guide's policy alone chooses the move."""
    considered: int = 16
    """The largest number of root moves at the start of sequential halving."""
    c_visit: float = 50.0
    """The constants `c_visit` and `c_scale` scale completed Q (equation 8 and section 4)."""
    c_scale: float = 1.0
    solve: int = 8
    """A position with at most this many empty squares is solved, and the guide does not evaluate it."""


class SearchResults(NamedTuple):
    """The results of searches, for the side to move."""

    moves: NDArray[np.int64]
    """The square to play, [n]."""
    values: NDArray[np.float64]
    """The expected result, -1 to 1, [n]. The result of a solved position is exact."""
    policies: NDArray[np.float32]
    """The probabilities of the squares in the improved policy, [n, squares]."""
    worths: NDArray[np.float64]
    """The expected result of each legal move, [n, squares], and 0 for squares that are no legal move."""
    solved: NDArray[np.bool_]
    """Whether the exact result is known, [n]. In a solved position, `moves` has a move with this result."""


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
        trees = _Trees(positions.take(rows), limits, None if noise is None else noise[rows])
        parts.append(trees.search(guide))
    return SearchResults(*map(np.concatenate, zip(*parts, strict=True)))


class _Trees:
    def __init__(self, positions: Positions, limits: GuidedLimits, noise: SeatSeeds | None) -> None:
        size, n = positions.size, len(positions)
        self._positions, self._limits = positions, limits
        self._kind = from_int(0, size)
        self._gumbels = _gumbels(positions, noise)
        self._nodes = new_nodes(n, _EACH * limits.simulations + 2 * size * size)
        self._used = np.zeros(n, np.int64)
        self._task: _Task = np.zeros(1, _TASK)[0]
        self._task["size"], self._task["solve"] = size, limits.solve
        self._task["c_visit"], self._task["c_scale"] = limits.c_visit, limits.c_scale
        self._solver: Solver = np.zeros(1, SOLVER)[0]
        self._solver["size"], self._solver["limit"] = size, np.iinfo(np.int64).max

    def search(self, guide: Guide) -> SearchResults:
        roots = self._positions.own, self._positions.opponent
        _begin(self._kind, *roots, self._nodes, self._used, self._task, self._solver)
        self._judge(guide, self._positions, np.zeros(len(self._positions), np.int64))
        leaf_positions = np.zeros_like(roots[0]), np.zeros_like(roots[1])
        leaves = np.empty(len(self._positions), np.int64)
        for wanted_visits in _halving_visits(self._limits.simulations, self._limits.considered):
            rest = self._gumbels, wanted_visits, self._task, self._solver, leaves, leaf_positions
            self._make_room()
            _descend(self._kind, roots, self._nodes, self._used, *rest)
            self._judge(guide, Positions(self._positions.size, *leaf_positions), leaves)
        return self._results()

    def _make_room(self) -> None:
        """Make room in each tree for the children of a leaf and for the children after a pass."""
        if self._used.max(initial=0) + self._positions.size**2 > self._nodes.shape[1]:
            self._nodes = np.concatenate([self._nodes, new_nodes(*self._nodes.shape)], axis=1)

    def _judge(self, guide: Guide, positions: Positions, leaves: NDArray[np.int64]) -> None:
        games = np.flatnonzero(leaves != _NOWHERE)
        if len(games):
            logits, values = guide.judge(positions.take(games))
            values = np.clip(values, -_MOST_LIKELY, _MOST_LIKELY)
            _take_judgements(self._nodes, games, leaves, logits, values)

    def _results(self) -> SearchResults:
        n, squares = self._gumbels.shape
        results = SearchResults(
            np.empty(n, np.int64),
            np.empty(n),
            np.zeros((n, squares), np.float32),
            np.zeros((n, squares)),
            np.empty(n, np.bool_),
        )
        _conclude(self._nodes, self._gumbels, self._task, *results)
        return results


def _gumbels(positions: Positions, noise: SeatSeeds | None) -> NDArray[np.float64]:
    """Return a draw of the Gumbel distribution for each square, [n, squares]."""
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
        values = -batched_values(children(positions, choices), 0, self._evaluator)[0]  # [moves]
        expected = np.tanh(values / self._scale) if self._scale else np.clip(values, -1.0, 1.0)
        logits = np.zeros((len(positions), positions.size**2), np.float32)
        logits[to_mask(moves, positions.size)] = SHARPNESS * expected
        return logits, np.maximum.reduceat(expected, np.cumsum(choices) - choices)


@compiled
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


@compiled
def _completed(nodes: Nodes, child: int, mixed: float) -> float:
    """Return the value of a move, -1 to 1. An unvisited move has the value `mixed` (equation 10)."""
    known = nodes[child].visits > 0 or is_proven(nodes, child)
    return worth(nodes, child) if known else mixed


@compiled
def _improve(nodes: Nodes, node: int, task: _Task, weights: NDArray[np.float64]) -> None:
    """Write logit + sigma(completed Q) of each move of a node (equation 8). Q is from 0 to 1."""
    entry = nodes[node]
    most, mixed = 0, _mixed_value(nodes, node)
    for child in range(entry.first, entry.first + entry.children):
        most = max(most, nodes[child].visits)
    scale = (task.c_visit + most) * task.c_scale
    for i in range(entry.children):
        child = entry.first + i
        weights[i] = nodes[child].logit + scale * (_completed(nodes, child, mixed) + 1) / 2


@compiled
def _to_shares(weights: NDArray[np.float64]) -> None:
    """Replace the weights by their softmax."""
    weights[:] = np.exp(weights - weights.max())
    weights /= weights.sum()


@compiled
def _nearest_to_improved(nodes: Nodes, node: int, task: _Task, weights: NDArray[np.float64]) -> Integer:
    """Return the next move, so that the visits come nearest to the improved policy (equation 14)."""
    entry = nodes[node]
    _improve(nodes, node, task, weights)
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


@compiled
def _begin(
    kind: Bits, own: Rows, opponent: Rows, trees: Nodes, used: NDArray[np.int64], task: _Task, solver: Solver
) -> None:
    """Expand the roots. If a root has few empty squares, also solve the position after each move."""
    for game in range(len(used)):
        nodes, mine, theirs = trees[game], nth_row(kind, own, game), nth_row(kind, opponent, game)
        used[game] = expand(mine, theirs, 0, nodes, 1, task.size)
        if _is_near_the_end(mine, theirs, task):
            for child in range(nodes[0].first, used[game]):
                after = played(mine, theirs, nodes[child].move, task.size)
                prove(nodes, child, exact_result(after[0], after[1], solver))
            tighten(nodes, 0)


@compiled
def _is_near_the_end(own: Bits, opponent: Bits, task: _Task) -> bool:
    return bool(task.size * task.size - count(own | opponent) <= task.solve)


@compiled
def _descend(
    kind: Bits,
    roots: tuple[Rows, Rows],
    trees: Nodes,
    used: NDArray[np.int64],
    gumbels: NDArray[np.float64],
    wanted_visits: NDArray[np.int64],
    task: _Task,
    solver: Solver,
    leaves: NDArray[np.int64],
    leaf_positions: tuple[Rows, Rows],
) -> None:
    """Go down to a leaf in each tree whose root is not proven. A known result is backed up immediately.

    A leaf for the guide is written into `leaves` and `leaf_positions`. If a tree has no leaf for the guide,
    `leaves` gets _NOWHERE. A root with m moves chooses a move that has `wanted_visits[m]` visits.
    """
    weights = np.empty(task.size * task.size)
    for game in range(len(used)):
        nodes, node = trees[game], 0
        own, opponent = nth_row(kind, roots[0], game), nth_row(kind, roots[1], game)
        leaves[game] = _NOWHERE
        if is_proven(nodes, 0):
            continue
        while nodes[node].children > 0 and not is_proven(nodes, node):
            if node == 0:
                visits = wanted_visits[min(nodes[0].children, len(wanted_visits) - 1)]
                node = _of_equal_visits(nodes, visits, gumbels[game], task, weights)
            else:
                node = _nearest_to_improved(nodes, node, task, weights)
            own, opponent = played(own, opponent, nodes[node].move, task.size)
        if not is_proven(nodes, node) and _is_near_the_end(own, opponent, task):
            prove(nodes, node, exact_result(own, opponent, solver))
        if not is_proven(nodes, node):
            used[game] = expand(own, opponent, node, nodes, used[game], task.size)
        if nodes[node].children == 1 and nodes[nodes[node].first].move == PASS:
            node, own, opponent = nodes[node].first, opponent, own
            used[game] = expand(own, opponent, node, nodes, used[game], task.size)
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
    """Write the guide's logits, [n, squares], of the leaves of some games, and back up the guide's values."""
    for i in range(len(games)):
        nodes, leaf = trees[games[i]], leaves[games[i]]
        _write_priors(nodes, leaf, logits[i], values[i])
        back_up(nodes, leaf, values[i])


@compiled
def _write_priors(nodes: Nodes, node: int, logits: NDArray[np.float32], value: float) -> None:
    """Write the logarithm of the prior of each move, and the node's value as an estimate for each move."""
    entry = nodes[node]
    entry.expected = value
    highest, total = -np.inf, 0.0
    for child in range(entry.first, entry.first + entry.children):
        highest = max(highest, float(logits[nodes[child].move]))
    for child in range(entry.first, entry.first + entry.children):
        total += math.exp(logits[nodes[child].move] - highest)
    for child in range(entry.first, entry.first + entry.children):
        nodes[child].logit = logits[nodes[child].move] - highest - math.log(total)
        nodes[child].expected = -value


@compiled
def _of_equal_visits(
    nodes: Nodes, visits: int, gumbels: NDArray[np.float64], task: _Task, weights: NDArray[np.float64]
) -> Integer:
    """Return the best root move that has `visits` visits, as sequential halving demands."""
    _improve(nodes, 0, task, weights)
    best, highest = _NOWHERE, -np.inf
    for i in range(nodes[0].children):
        child = nodes[0].first + i
        score = weights[i] + gumbels[nodes[child].move]
        if nodes[child].visits == visits and score > highest:
            best, highest = child, score
    return best


@compiled
def _conclude(
    trees: Nodes,
    gumbels: NDArray[np.float64],
    task: _Task,
    moves: NDArray[np.int64],
    values: NDArray[np.float64],
    policies: NDArray[np.float32],
    worths: NDArray[np.float64],
    solved: NDArray[np.bool_],
) -> None:
    weights = np.empty(task.size * task.size)
    for game in range(len(trees)):
        nodes, root = trees[game], trees[game][0]
        _improve(nodes, 0, task, weights)
        moves[game] = _chosen(nodes, gumbels[game], weights)
        solved[game], values[game] = is_proven(nodes, 0), _mixed_value(nodes, 0)
        _to_shares(weights[: root.children])
        for i in range(root.children):
            move = nodes[root.first + i].move
            policies[game, move] = weights[i]
            worths[game, move] = _completed(nodes, root.first + i, values[game])


@compiled
def _chosen(nodes: Nodes, gumbels: NDArray[np.float64], weights: NDArray[np.float64]) -> Integer:
    """Return the best of the most visited moves, or in a proven root the best move with the exact result."""
    root = nodes[0]
    most = 0
    for child in range(root.first, root.first + root.children):
        most = max(most, nodes[child].visits)
    best, highest = PASS, -np.inf
    for i in range(root.children):
        child = root.first + i
        may = -nodes[child].upper >= root.lower if is_proven(nodes, 0) else nodes[child].visits == most
        score = weights[i] + gumbels[nodes[child].move]
        if may and score > highest:
            best, highest = nodes[child].move, score
    return best
