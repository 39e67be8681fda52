"""Targets of a batch: r + discount * bootstrap, from legal moves."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from agent.dqn.acting import masked
from agent.memory.replay import Batch
from game import symmetry

CPU = torch.device("cpu")


@dataclass(frozen=True)
class Tensors:
    """A batch as tensors."""

    s_tm1: Tensor  # float [batch, planes, squares]
    a_tm1: Tensor  # int64 [batch]
    r_t: Tensor  # float [batch]
    discount_t: Tensor  # float [batch]
    s_t: Tensor  # float [batch, planes, squares]
    weights: Tensor | None  # float [batch], of prioritised replay


def bootstrap_values(judge: Tensor, legal: Tensor, chooser: Tensor | None = None) -> Tensor:
    """Return the highest value of a legal action, or what `judge` says of the one that `chooser` likes best.

    judge, chooser: values [batch, squares]; legal: bool [batch, squares]. Returns [batch]. With the target
    network's values alone this is the maximum of DQN, with the online network as chooser it is double DQN
    (van Hasselt et al. 2016, equation 4). A row without a legal square (a state after the end) gives some
    finite number.
    """
    if chooser is None:
        return masked(judge, legal).amax(dim=1)
    best = masked(chooser, legal).argmax(dim=1, keepdim=True)  # [batch, 1]
    return judge.gather(1, best).squeeze(1)


def targets(r_t: Tensor, discount_t: Tensor, bootstrap: Tensor) -> Tensor:
    """Return r + discount * bootstrap, [batch]. The discount has its sign: see `agent.memory.recorder`."""
    return r_t + discount_t * bootstrap


def prepare(
    batch: Batch,
    size: int,
    turns: NDArray[np.int64] | None,
    weights: NDArray[np.float32] | None,
    device: torch.device = CPU,
) -> Tensors:
    """Return a batch as tensors, each transition under the symmetry of the board that `turns` names."""
    # Squares are bytes until they are where they are needed: a quarter of the way.
    s_tm1, s_t = (torch.from_numpy(states).to(device) for states in (batch.s_tm1, batch.s_t))
    a_tm1 = batch.a_tm1
    if turns is not None:
        sources = torch.from_numpy(symmetry.inverses(size)[turns]).to(device)[:, None]  # [batch, 1, squares]
        s_tm1 = s_tm1.gather(2, sources.expand_as(s_tm1))
        s_t = s_t.gather(2, sources.expand_as(s_t))
        a_tm1 = symmetry.permutations(size)[turns, a_tm1]
    return Tensors(
        s_tm1.float(),
        torch.from_numpy(a_tm1).to(device),
        torch.from_numpy(batch.r_t).to(device),
        torch.from_numpy(batch.discount_t).to(device),
        s_t.float(),
        None if weights is None else torch.from_numpy(weights).to(device),
    )
