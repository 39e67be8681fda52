"""Weights of a network as arrays of a checkpoint."""

from collections.abc import Callable

import numpy as np
import torch
from torch import nn

from agent.checkpoint import Arrays, Forms


def forms_of(make: Callable[[], nn.Module], prefix: str) -> Forms | None:
    """Return what the arrays of a network are; None if no memory could hold it. None is taken for it."""
    try:
        with torch.device("meta"):
            network = make()
    except (RuntimeError, TypeError):  # numbers beyond those of torch
        return None
    weights = network.state_dict().items()
    return {prefix + name: (tuple(weight.shape), np.float32) for name, weight in weights}


def to_arrays(network: nn.Module, prefix: str) -> Arrays:
    """Return the weights of a network, not copied where it is on the processor."""
    return {prefix + name: weight.cpu().numpy() for name, weight in network.state_dict().items()}


def put(arrays: Arrays, network: nn.Module, prefix: str) -> None:
    """Put copies of what `to_arrays` returned into a network; names and shapes must be the same."""
    names = network.state_dict()
    network.load_state_dict({name: torch.from_numpy(arrays[prefix + name].copy()) for name in names})
