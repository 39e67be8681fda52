"""The move that a network chooses: legal squares alone, perhaps by the mean over the board's symmetries."""

from functools import cache
from math import isqrt

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from agent.memory.frames import unpack
from game import symmetry
from game.batch.games import planes
from game.batch.positions import Positions

_AT_ONCE = 2048
"""Boards of one forward pass."""


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
    sources, targets = symmetries(isqrt(squares), states.device)
    turned = states[:, :, sources].transpose(1, 2).reshape(-1, planes, squares)  # [batch * 8, ...]
    values = network(turned).view(batch, symmetry.SYMMETRIES, squares)
    return values.gather(2, targets.expand(batch, -1, -1)).mean(1)


def move_values(network: nn.Module, positions: Positions, symmetric: bool) -> NDArray[np.float64]:
    """Return what each legal move of each position is worth; see `agent.learner.BatchLearner`.

    The network looks at one frame.
    """
    at_once = _AT_ONCE // symmetry.SYMMETRIES if symmetric else _AT_ONCE
    parts = np.array_split(np.arange(len(positions)), range(at_once, len(positions), at_once))
    return np.concatenate([_move_values(network, positions.take(part), symmetric) for part in parts])


def _move_values(network: nn.Module, positions: Positions, symmetric: bool) -> NDArray[np.float64]:
    states = torch.from_numpy(planes(positions, np.float32)).flatten(2).to(_device_of(network))
    values = action_values(network, states, symmetric)[legal_squares(states)]
    found: NDArray[np.float64] = values.cpu().numpy().astype(np.float64)
    return found


@cache
def symmetries(size: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Return `symmetry.inverses` and `symmetry.permutations` as tensors, int64 [8, squares]."""
    inverses, permutations = symmetry.inverses(size), symmetry.permutations(size)
    return torch.tensor(inverses, device=device), torch.tensor(permutations, device=device)


def _device_of(network: nn.Module) -> torch.device:
    return next(network.parameters()).device


def best_square(network: nn.Module, stack: NDArray[np.uint8], squares: int, symmetric: bool) -> int:
    """Return the legal square with the highest value; stack is uint8 [frames, squares / 2], newest first."""
    state = _state(network, stack, squares)
    return int(masked(action_values(network, state, symmetric), legal_squares(state)).argmax())


def square_values(
    network: nn.Module, stack: NDArray[np.uint8], squares: int, symmetric: bool
) -> NDArray[np.float64]:
    """Return what `best_square` chooses by, float64 [squares]; only those of legal squares mean anything."""
    found = action_values(network, _state(network, stack, squares), symmetric)[0]
    return np.asarray(found.cpu().numpy(), np.float64)


def _state(network: nn.Module, stack: NDArray[np.uint8], squares: int) -> Tensor:
    return torch.from_numpy(unpack(stack[None], squares)).to(_device_of(network)).float()
