"""The Q-network: stacked planes in, one value per square out."""

from collections.abc import Callable
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.weights import initialise

AVERAGE = "average."
"""What the names of the arrays of the average network begin with, which plays when exploring is frozen."""


def make_network(config: DQNConfig, size: int, generator: torch.Generator | None = None) -> nn.Module:
    """Return the network of a configuration, float [batch, frames * 4, squares] to [batch, squares].

    A pass has no output: it is no decision. Weights start He-uniform, from `generator`
    (None for weights that will be replaced); biases at 0.
    """
    planes, squares = 4 * config.frames, size * size
    outputs = squares + config.dueling
    if config.network == "conv":
        layers = [_Tower(planes, size, config), nn.Flatten()]
        layers += [nn.Linear(_HEAD * squares, outputs)]
    else:
        layers = [nn.Flatten()]
        for inputs, units in pairwise([planes * squares, *config.hidden]):
            layers += [nn.Linear(inputs, units), _MODULES[config.units](inplace=True)]
        layers += [nn.Linear([planes * squares, *config.hidden][-1], outputs)]
    network = nn.Sequential(*layers)
    initialise(network, generator)
    return _Dueling(network) if config.dueling else network


_Units = Callable[[Tensor], Tensor]
_MODULES: dict[str, type[nn.ReLU | nn.LeakyReLU]] = {"relu": nn.ReLU, "leaky-relu": nn.LeakyReLU}
_FUNCTIONS: dict[str, _Units] = {"relu": torch.relu, "leaky-relu": functional.leaky_relu}
"""The same two, which torch has with a slope of 0.01 for the second."""
_HEAD = 4
"""Planes that a tower hands to the last layer."""


class _Tower(nn.Module):
    """A residual tower (He et al. 2016) without normalisation, which a moving target would blur."""

    def __init__(self, planes: int, size: int, config: DQNConfig) -> None:
        super().__init__()
        self.size, self.units = size, _FUNCTIONS[config.units]
        self.stem = nn.Conv2d(planes, config.channels, 3, padding=1)
        self.blocks = nn.ModuleList(_Block(config.channels, self.units) for _ in range(config.blocks))
        self.head = nn.Conv2d(config.channels, _HEAD, 1)

    def forward(self, state: Tensor) -> Tensor:
        """Return [batch, 4, size, size] from [batch, planes, squares]."""
        value = self.units(self.stem(state.view(len(state), -1, self.size, self.size)))
        for block in self.blocks:
            value = block(value)
        return self.units(self.head(value))


class _Block(nn.Module):
    """Two convolutions and a way around them."""

    def __init__(self, channels: int, units: _Units) -> None:
        super().__init__()
        self.units = units
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, value: Tensor) -> Tensor:
        """Return [batch, channels, size, size] from the same."""
        return self.units(value + self.second(self.units(self.first(value))))


class _Dueling(nn.Module):
    """Turns the last output into the value of the position, to which the advantages of the moves are added.

    Their mean is taken over the legal moves: the others are no moves.
    """

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, state: Tensor) -> Tensor:
        """Return [batch, squares] from [batch, planes, squares]."""
        outputs = self.network(state)
        value, advantages = outputs[:, -1:], outputs[:, :-1]
        legal = state[:, 2]
        mean = (advantages * legal).sum(1, keepdim=True) / legal.sum(1, keepdim=True).clamp(min=1)
        values: Tensor = value + advantages - mean
        return values
