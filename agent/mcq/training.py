"""A network that is moved towards the returns: Adam on the squared error."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.optim import Adam

from agent.checkpoint import Arrays
from agent.flat import flat_gradients, flatten
from agent.mcq.config import MCQConfig
from agent.mcq.network import WEIGHTS, make_network
from agent.mcq.samples import Samples
from agent.weights import put, to_arrays

_ADAM = "adam."


class Training:
    """The network and the optimiser that moves it."""

    def __init__(self, config: MCQConfig, size: int, generator: torch.Generator | None) -> None:
        self.network = make_network(config, size, generator)
        self._weights = nn.Parameter(flatten(self.network))
        self._weights.grad = self._gradients = flat_gradients(self.network)
        self._rate = config.learning_rate
        self.begin()

    def begin(self) -> None:
        """Begin the state of the optimiser, which is one for all weights."""
        self._adam = Adam([self._weights], lr=self._rate, fused=True)
        zeros = torch.zeros_like(self._gradients)
        self._state = {"step": torch.tensor(0.0), "exp_avg": zeros, "exp_avg_sq": zeros.clone()}
        self._adam.state[self._weights] = self._state

    def update(self, batch: Samples) -> float:
        """Learn once from a batch; return its mean squared error before that."""
        self._gradients.zero_()
        values = self.network(
            torch.from_numpy(batch.boards).float(), torch.from_numpy(batch.moves)
        )  # [batch]
        loss = functional.mse_loss(values, torch.from_numpy(batch.targets))
        loss.backward()  # type: ignore[no-untyped-call]  # torch says no types for it
        self._adam.step()
        return float(loss.detach())

    def arrays(self) -> Arrays:
        """Return all that learning has made, by name; `restore` reads the same names."""
        return self.policy() | {_ADAM + name: tensor.numpy() for name, tensor in self._state.items()}

    def policy(self) -> Arrays:
        """Return the weights."""
        return to_arrays(self.network, WEIGHTS)

    def adopt(self, arrays: Arrays) -> None:
        """Take up the weights that `policy` returned; names, shapes and dtypes must be the same."""
        put(arrays, self.network, WEIGHTS)

    def restore(self, arrays: Arrays) -> None:
        """Take up what `arrays` returned; names, shapes and dtypes must be the same."""
        self.adopt(arrays)
        for name, tensor in self._state.items():
            tensor.copy_(torch.from_numpy(np.array(arrays[_ADAM + name])))
