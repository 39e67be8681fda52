"""Sets of squares as int64 words, square s the bit s, by tensor operations of fixed shapes.

torch has no unsigned 64-bit arithmetic, and its right shift copies the sign: what is shifted down is masked.
"""

import torch
from torch import Tensor

_ODD, _PAIRS, _NIBBLES = 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F
_ONES = 0x0101010101010101


def lowered(words: Tensor, by: int) -> Tensor:
    """Return the words shifted right by 1 to 63 bits, zeros coming in from above."""
    return (words >> by) & ((1 << (64 - by)) - 1)


def count(words: Tensor) -> Tensor:
    """Return how many squares each set has, int64."""
    pairs = words - (lowered(words, 1) & _ODD)
    nibbles = (pairs & _PAIRS) + (lowered(pairs, 2) & _PAIRS)
    octets = (nibbles + lowered(nibbles, 4)) & _NIBBLES
    return lowered(octets * _ONES, 56)


def to_mask(words: Tensor, squares: Tensor) -> Tensor:
    """Return sets [...] as bool [..., squares]; `squares` is 0, 1, 2 ... on the same device."""
    return ((words[..., None] >> squares) & 1).bool()


def single(square: Tensor) -> Tensor:
    """Return the set of one square each."""
    return torch.ones_like(square) << square


def as_signed(bits: int) -> int:
    """Return the int64 that has these 64 bits."""
    return bits - (1 << 64) if bits >> 63 else bits
