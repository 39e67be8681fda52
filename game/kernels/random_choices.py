"""Random numbers in compiled code, and the moves of simple players.

Random number n is a hash of the seed and n. A seat is one side in one game. `luck` has a seed for each seat.
"""

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.kernels import bitboard
from othello_lab.game.kernels.bits import (
    ONE_WORD,
    Bits,
    Integer,
    Rows,
    count,
    from_int,
    from_row,
    lowest,
    nth_row,
    occupied,
    without_lowest,
)
from othello_lab.game.kernels.jit import compiled, compiled_for

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def hashed(word: Integer) -> Integer:
    """Return a hash of a word by the last step of SplitMix64 (Steele, Lea and Flood 2014)."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


_hashed = compiled(hashed)


@compiled
def random_word(seed: Integer, counter: Integer) -> Integer:
    """Return random number `counter` (from 0) of the generator SplitMix64 with this seed, as 64 bits."""
    return _hashed(np.uint64(seed) + np.uint64(counter + 1) * GOLDEN)


@compiled
def random_square(squares: Bits, word: Integer) -> Integer:
    """Return a uniformly random square of a non-empty set, given 64 random bits."""
    # The index is (the upper 32 bits * the count) / 2**32. The bias is below 2**-24 for any board.
    skip = ((np.uint64(word) >> np.uint64(32)) * np.uint64(count(squares))) >> np.uint64(32)
    for _ in range(skip):
        squares = without_lowest(squares)
    return lowest(squares)


RANDOM, GREEDY, CORNER_GREEDY, CORNER_OR_RANDOM = range(4)
"""The rules by which simple players choose moves. `game.players.simple` explains them."""
EXPLORING_DRAWS = 1000
"""The index of the first random number for exploration, which replaces some moves by random moves."""


@compiled
def turn_word(own: Bits, opponent: Bits, luck: Integer) -> Integer:
    """Return the seed for one turn, which depends on the seat's seed `luck` and on the number of discs."""
    return random_word(luck, count(own | opponent))


@compiled
def uniform(word: Integer) -> float:
    """Convert 64 random bits to a number from 0 to 1 (exclusive)."""
    return float(np.uint64(word) >> np.uint64(11)) * 2.0**-53


@compiled
def draw(
    own: Rows, opponent: Rows, kind: Bits, luck: NDArray[np.uint64], which: int, drawn: NDArray[np.float64]
) -> None:
    """Write random number `which` of the turn in each position into `drawn`, from 0 to 1 (exclusive)."""
    for i in range(len(luck)):
        word = turn_word(nth_row(kind, own, i), nth_row(kind, opponent, i), luck[i])
        drawn[i] = uniform(random_word(word, which))


@compiled
def choose(
    who: int,
    own: Rows,
    opponent: Rows,
    kind: Bits,
    size: int,
    luck: NDArray[np.uint64],
    first: int,
    chosen: NDArray[np.int64],
) -> None:
    """Write the square that the rule `who` chooses in each position. Every position must have a move."""
    for i in range(len(luck)):
        chosen[i] = _choice_on_words(
            who, nth_row(kind, own, i), nth_row(kind, opponent, i), size, luck[i], first
        )


def choice(who: int, own: Bits, opponent: Bits, size: int, luck: Integer, first: int) -> Integer:
    """Return the square that the rule `who` chooses. `first` is the index of the first random number."""
    word = turn_word(own, opponent, luck)
    draw = random_word(word, first)
    if who == GREEDY:
        return random_square(bitboard.most_flips(own, opponent, size), draw)
    moves = bitboard.legal_moves(own, opponent, size)
    if who == RANDOM:
        return random_square(moves, draw)
    on_offer = moves & from_row(own, bitboard.CORNERS[size])
    if who == CORNER_OR_RANDOM:
        return random_square(on_offer if occupied(on_offer) else moves, draw)
    t = uniform(random_word(word, first + 1))
    if occupied(on_offer) and t < 0.9:
        return random_square(on_offer, draw)
    if not occupied(on_offer) and t < 0.8:
        return lowest(bitboard.most_flips(own, opponent, size))  # the first in row-major order
    return random_square(moves, draw)


_choice_on_words = compiled(choice)
_choice_on_integers = compiled_for(choice, "(int64, uint64, uint64, int64, uint64, int64)")


def choice_of(who: int, own: int, opponent: int, size: int, luck: int) -> int:
    """Call `choice` with sets as Python integers and `first` = 0, on boards of any size."""
    if size <= ONE_WORD:
        return int(_choice_on_integers()(who, own, opponent, size, luck, 0))
    return int(_choice_on_words(who, from_int(own, size), from_int(opponent, size), size, np.uint64(luck), 0))


@compiled
def best(
    values: NDArray[np.float64],
    own: Rows,
    opponent: Rows,
    kind: Bits,
    size: int,
    draws: NDArray[np.float64],
    chosen: NDArray[np.int64],
) -> None:
    """Write a move with the largest value in each position. `draws`, 0 to 1, choose among equal moves.

    `values` has the values of all moves of the first position by ascending square. The values of the second
    position follow.
    """
    first = 0
    for i in range(len(chosen)):
        moves = bitboard.legal_moves(nth_row(kind, own, i), nth_row(kind, opponent, i), size)
        own_values = values[first : first + count(moves)]
        highest, equals = -np.inf, 0
        for value in own_values:
            if value > highest:
                highest, equals = value, 0
            equals += value == highest
        left = int(draws[i] * equals)
        for value in own_values:
            if equals == 0 or (value == highest and left == 0):  # equals is 0 where all values are NaN
                break
            left -= value == highest
            moves = without_lowest(moves)
        chosen[i] = lowest(moves)
        first += len(own_values)
