"""Luck on a device: the same draws as those of `game.play.luck`, a hash of game, seat, turn and draw."""

from typing import NamedTuple

import torch
from torch import Tensor

from agent.device.randomness import GOLDEN, hashed
from agent.device.rules import Positions
from agent.device.words import as_signed, count, lowered
from game.play.luck import seat_word

TABLE, WHITE, BLACK = range(3)
"""The seats of a game of self-play, as in `agent.selfplay.play`; the table's is what the game begins with."""


class Luck(NamedTuple):
    """What a side has to draw from in each of some games, int64 [n] each."""

    seat: Tensor
    """For the whole game."""
    turn: Tensor
    """For this turn alone."""


def seat_words(seed: int, numbers: Tensor) -> Tensor:
    """Return the words of all seats in games that have no more than a number, int64 [3, n]."""
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
