"""Random numbers as a hash of a seed and a count, the same on every device.

SplitMix64 (Steele, Lea and Flood 2014), as in `game.kernels.randomness`. The count is a tensor, so that a
recorded CUDA graph draws other numbers each time it is played, and a resume needs two numbers.
"""

import math

import torch
from torch import Tensor

from agent.device.words import as_signed, lowered

GOLDEN, _FIRST, _SECOND = map(as_signed, (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_BITS = 31
"""Bits of a draw: small enough that a draw times a count of up to 2**32 is an int64."""


class Randomness:
    """Hands out random numbers one after another."""

    def __init__(self, seed: int, device: torch.device) -> None:
        """`seed` is any 64 bits."""
        self.seed = seed
        self.count = torch.zeros((), dtype=torch.int64, device=device)
        """How many numbers have been drawn."""

    def words(self, *shape: int) -> Tensor:
        """Return 64 random bits each, int64 of that shape."""
        index = torch.arange(1, math.prod(shape) + 1, device=self.count.device)
        word = (self.count + index) * GOLDEN + as_signed(self.seed)
        self.count += len(index)
        return hashed(word).view(shape)

    def below(self, limit: Tensor | int, *shape: int) -> Tensor:
        """Return int64 of that shape, uniform from 0 to limit - 1; `limit` is from 1 to 2**32, or tensors.

        The bias is below limit / 2**31.
        """
        return (lowered(self.words(*shape), 64 - _BITS) * limit) >> _BITS

    def uniform(self, *shape: int) -> Tensor:
        """Return float32 of that shape, uniform from 0 to less than 1."""
        return lowered(self.words(*shape), 40).to(torch.float32) * 2.0**-24


def hashed(word: Tensor) -> Tensor:
    """Return words that look random: the last step of SplitMix64."""
    word = (word ^ lowered(word, 30)) * _FIRST
    word = (word ^ lowered(word, 27)) * _SECOND
    return word ^ lowered(word, 31)
