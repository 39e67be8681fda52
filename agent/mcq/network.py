"""The Q-network. Its input is a board and a move, its output is one value."""

from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from othello_lab.agent.mcq.method import NETWORKS, MCQConfig
from othello_lab.agent.weights import initialise
from othello_lab.game.batch import Positions, legal_moves, to_mask

_AT_ONCE = 1024
"""Maximum number of positions in one forward pass. Each has about ten moves."""


class QNetwork(nn.Module):
    """A fully connected network, from a board and a move to one value between -1 and 1.

    It has 2 * N * N inputs: a plane with +1 for own discs and -1 for the opponent's, and a plane with 1 on
    the move's square. It has ReLU between the layers and tanh at the end. The first layer processes a board
    only once for all its moves: `values(first_layer(boards)[rows], moves)`.
    """

    def __init__(self, units: tuple[int, ...], size: int, generator: torch.Generator | None = None) -> None:
        """Weights start He-uniform, drawn from `generator`. Biases start at 0."""
        super().__init__()
        self._squares = size * size
        self.first = nn.Linear(2 * self._squares, units[0])
        layers: list[nn.Module] = []
        for inputs, outputs in pairwise((*units, 1)):
            layers += [nn.ReLU(), nn.Linear(inputs, outputs)]
        self.rest = nn.Sequential(*layers, nn.Tanh())
        initialise(self, generator)

    def first_layer(self, boards: Tensor) -> Tensor:
        """Return the first layer's sums for boards without moves: float [n, squares] to [n, units]."""
        return functional.linear(boards, self.first.weight[:, : self._squares], self.first.bias)

    def values(self, sums: Tensor, moves: Tensor) -> Tensor:
        """Return values, float [n]: one for each sum of `first_layer` and its move, int64 [n]."""
        of_moves = self.first.weight[:, self._squares :].t()  # [squares, units]
        values: Tensor = self.rest(sums + functional.embedding(moves, of_moves))  # [n, 1]
        return values.squeeze(1)

    def forward(self, boards: Tensor, moves: Tensor) -> Tensor:
        """Return the value, float [n], of one move, int64 [n], on each board, float [n, squares]."""
        return self.values(self.first_layer(boards), moves)


def make_network(config: MCQConfig, size: int, generator: torch.Generator | None = None) -> QNetwork:
    """Return the network of a configuration. `generator` may be None if the weights will be replaced."""
    return QNetwork(NETWORKS[config.network], size, generator)


def boards_of(positions: Positions) -> NDArray[np.int8]:
    """Return 1 for discs of the side to move, -1 for the other side's, 0 else, int8 [n, squares]."""
    size = positions.size
    mine: NDArray[np.int8] = to_mask(positions.own, size).astype(np.int8)
    return mine - to_mask(positions.opponent, size)


@torch.inference_mode()
def move_values(network: QNetwork, positions: Positions) -> NDArray[np.float64]:
    """Return the value of each legal move of each position, float64 [moves]."""
    boards = boards_of(positions)
    rows, moves = np.nonzero(to_mask(legal_moves(positions), positions.size))
    values = np.empty(len(moves))
    for start in range(0, len(boards), _AT_ONCE):
        part = slice(*np.searchsorted(rows, (start, start + _AT_ONCE)))
        sums = network.first_layer(torch.from_numpy(boards[start : start + _AT_ONCE]).float())
        values[part] = network.values(sums[rows[part] - start], torch.from_numpy(moves[part])).numpy()
    return values
