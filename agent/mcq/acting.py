"""Values of all moves of many positions, from one forward pass of the network."""

import numpy as np
import torch
from numpy.typing import NDArray

from agent.mcq.network import QNetwork
from game.batch.games import legal_moves, to_mask
from game.batch.positions import Positions

_AT_ONCE = 1024
"""Positions of one forward pass, each with some ten moves."""


def boards_of(positions: Positions) -> NDArray[np.int8]:
    """Return 1 for the discs of the side to move, -1 for the other's, int8 [n, squares]."""
    size = positions.size
    mine: NDArray[np.int8] = to_mask(positions.own, size).astype(np.int8)
    return mine - to_mask(positions.opponent, size)


def moves_of(positions: Positions) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all legal moves, and before them the number of the position of each, int64 [moves].

    Those of the first position come first, by ascending square.
    """
    rows, moves = np.nonzero(to_mask(legal_moves(positions), positions.size))
    return rows, moves


@torch.inference_mode()
def values_of(
    network: QNetwork, boards: NDArray[np.int8], rows: NDArray[np.int64], moves: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the value of each move on the board of its row, float64 [moves]; `rows` ascend."""
    found = np.empty(len(moves))
    for start in range(0, len(boards), _AT_ONCE):
        part = slice(*np.searchsorted(rows, (start, start + _AT_ONCE)))
        seen = network.see(torch.from_numpy(boards[start : start + _AT_ONCE]).float())
        found[part] = network.judge(seen[rows[part] - start], torch.from_numpy(moves[part])).numpy()
    return found


def move_values(network: QNetwork, positions: Positions) -> NDArray[np.float64]:
    """Return what each legal move of each position is worth; see `agent.learner.BatchLearner`."""
    return values_of(network, boards_of(positions), *moves_of(positions))


def best_move(network: QNetwork, board: NDArray[np.int8], legal: NDArray[np.int64]) -> int:
    """Return the square of the highest value among the legal ones, int64 [moves]; board is [1, squares]."""
    return int(legal[values_of(network, board, np.zeros_like(legal), legal).argmax()])
