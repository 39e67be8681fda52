"""A trained network as an evaluator."""

import numpy as np
import torch
from numpy.typing import NDArray

from agent.checkpoint import CheckpointError, Stored
from agent.dqn.acting import action_values, legal_squares
from agent.dqn.saving import read_network
from agent.move_evaluator import MoveEvaluator
from game.batch.games import planes
from game.batch.positions import Positions

_AT_ONCE = 256
"""Positions of one forward pass; 8 times as many boards where the network looks at all symmetries."""


def network_evaluator(stored: Stored, size: int) -> MoveEvaluator:
    """Return the network of a checkpoint as an evaluator.

    Raises CheckpointError, also for one that looks at a history.
    """
    config, network = read_network(stored, size)
    if config.frames != 1:
        raise CheckpointError(
            f"{stored.path} looks at {config.frames} frames: only a network with frames=1 can say what a "
            "position is worth without the game before it"
        )

    def move_values(positions: Positions) -> NDArray[np.float64]:
        states = torch.from_numpy(planes(positions, np.float32)).flatten(2)  # [n, 4, squares]
        parts = torch.split(states, _AT_ONCE)
        values = torch.cat([action_values(network, part, config.symmetric_play) for part in parts])
        found: NDArray[np.float64] = values[legal_squares(states)].numpy().astype(np.float64)
        return found

    return MoveEvaluator(move_values)
