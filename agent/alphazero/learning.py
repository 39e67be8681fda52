"""Losses of the network: what it says of a batch of examples, against what it should say."""

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from othello_lab.agent.alphazero.memory import Examples
from othello_lab.agent.policy_value.learning import turned_planes
from othello_lab.agent.policy_value.network import ResidualNetwork, log_policy
from othello_lab.game import symmetry
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import Evaluator


class Losses(NamedTuple):
    """The parts of the loss of a batch."""

    policy: Tensor
    """The cross entropy with the policies that searches found."""
    value: Tensor
    """The mean squared error."""
    score: Tensor
    """Likewise, of the final score as a share of all squares."""


def losses_of(network: ResidualNetwork, seen: Tensor, wanted: Examples) -> Losses:
    """Return the losses of examples that are shown so, [n, 4 or 5, squares]."""
    outputs, illegal = network(seen), seen[:, 2] == 0  # [n, squares]
    shares = log_policy(outputs.logits, illegal).masked_fill(illegal, 0.0)
    policies, values, scores = (
        torch.from_numpy(part.astype(np.float32)).to(seen.device)
        for part in (wanted.policies, wanted.values, wanted.scores)
    )
    return Losses(
        -(policies * shares).sum(1).mean(),
        functional.mse_loss(outputs.values, values),
        functional.mse_loss(outputs.scores, scores),
    )


def turned(
    examples: Examples, symmetries: NDArray[np.int64], size: int, base: Evaluator | None = None
) -> tuple[Tensor, Examples]:
    """Return what is shown of examples, each under the symmetry of that number, and what is wanted there."""
    sources = symmetry.inverses(size)[symmetries]  # [n, squares]
    seen = turned_planes(Positions(size, examples.own, examples.opponent), sources, base)
    return seen, examples._replace(policies=np.take_along_axis(examples.policies, sources, axis=1))
