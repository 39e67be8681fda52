"""Choice of a move in each game, from sets of squares or from values of squares."""

import torch
from torch import Tensor

from agent.device.randomness import Randomness


def pick(mask: Tensor, random: Randomness) -> Tensor:
    """Return a uniformly random square of each set, int64 [n]; mask is bool [n, squares].

    Square 0 of an empty set.
    """
    place = mask.to(torch.int32).cumsum(1)
    draw = random.below(place[:, -1].long(), len(mask))
    return _first(place > draw[:, None])


def best(values: Tensor, mask: Tensor) -> Tensor:
    """Return the square of each set with the largest value, the first of equals; values [n, squares]."""
    return lowest_elsewhere(values, mask).argmax(1)


def best_of_equals(values: Tensor, mask: Tensor, random: Randomness) -> Tensor:
    """Return a square of each set with the largest value, uniformly among equals."""
    values = lowest_elsewhere(values, mask)
    return pick((values == values.amax(1, keepdim=True)) & mask, random)


def lowest_elsewhere(values: Tensor, mask: Tensor) -> Tensor:
    """Return the values with the lowest finite number where the mask is not: never chosen, never NaN."""
    return values.masked_fill(~mask, torch.finfo(values.dtype).min)


def _first(mask: Tensor) -> Tensor:
    return mask.to(torch.uint8).argmax(1)
