"""A counter-based random generator for compiled code: the n-th number is a hash of the seed and n."""

import numpy as np

from game.kernels.jit import compiled
from game.kernels.words import Integer, Words, count, lowest, without_lowest

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@compiled
def random_word(seed: Integer, counter: Integer) -> Integer:
    """Return 64 random bits: SplitMix64 (Steele, Lea and Flood 2014), seeded and counted from outside."""
    word = np.uint64(seed) + np.uint64(counter + 1) * _GOLDEN
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@compiled
def random_square(squares: Words, word: Integer) -> Integer:
    """Return a square of a set that is not empty, uniformly, from 64 random bits."""
    # The upper 32 bits times the count, over 2**32: a bias below 2**-24 for any board.
    skip = ((np.uint64(word) >> np.uint64(32)) * np.uint64(count(squares))) >> np.uint64(32)
    for _ in range(skip):
        squares = without_lowest(squares)
    return lowest(squares)
