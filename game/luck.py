"""The luck of a game: which random numbers each side draws, the same in every command and every process."""

import hashlib
from typing import NamedTuple

import numpy as np

from game.board import Colour

LAST_EPISODE = 10**15
"""The highest number of an episode."""


def luck_of(seed: int, episode: int) -> np.random.Generator:
    """Return what is drawn from in an episode of an environment that has this seed."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(episode,)))


class Luck(NamedTuple):
    """All that decides what the two sides draw in a game of a match: not who they are, nor which other games
    are played. What one side draws does not change what the other gets.
    """

    seed: int
    opening: str
    """The transcript of the moves that are given; "" is the standard start."""
    repeat: int = 0
    """Counts from 0 the games that are alike in all else."""
    turned: bool = False
    """Set in the second game of a player against itself, which the same luck would make the first again."""

    def episode(self, colour: Colour) -> int:
        """Return the episode in which an environment with this seed draws what this side does."""
        text = f"{self.opening} {self.repeat} {self.turned:d} {colour.value}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big") % LAST_EPISODE

    def of(self, colour: Colour) -> np.random.Generator:
        """Return what a side draws from."""
        return luck_of(self.seed, self.episode(colour))
