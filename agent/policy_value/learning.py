"""Learning of a network with a policy and a value: what it is shown, and the steps of the optimiser."""

import copy
import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from othello_lab.agent.policy_value.base import seen
from othello_lab.agent.policy_value.network import ResidualNetwork
from othello_lab.agent.policy_value.options import NetworkOptions
from othello_lab.agent.weights import begin_adam, flat_gradients, flatten
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import Evaluator


def turned_planes(positions: Positions, sources: NDArray[np.int64], base: Evaluator | None) -> Tensor:
    """Return what a network is shown of positions, each under a symmetry: `base.seen`.

    `sources` are the rows of `game.symmetry.inverses` that turn them, [n, squares].
    """
    return torch.from_numpy(np.take_along_axis(seen(positions, base), sources[:, None], axis=2))


_TINY = 1e-6
"""A gradient of length 0 is not divided by 0."""


class LearningNetwork:
    """A network that learns, one that is its running mean, and the optimiser, Adam."""

    def __init__(
        self,
        options: NetworkOptions,
        size: int,
        generator: torch.Generator,
        device: torch.device,
    ) -> None:
        """Weights start from `generator`."""
        self.network = ResidualNetwork(options, size, generator).to(device)
        self.average = copy.deepcopy(self.network)
        self._weights, self._mean = nn.Parameter(flatten(self.network)), flatten(self.average)
        self._weights.grad = self._gradients = flat_gradients(self.network)
        self._learning_rate = options.learning_rate
        self.begin()

    def begin(self) -> None:
        """Begin the optimiser's state, which is one for all weights."""
        self._adam, self._state = begin_adam(self._weights, self._learning_rate)

    def step(self, loss: Tensor, share: float, longest: float = math.inf) -> None:
        """Follow the gradient of a loss, at most `longest`; the mean moves by `share` towards the weights."""
        self._gradients.zero_()
        loss.backward()  # type: ignore[no-untyped-call]  # torch does not type it
        self._gradients.mul_((longest / (self._gradients.norm() + _TINY)).clamp(max=1.0))
        self._adam.step()
        self._mean.lerp_(self._weights.detach(), share)

    def weights(self) -> dict[str, Tensor]:
        """Return the weights that learn, where they lie."""
        return {"weights": self._weights.detach()}

    def tensors(self) -> dict[str, Tensor]:
        """Return the weights that learn and the optimiser's state, where they lie."""
        return self.weights() | {f"adam.{name}": tensor for name, tensor in self._state.items()}
