"""The learner's part of a DQN checkpoint, and how it is checked."""

from typing import Any

import msgspec
import numpy as np
import torch
from torch import Tensor, nn

from agent.checkpoint import Arrays, CheckpointError, Stored, check_arrays
from agent.dqn.config import DQNConfig
from agent.dqn.network import make_network, network_shapes
from agent.saving import Count, config_of

REPLAY = "replay."
"""What the arrays of the replay memory begin with."""
_PLAYS = "average."
"""What the arrays of the network that plays begin with."""


class Progress(msgspec.Struct):
    """The values of a checkpoint that holds all that a resume needs."""

    updates: Count
    numbers: dict[str, float]
    appended: Count
    replay: dict[str, Any]
    """The random state that batches are drawn with."""
    learned_games: Count = 0
    """Many at once."""


def policy_arrays(network: nn.Module) -> Arrays:
    """Return the weights of the network that plays as arrays of a checkpoint."""
    return {_PLAYS + key: value.cpu().numpy() for key, value in network.state_dict().items()}


def policy_weights(arrays: Arrays) -> dict[str, Tensor]:
    """Return the weights of the network that plays from the arrays of a checkpoint."""
    plays = {key.removeprefix(_PLAYS): array for key, array in arrays.items() if key.startswith(_PLAYS)}
    return {key: torch.from_numpy(array.astype(np.float32)) for key, array in plays.items()}


def read_config(stored: Stored, size: int) -> DQNConfig:
    """Return the configuration of a checkpoint for boards of `size`; raises CheckpointError.

    The network that plays is there, in the shapes that the configuration says.
    """
    found = config_of(stored, size, DQNConfig)
    _check_network(stored, found, size)
    return found


def _check_network(stored: Stored, config: DQNConfig, size: int) -> None:
    """Raise CheckpointError unless the network that plays is the one that the configuration describes.

    Nothing is built for it: a small file may describe a network of terabytes.
    """
    plays = {name: array for name, array in stored.arrays.items() if name.startswith(_PLAYS)}
    layers = config.blocks if config.network == "conv" else len(config.hidden)
    shapes = network_shapes(config, size) if layers <= len(plays) else None
    if shapes is None:
        raise CheckpointError(f"{stored.path} does not hold the network that it describes")
    # Shipped networks are halves, to be small.
    halves = all(array.dtype == np.float16 for array in plays.values())
    dtype = np.float16 if halves else np.float32
    check_arrays(stored.path, plays, {_PLAYS + name: (shape, dtype) for name, shape in shapes.items()})


def read_network(stored: Stored, size: int) -> tuple[DQNConfig, nn.Module]:
    """Return the network that plays and its configuration; raises CheckpointError as `read_config` does."""
    config = read_config(stored, size)
    network = make_network(config, size)
    network.load_state_dict(policy_weights(stored.arrays))
    return config, network
