"""The mean of what a network says of a position under all symmetries of the board."""

from collections.abc import Callable
from functools import cache
from math import isqrt

import torch
from torch import Tensor

from othello_lab.game import symmetry


@cache
def symmetries(size: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Return `symmetry.inverses` and `symmetry.permutations` as tensors, int64 [8, squares]."""
    inverses, permutations = symmetry.inverses(size), symmetry.permutations(size)
    return torch.tensor(inverses, device=device), torch.tensor(permutations, device=device)


def mean_of_symmetries(judge: Callable[[Tensor], Tensor], states: Tensor) -> Tensor:
    """Return the mean of the values of all squares, [batch, squares], from states [batch, planes, squares].

    The network has learned each symmetry from other games, so that its errors partly cancel.
    """
    batch, planes, squares = states.shape
    sources, targets = symmetries(isqrt(squares), states.device)
    turned = states[:, :, sources].transpose(1, 2).reshape(-1, planes, squares)  # [batch * 8, ...]
    values = judge(turned).view(batch, symmetry.SYMMETRIES, squares)
    return values.gather(2, targets.expand(batch, -1, -1)).mean(1)
