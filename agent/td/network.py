"""The value network of afterstates. For an MLP, numpy computes its gradient faster than autograd."""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from othello_lab.agent.td.method import TDConfig
from othello_lab.agent.weights import flat_gradients, flatten, initialise
from othello_lab.game.batch import Positions, to_mask
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.values import EXPECTED_RESULT

Floats = NDArray[np.float32]
Number = TypeVar("Number", float, NDArray[np.float64])
_AT_ONCE = 4096  # Maximum number of afterstates in one forward pass.


def afterstate_inputs(positions: Positions) -> Floats:
    """Return inputs, 0 or 1, float32 [n, 2 * squares], with the discs of the side that moved first."""
    discs = np.concatenate([positions.opponent, positions.own], axis=1)  # [n, 2 * words]
    words = positions.own.shape[1]
    planes = to_mask(discs.reshape(-1, words), positions.size)  # [n * 2, squares]
    return planes.reshape(len(positions), -1).astype(np.float32)


class Activation(NamedTuple):
    """An activation function, in torch and in numpy."""

    module: type[nn.Module]
    function: Callable[[Floats], Floats]
    slope: Callable[[Floats], Floats]  # The derivative, as a function of the output.


_HALF = np.float32(0.5)
ACTIVATIONS = {
    # Compute the sigmoid with tanh, because exp can overflow.
    "sigmoid": Activation(nn.Sigmoid, lambda x: np.tanh(x * _HALF) * _HALF + _HALF, lambda y: y * (1 - y)),
    "tanh": Activation(nn.Tanh, np.tanh, lambda y: 1 - y * y),
    "relu": Activation(nn.ReLU, lambda x: np.maximum(x, np.float32(0)), lambda y: (y > 0).astype(np.float32)),
}


def make_network(config: TDConfig, size: int, generator: torch.Generator | None = None) -> nn.Sequential:
    """Return a network from float [n, 2 * squares] to float [n, 1]. `generator` draws the weights."""
    layers = _conv(config, size) if config.network == "conv" else _mlp(config, 2 * size * size)
    network = nn.Sequential(*layers, ACTIVATIONS[config.output].module())
    initialise(network, generator)
    return network


def _mlp(config: TDConfig, inputs: int) -> list[nn.Module]:
    layers: list[nn.Module] = []
    for width, units in pairwise([inputs, *config.hidden]):
        layers += [nn.Linear(width, units), ACTIVATIONS[config.units].module()]
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


class Scale(NamedTuple):
    """Converts network outputs to values and back. A value is from -1 (lost) to 1 (won)."""

    even: float  # The output for an even position.
    win: float  # The output for a won position, minus `even`.

    def value(self, output: Number) -> Number:
        """Convert an output or an array of outputs to values."""
        return (output - self.even) / self.win

    def output(self, value: Number) -> Number:
        """Convert a value or an array of values to outputs."""
        return self.even + self.win * value


SCALES = {"sigmoid": Scale(0.5, 0.5), "tanh": Scale(0.0, 1.0)}  # By activation of the output layer.


class ValueNetwork(Evaluator):
    """A value network with autograd. `weights` and `gradients`, float32 [weights], share its memory."""

    unit = EXPECTED_RESULT

    def __init__(self, config: TDConfig, network: nn.Module) -> None:
        self.network, self.scale = network, SCALES[config.output]
        self.weights: Floats = flatten(self.network).numpy()
        self.gradients: Floats = flat_gradients(self.network).numpy()

    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the value of each position for its side to move, from -1 to 1, float64 [n]."""
        return -self.scale.value(self.outputs(afterstate_inputs(positions)).astype(np.float64))

    def outputs(self, inputs: Floats) -> Floats:
        """Return the outputs for afterstates, float32 [n]. `inputs` is [n, 2 * squares]."""
        parts = [self._outputs(inputs[at : at + _AT_ONCE]) for at in range(0, len(inputs), _AT_ONCE)]
        return np.concatenate(parts) if len(parts) != 1 else parts[0]

    @torch.no_grad()
    def _outputs(self, inputs: Floats) -> Floats:
        outputs: Floats = self.network(torch.from_numpy(inputs)).squeeze(1).numpy()
        return outputs

    def gradient(self, inputs: Floats) -> tuple[float, Floats]:
        """Return an afterstate's output and its gradient, [weights], valid until the next call."""
        self.gradients[:] = 0
        output = self.network(torch.from_numpy(inputs[None])).squeeze()
        output.backward()
        return output.item(), self.gradients


class MLPValueNetwork(ValueNetwork):
    """A multilayer perceptron with back-propagation in numpy."""

    def __init__(self, config: TDConfig, network: nn.Module) -> None:
        super().__init__(config, network)
        parameters = list(self.network.parameters())
        arrays = [weight.detach().numpy() for weight in parameters]
        self._layers = list(zip(arrays[::2], arrays[1::2], strict=True))  # weight and bias
        slopes = [weight.grad.numpy() for weight in parameters if weight.grad is not None]
        self._slopes = list(zip(slopes[::2], slopes[1::2], strict=True))
        self._activations = [
            ACTIVATIONS[name] for name in (*[config.units] * len(config.hidden), config.output)
        ]

    def _outputs(self, inputs: Floats) -> Floats:
        for (weight, bias), activation in zip(self._layers, self._activations, strict=True):
            inputs = activation.function(inputs @ weight.T + bias)  # [n, units]
        return inputs[:, 0]

    def gradient(self, inputs: Floats) -> tuple[float, Floats]:
        """Return the output for one afterstate, and the gradient of the output, [weights]."""
        outputs = [inputs]  # the outputs of each layer, [units]
        for (weight, bias), activation in zip(self._layers, self._activations, strict=True):
            outputs.append(activation.function(weight @ outputs[-1] + bias))
        delta = np.ones(1, np.float32)  # the gradient with respect to a layer's outputs, [units]
        for layer in reversed(range(len(self._layers))):
            weight, bias = self._slopes[layer]
            bias[:] = delta = delta * self._activations[layer].slope(outputs[layer + 1])
            np.multiply(delta[:, None], outputs[layer], out=weight)
            delta = delta @ self._layers[layer][0]
        return float(outputs[-1][0]), self.gradients


def make_values(config: TDConfig, network: nn.Module) -> ValueNetwork:
    """Return an evaluator for a network from `make_network` with the same options."""
    return (MLPValueNetwork if config.network == "mlp" else ValueNetwork)(config, network)
