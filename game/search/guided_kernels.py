"""Guided search, compiled: trees of many games, whose leaves wait to be judged together.

Danihelka, Guez, Schrittwieser and Silver 2022, "Policy improvement by planning with Gumbel"; the equations
are its. The logit of a node is the logarithm of the prior of the move that leads there.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.kernels.bits import Bits, Integer, Rows, count, nth_row, write_nth_row
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.notation import PASS
from othello_lab.game.search.tree import (
    Nodes,
    back_up,
    exact_result,
    expand,
    is_proven,
    moved,
    prove,
    tighten,
    worth,
)
from othello_lab.game.solver.solver_kernels import State as Solver

TASK = np.dtype(
    [
        ("size", np.int64),
        # What scales completed Q beside the logits (equation 8).
        ("c_visit", np.float64),
        ("c_scale", np.float64),
        # From this many empty squares on a position is solved.
        ("solve", np.int64),
    ],
    align=True,
)
"""What is the same for all trees."""
# An item of TASK: compiled code reads its fields as attributes.
Task = Any


@compiled
def mixed_value(nodes: Nodes, node: int) -> float:
    """Return what the guide says of a node, mixed with what visits have found (equation 33)."""
    entry = nodes[node]
    visits, share, found = 0, 0.0, 0.0
    for child in range(entry.first, entry.first + entry.children):
        if nodes[child].visits > 0:
            prior = math.exp(nodes[child].logit)
            visits += nodes[child].visits
            share += prior
            found += prior * worth(nodes, child)
    mixed = entry.expected + visits * found / share if visits > 0 else float(entry.expected)
    return min(max(mixed / (1 + visits), float(entry.lower)), float(entry.upper))


@compiled
def completed(nodes: Nodes, child: int, mixed: float) -> float:
    """Return what a move is worth, -1 to 1: if nothing is known, its parent's mixed value (equation 10)."""
    known = nodes[child].visits > 0 or is_proven(nodes, child)
    return worth(nodes, child) if known else mixed


@compiled
def improve(nodes: Nodes, node: int, task: Task, weights: NDArray[np.float64]) -> None:
    """Write logits + sigma(completed Q) of each move of a node, Q from 0 to 1 (equation 8)."""
    entry = nodes[node]
    most, mixed = 0, mixed_value(nodes, node)
    for child in range(entry.first, entry.first + entry.children):
        most = max(most, nodes[child].visits)
    scale = (task.c_visit + most) * task.c_scale
    for i in range(entry.children):
        child = entry.first + i
        weights[i] = nodes[child].logit + scale * (completed(nodes, child, mixed) + 1) / 2


@compiled
def to_shares(weights: NDArray[np.float64]) -> None:
    """Write the softmax of numbers in their place."""
    weights[:] = np.exp(weights - weights.max())
    weights /= weights.sum()


@compiled
def nearest_to_improved(nodes: Nodes, node: int, task: Task, weights: NDArray[np.float64]) -> Integer:
    """Return the move that brings the visits nearest to the improved policy (equation 14)."""
    entry = nodes[node]
    improve(nodes, node, task, weights)
    to_shares(weights[: entry.children])
    visits = 0
    for child in range(entry.first, entry.first + entry.children):
        visits += nodes[child].visits
    best, highest = 0, -np.inf
    for i in range(entry.children):
        lacking = weights[i] - nodes[entry.first + i].visits / (1 + visits)
        if lacking > highest:
            best, highest = i, lacking
    return entry.first + best


NOWHERE = -1
"""The leaf of a tree that has none to be judged."""


@compiled
def begin(
    kind: Bits,
    own: Rows,
    opponent: Rows,
    trees: Nodes,
    used: NDArray[np.int64],
    task: Task,
    solver: Solver,
) -> None:
    """Expand the roots; where few squares are empty, prove what each move brings."""
    for game in range(len(used)):
        nodes, mine, theirs = trees[game], nth_row(kind, own, game), nth_row(kind, opponent, game)
        used[game] = expand(mine, theirs, 0, nodes, 1, task.size)
        if _is_near_the_end(mine, theirs, task):
            for child in range(nodes[0].first, used[game]):
                after = moved(mine, theirs, nodes[child].move, task.size)
                prove(nodes, child, exact_result(after[0], after[1], solver))
            tighten(nodes, 0)


@compiled
def _is_near_the_end(own: Bits, opponent: Bits, task: Task) -> bool:
    return bool(task.size * task.size - count(own | opponent) <= task.solve)


@compiled
def descend(
    kind: Bits,
    roots: tuple[Rows, Rows],
    trees: Nodes,
    used: NDArray[np.int64],
    gumbels: NDArray[np.float64],
    looked_for: NDArray[np.int64],
    task: Task,
    solver: Solver,
    leaves: NDArray[np.int64],
    seen: tuple[Rows, Rows],
) -> None:
    """Go down each tree that is not proven, to a leaf.

    One whose result is known is backed up at once. The others are to be judged: `leaves` has their nodes,
    else NOWHERE, and `seen` their positions. A root with m moves to consider visits one of `looked_for[m]`
    visits.
    """
    weights = np.empty(task.size * task.size)
    for game in range(len(used)):
        nodes, node = trees[game], 0
        own, opponent = nth_row(kind, roots[0], game), nth_row(kind, roots[1], game)
        leaves[game] = NOWHERE
        if is_proven(nodes, 0):
            continue
        while nodes[node].children > 0 and not is_proven(nodes, node):
            if node == 0:
                visits = looked_for[min(nodes[0].children, len(looked_for) - 1)]
                node = _of_equal_visits(nodes, visits, gumbels[game], task, weights)
            else:
                node = nearest_to_improved(nodes, node, task, weights)
            own, opponent = moved(own, opponent, nodes[node].move, task.size)
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
            write_nth_row(own, seen[0], game)
            write_nth_row(opponent, seen[1], game)


@compiled
def take_judgements(
    trees: Nodes,
    games: NDArray[np.int64],
    leaves: NDArray[np.int64],
    logits: NDArray[np.float32],
    values: NDArray[np.float64],
) -> None:
    """Write what a guide says of leaves of some games, and back it up. `logits` is [n, squares]."""
    for i in range(len(games)):
        nodes, leaf = trees[games[i]], leaves[games[i]]
        _write_priors(nodes, leaf, logits[i], values[i])
        back_up(nodes, leaf, values[i])


@compiled
def _write_priors(nodes: Nodes, node: int, logits: NDArray[np.float32], value: float) -> None:
    """Write the value of a node, a first guess at that of its moves, and the logarithms of their priors."""
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
    nodes: Nodes, visits: int, gumbels: NDArray[np.float64], task: Task, weights: NDArray[np.float64]
) -> Integer:
    """Return the best root move among those with that many visits: sequential halving visits it next."""
    improve(nodes, 0, task, weights)
    best, highest = NOWHERE, -np.inf
    for i in range(nodes[0].children):
        child = nodes[0].first + i
        score = weights[i] + gumbels[nodes[child].move]
        if nodes[child].visits == visits and score > highest:
            best, highest = child, score
    return best


@compiled
def conclude(
    trees: Nodes,
    gumbels: NDArray[np.float64],
    task: Task,
    moves: NDArray[np.int64],
    values: NDArray[np.float64],
    policies: NDArray[np.float32],
    worths: NDArray[np.float64],
    solved: NDArray[np.bool_],
) -> None:
    """Write what each search has found."""
    weights = np.empty(task.size * task.size)
    for game in range(len(trees)):
        nodes, root = trees[game], trees[game][0]
        improve(nodes, 0, task, weights)
        moves[game] = _chosen(nodes, gumbels[game], weights)
        solved[game], values[game] = is_proven(nodes, 0), mixed_value(nodes, 0)
        to_shares(weights[: root.children])
        for i in range(root.children):
            move = nodes[root.first + i].move
            policies[game, move] = weights[i]
            worths[game, move] = completed(nodes, root.first + i, values[game])


@compiled
def _chosen(nodes: Nodes, gumbels: NDArray[np.float64], weights: NDArray[np.float64]) -> Integer:
    """Return the move to play: of the most visited, or of those that keep what is proven, the best."""
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
