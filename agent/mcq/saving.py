"""The learner's part of a Monte-Carlo Q checkpoint, and how it is checked."""

from typing import Any

import msgspec
import numpy as np
import torch

from agent.checkpoint import Arrays, CheckpointError, Stored, check_arrays
from agent.mcq.config import MCQConfig
from agent.mcq.network import QNetwork, make_network
from agent.mcq.samples import Samples
from agent.mcq.training import NETWORK, load_weights
from agent.saving import Count, config_of

_WAITING = "waiting."
"""What the arrays of the decisions that will be learned from begin with."""


class Progress(msgspec.Struct):
    """The values of a checkpoint that holds all that a resume needs."""

    updates: Count
    waiting: Count
    """Games that will be learned from."""
    numbers: dict[str, float]
    draws: dict[str, Any]
    """The random state that orders and symmetries are drawn with."""


def read_config(stored: Stored, size: int) -> MCQConfig:
    """Return the configuration of a checkpoint for boards of `size`; raises CheckpointError.

    The network is there, in the shapes that the configuration says.
    """
    config = config_of(stored, size, MCQConfig)
    with torch.device("meta"):  # no memory is taken for it
        weights = make_network(config, size).state_dict()
    shapes = {NETWORK + name: (tuple(weight.shape), np.float32) for name, weight in weights.items()}
    held = {name: array for name, array in stored.arrays.items() if name.startswith(NETWORK)}
    check_arrays(stored.path, held, shapes)
    return config


def read_network(stored: Stored, size: int) -> QNetwork:
    """Return the network of a checkpoint; raises CheckpointError as `read_config` does."""
    network = make_network(read_config(stored, size), size)
    load_weights(network, stored.arrays)
    return network


def waiting_arrays(samples: Samples) -> Arrays:
    """Return decisions as arrays of a checkpoint."""
    return {_WAITING + name: array for name, array in samples._asdict().items()}


def read_waiting(stored: Stored, squares: int) -> tuple[Samples, Arrays]:
    """Return the decisions of a checkpoint and its other arrays; raises CheckpointError."""
    held = {name: array for name, array in stored.arrays.items() if name.startswith(_WAITING)}
    n = len(np.atleast_1d(held.get(_WAITING + "moves", ())))
    shapes = {"boards": ((n, squares), np.int8), "moves": ((n,), np.int64), "targets": ((n,), np.float32)}
    check_arrays(stored.path, held, {_WAITING + name: form for name, form in shapes.items()})
    found = Samples(*(held[_WAITING + name] for name in Samples._fields))
    if not np.isin(found.moves, np.arange(squares)).all():
        raise CheckpointError(f"{stored.path} holds decisions that are none: squares out of range")
    return found, {name: array for name, array in stored.arrays.items() if name not in held}
