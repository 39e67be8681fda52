"""The Q-network: stacked planes in, one value per square out."""

from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from agent.dqn.frames import unpack


def mlp(
    planes: int, squares: int, hidden: tuple[int, ...], generator: torch.Generator | None = None
) -> nn.Sequential:
    """Return a fully connected network, [batch, planes, squares] to [batch, squares], ReLU between layers.

    A pass has no output: it is no decision. Weights start He-uniform, from `generator`
    (None for weights that will be replaced); biases at 0.
    """
    widths = [planes * squares, *hidden, squares]
    layers: list[nn.Module] = [nn.Flatten()]
    for inputs, outputs in pairwise(widths):
        layer = nn.Linear(inputs, outputs)
        nn.init.kaiming_uniform_(layer.weight, nonlinearity="relu", generator=generator)
        nn.init.zeros_(layer.bias)
        layers += [layer, nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def masked(values: Tensor, legal: Tensor) -> Tensor:
    """Return values with the illegal squares at the lowest finite number: never chosen, never NaN."""
    return values.masked_fill(~legal, torch.finfo(values.dtype).min)


def legal_squares(state: Tensor) -> Tensor:
    """Return bool [batch, squares], plane 2 of the newest frame; state is [batch, planes, squares]."""
    return state[:, 2].bool()


@torch.inference_mode()
def best_square(network: nn.Module, stack: NDArray[np.uint8], squares: int) -> int:
    """Return the legal square with the highest value; stack is uint8 [frames, squares / 2], newest first."""
    state = torch.from_numpy(unpack(stack[None], squares)).float()  # [1, planes, squares]
    return int(masked(network(state), legal_squares(state)).argmax())


def network_weights(arrays: dict[str, NDArray[Any]]) -> dict[str, Tensor]:
    """Return, from the arrays of a checkpoint, the weights of the network that plays."""
    prefix = "average."
    return {
        key.removeprefix(prefix): torch.from_numpy(array.copy())
        for key, array in arrays.items()
        if key.startswith(prefix)
    }
