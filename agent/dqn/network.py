"""The Q-network, from a stack of planes to one value for each square, and its values for play."""

from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from othello_lab.agent.dqn.config import NetworkOptions
from othello_lab.agent.memory.recorder import unpack
from othello_lab.agent.weights import initialise, mean_of_symmetries

AVERAGE = "average."
"""Prefix of the arrays of the average network, which plays while exploring is frozen."""
_UNITS: dict[str, type[nn.ReLU | nn.LeakyReLU]] = {"relu": nn.ReLU, "leaky-relu": nn.LeakyReLU}
_HEAD = 4
"""Number of planes from the tower to the last layer."""


def make_network(config: NetworkOptions, size: int, generator: torch.Generator | None = None) -> nn.Module:
    """Return the network of a configuration: float [batch, frames * 4, squares] to [batch, squares].

    A pass has no output, since it is not a decision. Weights start He-uniform, drawn from `generator` (None
    if they will be replaced). Biases start at 0.
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
    """A residual tower (He et al. 2016) without normalisation, which moving targets would disturb."""

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
    """Two convolutions and a skip connection. Input and output are [batch, channels, size, size]."""

    def __init__(self, channels: int, units: nn.Module) -> None:
        super().__init__()
        self.units = units
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, value: Tensor) -> Tensor:
        planes: Tensor = self.units(value + self.second(self.units(self.first(value))))
        return planes


class _Dueling(nn.Module):
    """Adds the value of the position, the last output, to the advantages of the moves.

    The mean advantage of the legal moves is subtracted.
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
    """Return the legal squares, bool [batch, squares], from float [batch, planes, squares]."""
    return state[:, 2].bool()


@torch.inference_mode()
def action_values(network: nn.Module, states: Tensor, symmetric: bool) -> Tensor:
    """Return the values for play, [batch, squares]. `states` is float [batch, planes, squares].

    If `symmetric`, they are the mean values over the 8 symmetries of the board.
    """
    values: Tensor = mean_of_symmetries(network, states) if symmetric else network(states)
    return values


def square_values(
    network: nn.Module, stack: NDArray[np.uint8], squares: int, symmetric: bool
) -> NDArray[np.float64]:
    """Return the values of all squares, float64 [squares]. Only values of legal squares are valid.

    `stack` is uint8 [frames, squares / 2], newest first.
    """
    device = next(network.parameters()).device
    state = torch.from_numpy(unpack(stack[None], squares)).to(device).float()
    return np.asarray(action_values(network, state, symmetric)[0].cpu().numpy(), np.float64)
