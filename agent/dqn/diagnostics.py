"""Numbers worth watching while a Q-network learns."""

import torch
from torch import Tensor, nn

from agent.dqn.acting import legal_squares
from agent.dqn.config import DQNConfig
from agent.dqn.gradients import loss_of
from agent.dqn.targets import Tensors

_LOOK_AT = 32
"""Transitions of a batch that are looked at by both networks once more: that costs forward passes."""


@torch.no_grad()
def look(
    config: DQNConfig, online: nn.Module, target: nn.Module, t: Tensors, taken: Tensor, wanted: Tensor
) -> dict[str, float]:
    """Return the loss of a batch, its values, and how far the target network is from the online one."""
    some = t.s_tm1[:_LOOK_AT]
    values, legal = online(some), legal_squares(some)
    gap = (values - target(some)).abs()
    return {
        "loss": float(loss_of(config, taken, wanted, t.weights)),
        "q_mean": float(taken.mean()),
        "target_gap": float(gap[legal].mean()),
        "q_legal": float(values[legal].mean()),
        "q_illegal": float(values[~legal].mean()),
    }
