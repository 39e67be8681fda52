"""The learner's part of a TD checkpoint, and how it is checked."""

from typing import Any

import msgspec
import numpy as np
import torch
from torch import nn

from agent.checkpoint import Arrays, CheckpointError, Stored, check_arrays
from agent.saving import Count, config_of
from agent.td.config import TDConfig
from agent.td.network import network_shapes
from agent.td.values import Values, make_values

_NETWORK = "network."
"""What the arrays of the network begin with."""


Shapes = dict[str, tuple[tuple[int, ...], type[np.float32]]]
"""Arrays by name, as `checkpoint.check_arrays` takes them."""


class Progress(msgspec.Struct):
    """The values of a checkpoint that holds all that a resume needs."""

    updates: Count
    error: float
    batches: Count
    """Steps of the optimiser."""
    draws: dict[str, Any]
    """The random state that its batches are drawn with."""


def policy_arrays(network: nn.Module) -> Arrays:
    """Return the weights of the network as arrays of a checkpoint."""
    return {_NETWORK + key: value.numpy().copy() for key, value in network.state_dict().items()}


def read_config(stored: Stored, size: int) -> TDConfig:
    """Return the configuration of a checkpoint for boards of `size`; raises CheckpointError.

    The network is there, in the shapes that the configuration says. Nothing is built to find that out: a
    small file may describe a network of terabytes.
    """
    config = config_of(stored, size, TDConfig)
    found = {name: array for name, array in stored.arrays.items() if name.startswith(_NETWORK)}
    shapes = array_shapes(config, size) if len(config.hidden) <= len(found) else None
    if shapes is None:
        raise CheckpointError(f"{stored.path} does not hold the network that it describes")
    check_arrays(stored.path, found, shapes)
    return config


def array_shapes(config: TDConfig, size: int) -> Shapes | None:
    """Return the arrays of a configuration's network in a checkpoint; None if no memory could hold them."""
    shapes = network_shapes(config, size)
    if shapes is None:
        return None
    return {_NETWORK + name: (shape, np.float32) for name, shape in shapes.items()}


def put_weights(stored: Stored, network: nn.Module) -> None:
    """Put the weights of a checkpoint that was checked into a network."""
    arrays = {key.removeprefix(_NETWORK): array for key, array in stored.arrays.items()}
    network.load_state_dict({key: torch.from_numpy(arrays[key].copy()) for key in network.state_dict()})


def read_values(stored: Stored, size: int) -> Values:
    """Return the network of a checkpoint; raises CheckpointError as `read_config` does."""
    values = make_values(read_config(stored, size), size)
    put_weights(stored, values.network)
    return values
