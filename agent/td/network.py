"""The value network: an afterstate in, how good it is for who has just moved out; and its gradient.

By autograd, and by hand where the network is a plain MLP: for one position at a time that is far faster.
"""

from abc import abstractmethod
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from othello_lab.agent.td.method import TDConfig
from othello_lab.agent.weights import flat_gradients, flatten, initialise
from othello_lab.game.batch.games import to_mask
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.values import EXPECTED_RESULT

_MODULES: dict[str, type[nn.Module]] = {"sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "relu": nn.ReLU}


def make_network(config: TDConfig, size: int, generator: torch.Generator | None = None) -> nn.Sequential:
    """Return the network of a configuration, float [n, 2 * squares] to [n, 1].

    Weights start He-uniform, from `generator` (None for weights that will be replaced); biases at 0.
    """
    layers = _conv(config, size) if config.network == "conv" else _mlp(config, 2 * size * size)
    network = nn.Sequential(*layers, _MODULES[config.output]())
    initialise(network, generator)
    return network


def _mlp(config: TDConfig, inputs: int) -> list[nn.Module]:
    layers: list[nn.Module] = []
    for width, units in pairwise([inputs, *config.hidden]):
        layers += [nn.Linear(width, units), _MODULES[config.units]()]
    return [*layers, nn.Linear([inputs, *config.hidden][-1], 1)]


def _conv(config: TDConfig, size: int) -> list[nn.Module]:
    channels, dense = config.channels, config.dense
    return [
        nn.Unflatten(1, (2, size, size)),
        nn.Conv2d(2, channels, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(channels, channels, 3, padding=1),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(channels * size * size, dense),
        nn.ReLU(),
        nn.Linear(dense, 1),
    ]


Floats = NDArray[np.float32]
Number = TypeVar("Number", float, NDArray[np.float64])
_AT_ONCE = 4096
"""Afterstates of one forward pass."""


class Scale(NamedTuple):
    """From what a network says to a value from -1, lost, to 1, won, and back."""

    even: float
    """What the network says of an even position."""
    win: float
    """How much more it says of one that is won."""

    def value(self, output: Number) -> Number:
        """Return the value of an output, or of many."""
        return (output - self.even) / self.win

    def output(self, value: Number) -> Number:
        """Return the output of a value, or of many."""
        return self.even + self.win * value


SCALES = {"sigmoid": Scale(0.5, 0.5), "tanh": Scale(0.0, 1.0)}
"""By the unit of the output."""


class ValueNetwork(Evaluator):
    """A value network. `weights` and `gradients`, float32 [weights], are its own, in one piece.

    Whoever writes to the weights changes the network. A position is worth to its side to move minus what
    it is worth to the side that moved there.
    """

    unit = EXPECTED_RESULT

    def __init__(self, network: nn.Sequential, scale: Scale) -> None:
        self.network, self.scale = network, scale
        self.weights: Floats = flatten(network).numpy()
        self.gradients: Floats = flat_gradients(network).numpy()

    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return how good each position is for its side to move, from -1 to 1, float64 [n]."""
        return -self.scale.value(self.outputs(seen_by_mover(positions)).astype(np.float64))

    def outputs(self, inputs: Floats) -> Floats:
        """Return what the network says of afterstates [n, 2 * squares], float32 [n]."""
        parts = [self._outputs(inputs[at : at + _AT_ONCE]) for at in range(0, len(inputs), _AT_ONCE)]
        return np.concatenate(parts) if len(parts) != 1 else parts[0]

    @abstractmethod
    def _outputs(self, inputs: Floats) -> Floats: ...

    @abstractmethod
    def gradient(self, inputs: Floats) -> tuple[float, Floats]:
        """Return what the network says of an afterstate [2 * squares], and its gradient [weights].

        The gradient is overwritten by the next.
        """


def make_values(config: TDConfig, size: int, generator: torch.Generator | None = None) -> ValueNetwork:
    """Return a new network of a configuration for boards of a size; see `make_network`."""
    network = make_network(config, size, generator)
    kind = ByHand if config.network == "mlp" else Autograd
    return kind(network, SCALES[config.output])


class Autograd(ValueNetwork):
    """For any network."""

    @torch.no_grad()
    def _outputs(self, inputs: Floats) -> Floats:
        found: Floats = self.network(torch.from_numpy(inputs)).squeeze(1).numpy()
        return found

    def gradient(self, inputs: Floats) -> tuple[float, Floats]:
        """See `ValueNetwork`."""
        self.gradients[:] = 0
        output = self.network(torch.from_numpy(inputs[None])).squeeze()
        output.backward()
        return output.item(), self.gradients


class ByHand(ValueNetwork):
    """For linear layers with the same unit after each: back-propagation."""

    def __init__(self, network: nn.Sequential, scale: Scale) -> None:
        super().__init__(network, scale)
        linear = [layer for layer in network if isinstance(layer, nn.Linear)]
        self._layers = [(layer.weight.detach().numpy(), layer.bias.detach().numpy()) for layer in linear]
        self._slopes = [(_gradient(layer.weight), _gradient(layer.bias)) for layer in linear]
        self._units = [_UNITS[type(unit)] for unit in network if type(unit) in _UNITS]

    def _outputs(self, inputs: Floats) -> Floats:
        for (weight, bias), (unit, _) in zip(self._layers, self._units, strict=True):
            inputs = unit(inputs @ weight.T + bias)  # [n, units]
        return inputs[:, 0]

    def gradient(self, inputs: Floats) -> tuple[float, Floats]:
        """See `ValueNetwork`."""
        outputs = [inputs]  # of each layer, [units]
        for (weight, bias), (unit, _) in zip(self._layers, self._units, strict=True):
            outputs.append(unit(weight @ outputs[-1] + bias))
        delta = np.ones(1, np.float32)  # the gradient by a layer's outputs, [units]
        for place in reversed(range(len(self._layers))):
            weight, bias = self._slopes[place]
            bias[:] = delta = delta * self._units[place][1](outputs[place + 1])
            np.multiply(delta[:, None], outputs[place], out=weight)
            delta = delta @ self._layers[place][0]
        return float(outputs[-1][0]), self.gradients


def _gradient(weight: torch.Tensor) -> Floats:
    assert weight.grad is not None  # noqa: S101  flat_gradients() has made it
    slope: Floats = weight.grad.numpy()
    return slope


_HALF = np.float32(0.5)


def _sigmoid(x: Floats) -> Floats:
    found: Floats = np.tanh(x * _HALF) * _HALF + _HALF  # without the overflow of exp
    return found


def _relu(x: Floats) -> Floats:
    found: Floats = np.maximum(x, np.float32(0))
    return found


Unit = tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]
"""What a unit does, and its slope as a function of its output."""
_UNITS: dict[type[nn.Module], Unit] = {
    nn.Sigmoid: (_sigmoid, lambda y: y * (1 - y)),
    nn.Tanh: (np.tanh, lambda y: 1 - y * y),
    nn.ReLU: (_relu, lambda y: (y > 0).astype(np.float32)),
}


Inputs = NDArray[np.float32]
"""Own and the other side's discs as 0 and 1, float32 [n, 2 * squares]."""


def seen_by_mover(positions: Positions) -> Inputs:
    """Return positions, each seen by the side that is not to move."""
    discs = np.concatenate([positions.opponent, positions.own], axis=1)  # [n, 2 * words]
    words = positions.own.shape[1]
    planes = to_mask(discs.reshape(-1, words), positions.size)  # [n * 2, squares]
    return planes.reshape(len(positions), -1).astype(np.float32)
