"""Choice of a move in each game, from sets of squares or from values of squares."""

import torch
from torch import Tensor

from agent.device.luck import uniform
from agent.device.words import lowered


def pick(mask: Tensor, word: Tensor) -> Tensor:
    """Return a square of each set by 64 random bits each, int64 [n], as `game.kernels.randomness` does.

    mask is bool [n, squares]; square 0 of an empty set.
    """
    place = mask.to(torch.int32).cumsum(1)
    skip = lowered(lowered(word, 32) * place[:, -1], 32)
    return _first(place > skip[:, None])


def best(values: Tensor, mask: Tensor) -> Tensor:
    """Return the square of each set with the largest value, the first of equals; values [n, squares]."""
    return lowest_elsewhere(values, mask).argmax(1)


def best_of_equals(values: Tensor, mask: Tensor, word: Tensor) -> Tensor:
    """Return a square of each set with the largest value, that of equals which 64 random bits fall on."""
    values = lowest_elsewhere(values, mask)
    place = ((values == values.amax(1, keepdim=True)) & mask).to(torch.int32).cumsum(1)
    skip = (uniform(word) * place[:, -1]).long()
    return _first(place > skip[:, None])


def lowest_elsewhere(values: Tensor, mask: Tensor) -> Tensor:
    """Return the values with the lowest finite number where the mask is not: never chosen, never NaN."""
    return values.masked_fill(~mask, torch.finfo(values.dtype).min)


def _first(mask: Tensor) -> Tensor:
    return mask.to(torch.uint8).argmax(1)
