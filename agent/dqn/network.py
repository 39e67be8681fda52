"""The Q-network from a stack of planes to a value for each square."""

from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from othello_lab.agent.dqn.config import NetworkOptions
from othello_lab.agent.memory.recorder import unpack
from othello_lab.agent.weights import initialise, mean_of_symmetries

AVERAGE = "average."  # Prefix of the average network's arrays. It plays while exploring is frozen.
_UNITS: dict[str, type[nn.ReLU | nn.LeakyReLU]] = {"relu": nn.ReLU, "leaky-relu": nn.LeakyReLU}


def make_network(config: NetworkOptions, size: int, generator: torch.Generator | None = None) -> nn.Module:
    """Return a network from float [batch, frames * 4, squares] to float [batch, squares].

    `generator` draws the weights. It may be None if the caller replaces the weights.
    """
    squares = size * size
    widths = [4 * config.frames * squares, *config.hidden]
    layers: list[nn.Module] = [nn.Flatten()]
    for inputs, units in pairwise(widths):
        layers += [nn.Linear(inputs, units), _UNITS[config.units](inplace=True)]
    network = nn.Sequential(*layers, nn.Linear(widths[-1], squares + config.dueling))
    initialise(network, generator)
    return _Dueling(network) if config.dueling else network


class _Dueling(nn.Module):
    """A dueling network (Wang et al. 2016, equation 9). Its last output is the value of the position.

    A move's value is this output plus the advantage of the move minus the mean advantage of the legal moves.
    """

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, state: Tensor) -> Tensor:
        """Return the values of the squares, [batch, squares]. `state` is [batch, planes, squares]."""
        outputs = self.network(state)
        value, advantages = outputs[:, -1:], outputs[:, :-1]
        legal = state[:, 2]
        mean = (advantages * legal).sum(1, keepdim=True) / legal.sum(1, keepdim=True).clamp(min=1)
        values: Tensor = value + advantages - mean
        return values


def legal_squares(state: Tensor) -> Tensor:
    """Return a mask of the legal squares, bool [batch, squares]. `state` is [batch, planes, squares]."""
    return state[:, 2].bool()


@torch.inference_mode()
def action_values(network: nn.Module, states: Tensor, symmetric: bool) -> Tensor:
    """Return the values that play uses, [batch, squares]. `states` is float [batch, planes, squares]."""
    values: Tensor = mean_of_symmetries(network, states) if symmetric else network(states)
    return values


def square_values(
    network: nn.Module, stack: NDArray[np.uint8], squares: int, symmetric: bool
) -> NDArray[np.float64]:
    """Return the values of all squares, float64 [squares], valid only for legal squares.

    `stack` has packed observations, uint8 [frames, squares / 2], newest first.
    """
    device = next(network.parameters()).device
    state = torch.from_numpy(unpack(stack[None], squares)).to(device).float()
    return np.asarray(action_values(network, state, symmetric)[0].cpu().numpy(), np.float64)
