"""The Q-network: stacked planes in, one value per square out."""

from functools import cache
from itertools import pairwise
from math import isqrt
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from agent.dqn.config import DQNConfig
from agent.memory.frames import unpack
from game import symmetry


def make_network(config: DQNConfig, size: int, generator: torch.Generator | None = None) -> nn.Module:
    """Return the network of a configuration, float [batch, frames * 4, squares] to [batch, squares].

    A pass has no output: it is no decision. Weights start He-uniform, from `generator`
    (None for weights that will be replaced); biases at 0.
    """
    planes, squares = 4 * config.frames, size * size
    outputs = squares + config.dueling
    if config.network == "conv":
        layers = [_Tower(planes, size, config.channels, config.blocks), nn.Flatten()]
        layers += [nn.Linear(_HEAD * squares, outputs)]
    else:
        layers = [nn.Flatten()]
        for inputs, units in pairwise([planes * squares, *config.hidden]):
            layers += [nn.Linear(inputs, units), nn.ReLU(inplace=True)]
        layers += [nn.Linear([planes * squares, *config.hidden][-1], outputs)]
    network = nn.Sequential(*layers)
    _initialise(network, generator)
    return _Dueling(network) if config.dueling else network


def network_shapes(config: DQNConfig, size: int) -> dict[str, tuple[int, ...]] | None:
    """Return the shape of each weight of a configuration's network; None if no memory could hold it.

    Takes no memory for the weights themselves.
    """
    try:
        with torch.device("meta"):
            network = make_network(config, size)
    except (RuntimeError, TypeError):  # numbers beyond those of torch
        return None
    return {name: tuple(weight.shape) for name, weight in network.state_dict().items()}


_HEAD = 4
"""Planes that a tower hands to the last layer."""


class _Tower(nn.Module):
    """A residual tower (He et al. 2016) without normalisation, which a moving target would blur."""

    def __init__(self, planes: int, size: int, channels: int, blocks: int) -> None:
        super().__init__()
        self.size = size
        self.stem = nn.Conv2d(planes, channels, 3, padding=1)
        self.blocks = nn.ModuleList(_Block(channels) for _ in range(blocks))
        self.head = nn.Conv2d(channels, _HEAD, 1)

    def forward(self, state: Tensor) -> Tensor:
        """Return [batch, 4, size, size] from [batch, planes, squares]."""
        value = torch.relu(self.stem(state.view(len(state), -1, self.size, self.size)))
        for block in self.blocks:
            value = block(value)
        return torch.relu(self.head(value))


class _Block(nn.Module):
    """Two convolutions and a way around them."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, value: Tensor) -> Tensor:
        """Return [batch, channels, size, size] from the same."""
        return torch.relu(value + self.second(torch.relu(self.first(value))))


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


def _initialise(network: nn.Module, generator: torch.Generator | None) -> None:
    for layer in network.modules():
        if isinstance(layer, nn.Linear | nn.Conv2d):
            nn.init.kaiming_uniform_(layer.weight, nonlinearity="relu", generator=generator)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)
        if isinstance(layer, _Block):
            nn.init.zeros_(layer.second.weight)  # each block begins as the identity


def masked(values: Tensor, legal: Tensor) -> Tensor:
    """Return values with the illegal squares at the lowest finite number: never chosen, never NaN."""
    return values.masked_fill(~legal, torch.finfo(values.dtype).min)


def legal_squares(state: Tensor) -> Tensor:
    """Return bool [batch, squares], plane 2 of the newest frame; state is [batch, planes, squares]."""
    return state[:, 2].bool()


@torch.inference_mode()
def action_values(network: nn.Module, states: Tensor, symmetric: bool) -> Tensor:
    """Return the values [batch, squares] by which to act; states are float [batch, planes, squares].

    With `symmetric` they are the mean over the 8 symmetries of the board: the network has learned each of
    them from other games, so that its errors partly cancel.
    """
    if not symmetric:
        values: Tensor = network(states)
        return values
    batch, planes, squares = states.shape
    sources, targets = _symmetries(isqrt(squares))
    turned = states[:, :, sources].transpose(1, 2).reshape(-1, planes, squares)  # [batch * 8, ...]
    values = network(turned).view(batch, symmetry.SYMMETRIES, squares)
    return values.gather(2, targets.expand(batch, -1, -1)).mean(1)


@cache
def _symmetries(size: int) -> tuple[Tensor, Tensor]:
    """Return `symmetry.inverses` and `symmetry.permutations` as tensors."""
    return torch.tensor(symmetry.inverses(size)), torch.tensor(symmetry.permutations(size))


def best_square(network: nn.Module, stack: NDArray[np.uint8], squares: int, symmetric: bool) -> int:
    """Return the legal square with the highest value; stack is uint8 [frames, squares / 2], newest first."""
    state = torch.from_numpy(unpack(stack[None], squares)).float()  # [1, planes, squares]
    return int(masked(action_values(network, state, symmetric), legal_squares(state)).argmax())


def network_weights(arrays: dict[str, NDArray[Any]]) -> dict[str, Tensor]:
    """Return, from the arrays of a checkpoint, the weights of the network that plays."""
    prefix = "average."
    return {
        key.removeprefix(prefix): torch.from_numpy(array.copy())
        for key, array in arrays.items()
        if key.startswith(prefix)
    }
