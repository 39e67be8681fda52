"""The optimisers: torch's, and RMSprop as Graves wrote it, where epsilon stands inside the root."""

from collections.abc import Iterable

import torch
from torch import Tensor, nn
from torch.optim import SGD, Adam, AdamW, Optimizer, RMSprop

from agent.dqn.config import DQNConfig


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
