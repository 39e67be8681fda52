"""The losses of PPO: the clipped objective of the policy, the value's error, and the entropy."""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from othello_lab.agent.policy_value.network import Outputs, log_policy


class Batch(NamedTuple):
    """Decisions of an update, and what came of them."""

    seen: Tensor
    """Planes, [n, 4, squares]."""
    moves: Tensor
    """[n]"""
    before: Tensor
    """The logarithm of the move's probability when it was played, [n]."""
    advantages: Tensor
    """[n]"""
    returns: Tensor
    """What the value should be, [n]."""

    def take(self, rows: Tensor) -> "Batch":
        """Return some of them."""
        return Batch(*(part[rows] for part in self))


class Losses(NamedTuple):
    """The parts of the loss of a batch."""

    policy: Tensor
    """Minus the clipped objective."""
    value: Tensor
    """The mean squared error."""
    entropy: Tensor
    """Of the policy, in nats: more is more exploring."""
    clipped: Tensor
    """The share of decisions whose probability has gone further than the clip."""


def losses_of(outputs: Outputs, batch: Batch, clip: float) -> Losses:
    """Return the losses of a batch of which a network says `outputs`.

    With r the new probability of the move over the old one, the objective is the mean of
    min(r A, clip(r, 1 - clip, 1 + clip) A): Schulman et al. 2017, equation 7. A move has no gradient once its
    probability has gone far enough in the direction of its advantage.
    """
    illegal = batch.seen[:, 2] == 0
    logs = log_policy(outputs.logits, illegal)  # [n, squares]
    ratios = (logs.gather(1, batch.moves[:, None]).squeeze(1) - batch.before).exp()  # [n]
    limited = ratios.clamp(1 - clip, 1 + clip)
    return Losses(
        -torch.minimum(ratios * batch.advantages, limited * batch.advantages).mean(),
        functional.mse_loss(outputs.values, batch.returns),
        -(logs.exp() * logs.masked_fill(illegal, 0.0)).sum(1).mean(),
        ((ratios - 1).abs() > clip).float().mean(),
    )
