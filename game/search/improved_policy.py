"""The improved policy of Gumbel search, compiled: what a guide and visits together say of moves.

Danihelka, Guez, Schrittwieser and Silver 2022, "Policy improvement by planning with Gumbel"; the equations
are its. The logit of a node is the logarithm of the prior of the move that leads there.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.kernels.jit import compiled
from othello_lab.game.kernels.words import Integer
from othello_lab.game.search.tree import Nodes, is_proven, worth

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
