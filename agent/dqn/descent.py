"""Descent along the gradient of a batch's loss: what finds the gradient, and the optimisers that follow it.

Gradients are found by autograd, and by hand where the network is a plain MLP with ReLU. The two do the same;
what is written by hand takes two thirds of the time.
"""

from collections.abc import Callable, Iterable
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.optim import SGD, Adam, AdamW, Optimizer, RMSprop

from othello_lab.agent.dqn.config import DQNConfig

Gradients = Callable[[Tensor, Tensor, Tensor, Tensor | None], Tensor]
"""Puts the gradient of the loss into every weight's `.grad`, and returns the values of the actions taken.

Takes states [batch, planes, squares], actions [batch], targets [batch] and the weight of each row, if any.
"""


def loss_of(config: DQNConfig, taken: Tensor, wanted: Tensor, weights: Tensor | None) -> Tensor:
    """Return the loss of values against targets, a scalar: Huber's or the squared error."""
    measure = _measure(config)
    if weights is None:
        return measure(taken, wanted)
    return (measure(taken, wanted, reduction="none") * weights).mean()


def loss_of_moves(config: DQNConfig, values: Tensor, wanted: Tensor, weights: Tensor) -> Tensor:
    """Return the weighted mean of the losses of all moves, a scalar; [batch, squares] each."""
    return (_measure(config)(values, wanted, reduction="none") * weights).sum() / weights.sum()


def _measure(config: DQNConfig) -> Callable[..., Tensor]:
    return functional.mse_loss if config.loss == "mse" else functional.smooth_l1_loss


def make_gradients(network: nn.Module, flat: Tensor, config: DQNConfig) -> Gradients:
    """Return what computes the gradients of a network that was made by this configuration, into `flat`."""
    if config.network == "mlp" and config.units == "relu" and not config.dueling:
        return _ByHand(network, config)
    return _Autograd(network, flat, config)


class _Autograd:
    """For any network."""

    def __init__(self, network: nn.Module, flat: Tensor, config: DQNConfig) -> None:
        self._network, self._gradients, self._config = network, flat, config

    def __call__(self, state: Tensor, action: Tensor, wanted: Tensor, weights: Tensor | None) -> Tensor:
        """See `Gradients`."""
        self._gradients.zero_()
        taken = self._network(state).gather(1, action[:, None]).squeeze(1)  # [batch]
        loss = loss_of(self._config, taken, wanted, weights)
        loss.backward()  # type: ignore[no-untyped-call]  # torch does not type it
        values: Tensor = taken.detach()
        return values


class _ByHand:
    """For linear layers with ReLU between them: back-propagation; of the last layer only what was taken."""

    def __init__(self, network: nn.Module, config: DQNConfig) -> None:
        *self._hidden, self._last = [layer for layer in network.modules() if isinstance(layer, nn.Linear)]
        self._config = config

    @torch.no_grad()
    def __call__(self, state: Tensor, action: Tensor, wanted: Tensor, weights: Tensor | None) -> Tensor:
        """See `Gradients`."""
        inputs = [state.flatten(1)]  # of each layer, [batch, units]
        for layer in self._hidden:
            inputs.append(torch.addmm(layer.bias, inputs[-1], layer.weight.t()).relu_())
        rows = self._last.weight.index_select(0, action)  # [batch, units]
        taken = (inputs[-1] * rows).sum(1) + self._last.bias[action]  # [batch]
        slope = self._slope(taken - wanted, weights)[:, None]  # [batch, 1]
        _gradient(self._last.weight).zero_().index_add_(0, action, inputs[-1] * slope)
        _gradient(self._last.bias).zero_().index_add_(0, action, slope.squeeze(1))
        delta = rows * slope  # the gradient of the loss by a layer's output, [batch, units]
        for layer, (before, after) in zip(reversed(self._hidden), _backwards(inputs), strict=True):
            delta = torch.ops.aten.threshold_backward(delta, after, 0)  # ReLU's, as autograd does it
            torch.mm(delta.t(), before, out=_gradient(layer.weight))
            torch.sum(delta, 0, out=_gradient(layer.bias))
            if layer is not self._hidden[0]:
                delta = delta @ layer.weight
        return taken

    def _slope(self, error: Tensor, weights: Tensor | None) -> Tensor:
        """Return the gradient of the loss by each value."""
        slope = 2 * error if self._config.loss == "mse" else error.clamp(-1, 1)
        return (slope if weights is None else slope * weights) / len(error)


def _gradient(weight: Tensor) -> Tensor:
    assert weight.grad is not None  # noqa: S101  flat_gradients() has made it
    return weight.grad


def _backwards(inputs: list[Tensor]) -> list[tuple[Tensor, Tensor]]:
    """Return what went into each hidden layer and what came out, the last layer first."""
    return list(pairwise(inputs))[::-1]


class RMSpropGraves(Optimizer):
    """Graves 2013, "Generating sequences with recurrent neural networks", equations 38-45, no momentum.

    n = alpha n + (1 - alpha) g^2;  m = alpha m + (1 - alpha) g;  w = w - lr g / sqrt(n - m^2 + epsilon)
    """

    def __init__(
        self, weights: Iterable[Tensor], lr: float, alpha: float = 0.95, epsilon: float = 1e-4
    ) -> None:
        super().__init__(weights, {"lr": lr, "alpha": alpha, "epsilon": epsilon})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]  # no closure is used here
        """Move every weight once along its gradient."""
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is not None:
                    self._move(weight, group["lr"], group["alpha"], group["epsilon"])

    def _move(self, weight: Tensor, lr: float, alpha: float, epsilon: float) -> None:
        state = self.state[weight]
        if not state:
            state["square"], state["mean"] = torch.zeros_like(weight), torch.zeros_like(weight)
        gradient = weight.grad
        assert gradient is not None  # noqa: S101  step() looked
        state["square"].mul_(alpha).addcmul_(gradient, gradient, value=1 - alpha)
        state["mean"].mul_(alpha).add_(gradient, alpha=1 - alpha)
        spread = (state["square"] - state["mean"] ** 2 + epsilon).sqrt_()
        weight.addcdiv_(gradient, spread, value=-lr)


def make_optimiser(weights: list[nn.Parameter], config: DQNConfig) -> Optimizer:
    """Return the optimiser that a configuration names; none has momentum beyond Adam's own."""
    rate = config.learning_rate
    if config.optimiser == "rmsprop-graves":
        return RMSpropGraves(weights, lr=rate)
    if config.optimiser == "rmsprop":
        return RMSprop(weights, lr=rate)
    # Fused: one call for all weights instead of several for each.
    fused: dict[str, type[Adam | AdamW | SGD]] = {"adam": Adam, "adamw": AdamW, "sgd": SGD}
    return fused[config.optimiser](weights, lr=rate, fused=True)
