"""Luck on a device: the draws of `game.play.luck`, random numbers for learning, and moves chosen by them.

A hash of game, seat, turn and draw; or of a seed and a count, a tensor, so that a recorded CUDA graph draws
other numbers each time it is played, and a resume needs two numbers. SplitMix64 (Steele, Lea and Flood 2014),
as in `game.kernels.choices`.
"""

import math
from typing import NamedTuple

import torch
from torch import Tensor

from othello_lab.agent.device.rules import Positions, as_signed, count, lowered
from othello_lab.agent.dqn.policy import masked
from othello_lab.game.play.luck import seat_word

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


def hashed(word: Tensor) -> Tensor:
    """Return words that look random: the last step of SplitMix64."""
    word = (word ^ lowered(word, 30)) * _FIRST
    word = (word ^ lowered(word, 27)) * _SECOND
    return word ^ lowered(word, 31)


TABLE, WHITE, BLACK = range(3)
"""The seats of a game of self-play, as in `agent.selfplay.play`; the table's is what the game begins with."""


class Luck(NamedTuple):
    """What a side has to draw from in each of some games, int64 [n] each."""

    seat: Tensor
    """For the whole game."""
    turn: Tensor
    """For this turn alone."""


def seat_words(seed: int, numbers: Tensor) -> Tensor:
    """Return the words of all seats in games known by a number alone, int64 [3, n]."""
    counters = 10 * numbers + torch.arange(1, 4, device=numbers.device)[:, None]
    return hashed(as_signed(seat_word(seed, 0)) + counters * GOLDEN)


def luck_of(seat: Tensor, positions: Positions) -> Luck:
    """Return the luck of a seat at the turns that positions are."""
    return Luck(seat, drawn(seat, count(positions.own | positions.opponent)))


def drawn(word: Tensor, which: Tensor | int) -> Tensor:
    """Return what is drawn from a word, int64 [n]; `which` counts from 0."""
    step = (which + 1) * GOLDEN
    return hashed(word + (as_signed(step % 2**64) if isinstance(step, int) else step))


def uniform(word: Tensor) -> Tensor:
    """Return numbers from 0 to 1 (exclusive) from words, float64."""
    return lowered(word, 11).double() * 2.0**-53


def uniforms(seat: Tensor, number: int) -> Tensor:
    """Return numbers from 0 to 1 (exclusive) that a seat has for a whole game, float64 [n, number]."""
    which = torch.arange(1, number + 1, device=seat.device)
    return uniform(hashed(~seat[:, None] + which * GOLDEN))


def pick(mask: Tensor, word: Tensor) -> Tensor:
    """Return a square of each set by 64 random bits each, int64 [n], as `game.kernels.choices` does.

    mask is bool [n, squares]; square 0 of an empty set.
    """
    place = mask.to(torch.int32).cumsum(1)
    skip = lowered(lowered(word, 32) * place[:, -1], 32)
    return _first(place > skip[:, None])


def best(values: Tensor, mask: Tensor) -> Tensor:
    """Return the square of each set with the largest value, the first of equals; values [n, squares]."""
    return masked(values, mask).argmax(1)


def best_of_equals(values: Tensor, mask: Tensor, word: Tensor) -> Tensor:
    """Return a square of each set with the largest value, that of equals which 64 random bits fall on."""
    values = masked(values, mask)
    place = ((values == values.amax(1, keepdim=True)) & mask).to(torch.int32).cumsum(1)
    skip = (uniform(word) * place[:, -1]).long()
    return _first(place > skip[:, None])


def _first(mask: Tensor) -> Tensor:
    return mask.to(torch.uint8).argmax(1)
