"""Search to a fixed depth with any evaluator: the whole tree level by level, the leaves in large batches.

The tree is not pruned: a network values a batch of a thousand leaves faster than a hundred single leaves.
"""

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators.evaluator import Evaluator, finished
from othello_lab.game.kernels.bitboard import after, legal_moves
from othello_lab.game.kernels.bits import (
    Bits,
    Rows,
    count,
    from_int,
    lowest,
    nth_row,
    occupied,
    without_lowest,
    write_nth_row,
)
from othello_lab.game.kernels.jit import compiled

BATCH = 1 << 14
"""The largest number of positions in one batch; it limits the memory."""


def values(positions: Positions, depth: int, evaluator: Evaluator) -> tuple[NDArray[np.float64], int]:
    """Return the value of each position by a search of `depth` plies, float64 [n], and the positions visited.

    Values are for the side to move. A pass is a ply. A finished game has the value of a win, loss or draw.
    """
    if len(positions) > BATCH:
        starts = range(0, len(positions), BATCH)
        parts = [values(positions.take(slice(i, i + BATCH)), depth, evaluator) for i in starts]
        return np.concatenate([part for part, _ in parts]), sum(nodes for _, nodes in parts)
    choices, results = _look(positions)
    going = choices > 0
    visited = len(positions)
    if not going.any():
        return results, visited
    if depth == 0:
        results[going] = evaluator.values(positions.take(going))
        return results, visited
    below, nodes = values(children(positions, choices), depth - 1, evaluator)
    # The index of the first child of each position; the children of a position are consecutive.
    first = (np.cumsum(choices) - choices)[going]
    results[going] = np.maximum.reduceat(-below, first)
    return results, visited + nodes


def _look(positions: Positions) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the number of moves of each position, int64 [n] (a pass counts), and the result if it is 0."""
    choices, results = np.zeros(len(positions), np.int64), np.zeros(len(positions))
    kind = from_int(0, positions.size)
    _look_at_all(positions.own, positions.opponent, kind, positions.size, choices, results)
    return choices, results


def children(positions: Positions, choices: NDArray[np.int64] | None = None) -> Positions:
    """Return the positions after each move: of the first position by ascending moves, then of the second."""
    if choices is None:
        choices, _ = _look(positions)
    shape = (int(choices.sum()), positions.own.shape[1])
    below = Positions(positions.size, np.empty(shape, np.uint64), np.empty(shape, np.uint64))
    kind = from_int(0, positions.size)
    _write_children(positions.own, positions.opponent, kind, positions.size, below.own, below.opponent)
    return below


@compiled
def _look_at_all(
    own: Rows, opponent: Rows, kind: Bits, size: int, choices: NDArray[np.int64], results: NDArray[np.float64]
) -> None:
    for i in range(len(choices)):
        mine, theirs = nth_row(kind, own, i), nth_row(kind, opponent, i)
        choices[i] = count(legal_moves(mine, theirs, size))
        if choices[i] == 0:
            if occupied(legal_moves(theirs, mine, size)):
                choices[i] = 1
            else:
                results[i] = finished(mine, theirs)


@compiled
def _write_children(
    own: Rows, opponent: Rows, kind: Bits, size: int, children_own: Rows, children_opponent: Rows
) -> None:
    place = 0
    for i in range(len(own)):
        mine, theirs = nth_row(kind, own, i), nth_row(kind, opponent, i)
        moves = legal_moves(mine, theirs, size)
        if not occupied(moves) and occupied(legal_moves(theirs, mine, size)):
            write_nth_row(theirs, children_own, place)
            write_nth_row(mine, children_opponent, place)
            place += 1
        while occupied(moves):
            moved, left = after(mine, theirs, lowest(moves), size)
            write_nth_row(left, children_own, place)
            write_nth_row(moved, children_opponent, place)
            place += 1
            moves = without_lowest(moves)
