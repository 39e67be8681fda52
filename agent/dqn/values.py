"""Values of moves as a Q-network gives them, of legal squares alone."""

from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from othello_lab.agent.memory.frames import unpack
from othello_lab.agent.weights import mean_of_symmetries
from othello_lab.game import symmetry

if TYPE_CHECKING:
    from othello_lab.game.batch.positions import Positions

_AT_ONCE = 2048
"""Boards of one forward pass."""


def masked(values: Tensor, legal: Tensor) -> Tensor:
    """Return the values of legal squares, and of illegal ones the lowest finite number: never NaN."""
    return torch.where(legal, values, torch.finfo(values.dtype).min)


def legal_squares(state: Tensor) -> Tensor:
    """Return bool [batch, squares], plane 2 of the newest frame; state is [batch, planes, squares]."""
    return state[:, 2].bool()


@torch.inference_mode()
def action_values(network: nn.Module, states: Tensor, symmetric: bool) -> Tensor:
    """Return the values [batch, squares] by which to act; states are float [batch, planes, squares].

    With `symmetric` they are the mean over the 8 symmetries of the board.
    """
    values: Tensor = mean_of_symmetries(network, states) if symmetric else network(states)
    return values


def move_values(network: nn.Module, positions: "Positions", symmetric: bool) -> NDArray[np.float64]:
    """Return what each legal move of each position is worth; see `agent.learner.BatchLearner`.

    The network looks at one frame.
    """
    at_once = _AT_ONCE // symmetry.SYMMETRIES if symmetric else _AT_ONCE
    parts = np.array_split(np.arange(len(positions)), range(at_once, len(positions), at_once))
    return np.concatenate([_move_values(network, positions.take(part), symmetric) for part in parts])


def _move_values(network: nn.Module, positions: "Positions", symmetric: bool) -> NDArray[np.float64]:
    from othello_lab.game.batch.games import planes

    states = torch.from_numpy(planes(positions, np.float32)).flatten(2).to(_device_of(network))
    values = action_values(network, states, symmetric)[legal_squares(states)]
    found: NDArray[np.float64] = values.cpu().numpy().astype(np.float64)
    return found


def _device_of(network: nn.Module) -> torch.device:
    return next(network.parameters()).device


def square_values(
    network: nn.Module, stack: NDArray[np.uint8], squares: int, symmetric: bool
) -> NDArray[np.float64]:
    """Return what the squares are worth, float64 [squares]; only those of legal squares mean anything.

    stack: uint8 [frames, squares / 2], newest first.
    """
    state = torch.from_numpy(unpack(stack[None], squares)).to(_device_of(network)).float()
    return np.asarray(action_values(network, state, symmetric)[0].cpu().numpy(), np.float64)
