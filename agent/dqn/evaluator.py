"""A trained network as an evaluator."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from agent.checkpoint import CheckpointError, Stored
from agent.dqn.acting import action_values, legal_squares, masked
from agent.dqn.saving import read_network
from game.batch.games import planes
from game.batch.positions import Positions
from game.evaluators import Evaluator

_AT_ONCE = 256
"""Positions of one forward pass; 8 times as many boards where the network looks at all symmetries."""
_OTHER_SIDE = [1, 0, 3, 2]
"""The four planes as the other side sees them."""


class NetworkEvaluator(Evaluator):
    """The value of a position is that of its best move.

    Where the side to move must pass, it is minus the value for the other side; 0 where the game is over,
    which is for the search to know.
    """

    def __init__(self, stored: Stored, size: int) -> None:
        """Take the network of a checkpoint; raises CheckpointError, also for one that looks at a history."""
        config, self._network = read_network(stored, size)
        if config.frames != 1:
            raise CheckpointError(
                f"{stored.path} looks at {config.frames} frames: only a network with frames=1 can say what a "
                "position is worth without the game before it"
            )
        self._symmetric = config.symmetric_play

    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return how good each position is for its side to move, float64 [n]: expected discounted return."""
        states = torch.from_numpy(planes(positions, np.float32)).flatten(2)  # [n, 4, squares]
        values = [self._values(part) for part in torch.split(states, _AT_ONCE)]
        found: NDArray[np.float64] = torch.cat(values).numpy().astype(np.float64)
        return found

    def _values(self, states: Tensor) -> Tensor:
        passes = ~legal_squares(states).any(1)
        states[passes] = states[passes][:, _OTHER_SIDE]
        legal = legal_squares(states)
        best = masked(action_values(self._network, states, self._symmetric), legal).amax(1)
        return torch.where(passes, -best, best) * legal.any(1)
