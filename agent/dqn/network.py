"""The Q-network: stacked planes in, one value per square out; and its values for play."""

from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from othello_lab.agent.dqn.config import NetworkOptions
from othello_lab.agent.memory.recorder import unpack
from othello_lab.agent.weights import initialise, mean_of_symmetries

AVERAGE = "average."
"""Prefix of the arrays of the average network, which plays when exploring is off."""
_UNITS: dict[str, type[nn.ReLU | nn.LeakyReLU]] = {"relu": nn.ReLU, "leaky-relu": nn.LeakyReLU}
_HEAD = 4
"""Planes from a tower to the last layer."""


def make_network(config: NetworkOptions, size: int, generator: torch.Generator | None = None) -> nn.Module:
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
            layers += [nn.Linear(inputs, units), _UNITS[config.units](inplace=True)]
        layers += [nn.Linear([planes * squares, *config.hidden][-1], outputs)]
    network = nn.Sequential(*layers)
    initialise(network, generator)
    return _Dueling(network) if config.dueling else network


class _Tower(nn.Module):
    """A residual tower (He et al. 2016) without normalisation, which a moving target would blur."""

    def __init__(self, planes: int, size: int, config: NetworkOptions) -> None:
        super().__init__()
        self.size, self.units = size, _UNITS[config.units]()
        self.stem = nn.Conv2d(planes, config.channels, 3, padding=1)
        self.blocks = nn.ModuleList(_Block(config.channels, self.units) for _ in range(config.blocks))
        self.head = nn.Conv2d(config.channels, _HEAD, 1)

    def forward(self, state: Tensor) -> Tensor:
        """Return [batch, 4, size, size] from [batch, planes, squares]."""
        value = self.units(self.stem(state.view(len(state), -1, self.size, self.size)))
        for block in self.blocks:
            value = block(value)
        planes: Tensor = self.units(self.head(value))
        return planes


class _Block(nn.Module):
    """Two convolutions and a skip connection, [batch, channels, size, size] to the same."""

    def __init__(self, channels: int, units: nn.Module) -> None:
        super().__init__()
        self.units = units
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, value: Tensor) -> Tensor:
        planes: Tensor = self.units(value + self.second(self.units(self.first(value))))
        return planes


class _Dueling(nn.Module):
    """Adds the last output, the value of the position, to the advantages of the moves.

    The mean advantage is taken over the legal moves.
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


def legal_squares(state: Tensor) -> Tensor:
    """Return bool [batch, squares], plane 2 of the newest frame; state is [batch, planes, squares]."""
    return state[:, 2].bool()


@torch.inference_mode()
def action_values(network: nn.Module, states: Tensor, symmetric: bool) -> Tensor:
    """Return the values to act by, [batch, squares]; states are float [batch, planes, squares].

    With `symmetric` the values are the mean over the 8 symmetries of the board.
    """
    values: Tensor = mean_of_symmetries(network, states) if symmetric else network(states)
    return values


def square_values(
    network: nn.Module, stack: NDArray[np.uint8], squares: int, symmetric: bool
) -> NDArray[np.float64]:
    """Return the values of all squares, float64 [squares], of which only those of legal squares are valid.

    stack: uint8 [frames, squares / 2], newest first.
    """
    device = next(network.parameters()).device
    state = torch.from_numpy(unpack(stack[None], squares)).to(device).float()
    return np.asarray(action_values(network, state, symmetric)[0].cpu().numpy(), np.float64)
