"""The tree of Descent and of unbounded best-first minimax, compiled; `descent_walk.py` searches it.

A state is solved where it is known who wins: one won move is enough, else all moves must be solved (the
"completion" of Cohen-Solal 2020). Values are those of the side to move. A pass is a move.
"""

from typing import Any

import numpy as np

from othello_lab.game.evaluators.evaluator import PARAMETERS, evaluate
from othello_lab.game.kernels.bitboard import after, legal_moves
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.kernels.words import (
    Integer,
    Words,
    count,
    lowest,
    nth_row,
    occupied,
    without_lowest,
    write_nth_row,
)

NODE = np.dtype(
    [
        # How good the state is: by the evaluation, by its best move, or as the game ended.
        ("value", np.float32),
        # The node of the first move, the others follow; 0: the state was not looked into.
        ("first", np.int32),
        ("moves", np.int16),
        # Whether it is known who wins, and who: 1 the side to move, -1 the other. 0 is a draw, or not known.
        ("solved", np.bool_),
        ("winner", np.int8),
    ],
    align=True,
)
# Records of NODE: compiled code reads and writes their fields as attributes.
Nodes = Any
TASK = np.dtype(
    [
        ("size", np.int64),
        ("parameters", PARAMETERS),
        # Whether a finished game is worth its score as a share of the board; else 1, 0 or -1.
        ("by_discs", np.bool_),
        # Whether it is Descent; else unbounded minimax.
        ("to_the_end", np.bool_),
        ("iterations", np.int64),
        # Whether states are valued by somebody else after they were added; else by `parameters`.
        ("waits", np.bool_),
    ],
    align=True,
)
"""What is the same for all trees."""
# An item of TASK: compiled code reads its fields as attributes.
Task = Any
# Where the trees of a game lie, one after another: a set of the kind that the size needs, the own discs and
# the opponent's of all nodes, uint64 [nodes, words], and the nodes.
Arena = Any
NOWHERE = -1
"""The node of a position that the arena does not hold."""


@compiled
def discs_of(arena: Arena, node: Integer) -> tuple[Words, Words]:
    """Return the position of a node."""
    like, own, opponent, _ = arena
    return nth_row(like, own, node), nth_row(like, opponent, node)


@compiled
def find(arena: Arena, root: Integer, own: Words, opponent: Words) -> Integer:
    """Return the node of a position among those that follow a root, NOWHERE if there is none.

    Only nodes with less discs are looked into, so that this takes next to no time when few moves were made.
    """
    nodes, waiting, discs = arena[3], [root], count(own | opponent)
    while len(waiting) > 0:
        node = waiting.pop()
        mine, theirs = discs_of(arena, node)
        if mine == own and theirs == opponent:
            return node
        must_pass = mine == opponent and theirs == own
        if must_pass or count(mine | theirs) < discs:
            for child in range(nodes[node].first, nodes[node].first + nodes[node].moves):
                waiting.append(child)
    return NOWHERE


@compiled
def add(arena: Arena, node: Integer, own: Words, opponent: Words, task: Task) -> None:
    """Write a state that was not looked into; it is worth 0 as long as it waits for its value."""
    write_nth_row(own, arena[1], node)
    write_nth_row(opponent, arena[2], node)
    state, size = arena[3][node], task.size
    state.first, state.moves, state.winner, state.value = 0, 0, 0, 0.0
    state.solved = not (
        occupied(legal_moves(own, opponent, size)) or occupied(legal_moves(opponent, own, size))
    )
    if state.solved:
        state.winner = np.sign(count(own) - count(opponent))
        state.value = end_value(own, opponent, size) if task.by_discs else state.winner
    elif not task.waits:
        state.value = evaluate(own, opponent, size, task.parameters)


@compiled
def end_value(own: Words, opponent: Words, size: int) -> float:
    """Return the score of a finished game as a share of the board, the empty squares being the winner's."""
    difference = count(own) - count(opponent)
    left = size * size - count(own | opponent)
    return float(difference + np.sign(difference) * left) / (size * size)


@compiled
def expand(arena: Arena, used: Integer, node: Integer, task: Task) -> Integer:
    """Add the states behind all moves of a state that goes on; return how many nodes are used then.

    None is added where there is no room for all.
    """
    nodes = arena[3]
    own, opponent = discs_of(arena, node)
    moves = legal_moves(own, opponent, task.size)
    choices = max(count(moves), 1)
    if used + choices > len(nodes):
        return used
    nodes[node].first, nodes[node].moves = used, choices
    if not occupied(moves):
        add(arena, used, opponent, own, task)
    for child in range(used, used + count(moves)):
        moved, left = after(own, opponent, lowest(moves), task.size)
        add(arena, child, left, moved, task)
        moves = without_lowest(moves)
    return used + choices


@compiled
def back_up(nodes: Nodes, node: Integer) -> None:
    """Give a state the value of its best move: a won one before any other, and a lost one after them."""
    state = nodes[node]
    winner, value, solved = -2, np.float32(0.0), True
    for child in range(state.first, state.first + state.moves):
        wins, worth = -nodes[child].winner, -nodes[child].value
        if wins > winner or (wins == winner and worth > value):
            winner, value = wins, worth
        solved = solved and nodes[child].solved
    state.value, state.winner = value, winner
    state.solved = solved or winner == 1


@compiled
def best_open(nodes: Nodes, node: Integer) -> Integer:
    """Return the node of the best move that is not solved, the first of equals; NOWHERE if all are."""
    found, value = NOWHERE, np.float32(0.0)
    state = nodes[node]
    for child in range(state.first, state.first + state.moves):
        worth = -nodes[child].value
        if not nodes[child].solved and (found == NOWHERE or worth > value):
            found, value = child, worth
    return found
