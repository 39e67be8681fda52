"""The value network: an afterstate in, how good it is for the side that has just moved out."""

from itertools import pairwise

import torch
from torch import nn

from agent.td.config import TDConfig

_UNITS: dict[str, type[nn.Module]] = {"sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "relu": nn.ReLU}


def make_network(config: TDConfig, size: int, generator: torch.Generator | None = None) -> nn.Sequential:
    """Return the network of a configuration, float [n, 2 * squares] to [n, 1].

    Weights start He-uniform, from `generator` (None for weights that will be replaced); biases at 0.
    """
    layers = _conv(config, size) if config.network == "conv" else _mlp(config, 2 * size * size)
    network = nn.Sequential(*layers, _UNITS[config.output]())
    for layer in network:
        if isinstance(layer, nn.Linear | nn.Conv2d):
            _initialise(layer, generator)
    return network


def _mlp(config: TDConfig, inputs: int) -> list[nn.Module]:
    layers: list[nn.Module] = []
    for width, units in pairwise([inputs, *config.hidden]):
        layers += [nn.Linear(width, units), _UNITS[config.units]()]
    return [*layers, nn.Linear([inputs, *config.hidden][-1], 1)]


def _conv(config: TDConfig, size: int) -> list[nn.Module]:
    channels, dense = config.channels, config.dense
    return [
        nn.Unflatten(1, (2, size, size)),
        nn.Conv2d(2, channels, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(channels, channels, 3, padding=1),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(channels * size * size, dense),
        nn.ReLU(),
        nn.Linear(dense, 1),
    ]


def _initialise(layer: nn.Linear | nn.Conv2d, generator: torch.Generator | None) -> None:
    nn.init.kaiming_uniform_(layer.weight, nonlinearity="relu", generator=generator)
    if layer.bias is not None:
        nn.init.zeros_(layer.bias)
