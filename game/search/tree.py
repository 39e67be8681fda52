"""Search trees in arrays. A node is a position after a move, and node 0 is the root.

Values and bounds are for the side to move in the position, from -1 (lost) to 1 (won). The children of a node
are consecutive. A forced pass is also a child. Positions are not stored, because a search makes the moves on
the path to a node.
"""

from typing import Any

import numpy as np

from othello_lab.game.kernels.bitboard import legal_moves
from othello_lab.game.kernels.bits import Bits, Integer, count, lowest, occupied, without_lowest
from othello_lab.game.kernels.jit import compiled
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
        # Bounds of the exact result. If they are equal, the node is proven.
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
    """Tell whether the exact result of a position is known."""
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


@compiled
def may_be_best(nodes: Nodes, child: int) -> bool:
    """Tell whether a move may have a greater value than the lower bound of the parent."""
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


@compiled
def _is_before(nodes: Nodes, child: int, other: int) -> bool:
    """Tell whether a child has more visits than `other`, or equal visits and a higher value."""
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
