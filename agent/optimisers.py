"""Optimisers for a network whose weights are one tensor.

They call the functions of `torch.optim`, which accept these arguments since torch 2.4. The classes of
`torch.optim` import torch._dynamo at their first step, which takes two seconds in each process that learns.
"""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor
from torch.optim.adam import adam
from torch.optim.adamw import adamw
from torch.optim.rmsprop import rmsprop
from torch.optim.sgd import sgd

State = dict[str, Tensor]  # By the names of `torch.optim`. `step` is the number of steps, float32 [].


def _adam(
    weights: Tensor, gradients: Tensor, state: State, rate: float, decay: float = 0.0, fused: bool = True
) -> None:
    """Adam (Kingma and Ba 2015, algorithm 1). With `decay`, AdamW (Loshchilov and Hutter 2019)."""
    function: Callable[..., None] = adamw if decay else adam
    function(
        [weights],
        [gradients],
        [state["exp_avg"]],
        [state["exp_avg_sq"]],
        [],
        [state["step"]],
        foreach=False,
        fused=fused,
        amsgrad=False,
        beta1=0.9,
        beta2=0.999,
        lr=rate,
        weight_decay=decay,
        eps=1e-8,
        maximize=False,
    )


def _sgd(weights: Tensor, gradients: Tensor, state: State, rate: float) -> None:
    """Stochastic gradient descent without momentum."""
    sgd(
        [weights],
        [gradients],
        [None],
        foreach=False,
        fused=True,
        weight_decay=0.0,
        momentum=0.0,
        lr=rate,
        dampening=0.0,
        nesterov=False,
        maximize=False,
    )


def _rmsprop(weights: Tensor, gradients: Tensor, state: State, rate: float) -> None:
    """RMSprop (Hinton 2012, lecture 6e of "Neural Networks for Machine Learning") without momentum."""
    rmsprop(
        [weights],
        [gradients],
        [state["square_avg"]],
        [],
        [],
        [state["step"]],
        foreach=False,
        lr=rate,
        alpha=0.99,
        eps=1e-8,
        weight_decay=0.0,
        momentum=0.0,
        centered=False,
    )


def rmsprop_graves(
    weights: Tensor, gradients: Tensor, state: State, rate: float, alpha: float = 0.95, epsilon: float = 1e-4
) -> None:
    """RMSprop without momentum (Graves 2013, "Generating Sequences With Recurrent Neural Networks").

    With the gradient g, equations 38 to 45 are: n = alpha n + (1 - alpha) g^2;  m = alpha m + (1 - alpha) g;
    w = w - rate g / sqrt(n - m^2 + epsilon)
    """
    square, mean = state["square"], state["mean"]
    square.mul_(alpha).addcmul_(gradients, gradients, value=1 - alpha)
    mean.mul_(alpha).add_(gradients, alpha=1 - alpha)
    spread = (square - mean**2 + epsilon).sqrt_()
    weights.addcdiv_(gradients, spread, value=-rate)


_ADAM = ("step", "exp_avg", "exp_avg_sq")
# Maps the name of an optimiser to the names of its state and to its function.
_KINDS: dict[str, tuple[tuple[str, ...], Callable[[Tensor, Tensor, State, float], None]]] = {
    "adam": (_ADAM, _adam),
    # Adam with several operations for a step instead of one. Its rounding differs. `td` uses it.
    "adam-unfused": (_ADAM, partial(_adam, fused=False)),
    "adamw": (_ADAM, partial(_adam, decay=0.01)),
    "sgd": ((), _sgd),
    "rmsprop": (("step", "square_avg"), _rmsprop),
    "rmsprop-graves": (("square", "mean"), rmsprop_graves),
}


class Optimiser:
    """Updates a tensor of weights in place from the tensor of their gradients.

    `kind` is a value of the option `optimiser` of dqn, or `adam-unfused`.
    """

    def __init__(self, kind: str, weights: Tensor, gradients: Tensor) -> None:
        self._weights, self._gradients = weights, gradients
        self._names, self._update = _KINDS[kind]
        self.state: State = {}  # Empty before the first step.

    def begin(self) -> None:
        """Set the state to zeros, as before the first step."""
        zeros = torch.zeros_like
        self.state = {
            name: zeros(self._weights[0]) if name == "step" else zeros(self._weights) for name in self._names
        }

    @torch.no_grad()
    def step(self, rate: float) -> None:
        """Make one step. `rate` is the step size."""
        if not self.state:
            self.begin()
        self._update(self._weights, self._gradients, self.state, rate)
