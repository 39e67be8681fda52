"""Random draws: hashes of the seed of a seat (one side in one game), the number of discs and an index."""

import hashlib
from functools import cached_property
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.random.bit_generator import ISeedSequence
from numpy.typing import DTypeLike, NDArray

from othello_lab.game.board import Board, Colour
from othello_lab.game.kernels.bits import Bits, Integer, count, lowest, without_lowest
from othello_lab.game.kernels.jit import compiled

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


# The index of the first draw for exploration, which replaces some moves by random moves.
EXPLORING_DRAWS = 1000


@compiled
def turn_word(own: Bits, opponent: Bits, luck: Integer) -> Integer:
    """Return the seed for one turn, which depends on the seat's seed `luck` and on the number of discs."""
    return random_word(luck, count(own | opponent))


@compiled
def uniform(word: Integer) -> float:
    """Convert 64 random bits to a float in [0, 1)."""
    return float(np.uint64(word) >> np.uint64(11)) * 2.0**-53


LAST_EPISODE: Final = 10**15
LARGEST_LUCK: Final = (1 << 64) - 1  # The maximum seed of a seat.
SeatSeeds = NDArray[np.uint64]  # A seed of a seat, also called luck, for each of n games, [n].

_INCREMENT: Final = 0x5851F42D4C957F2D14057B7EF767814F  # The increment of PCG64, which may be any odd number.


class _NoSeed(ISeedSequence):
    """A placeholder seed sequence, with which the creation of a generator is five times as fast."""

    def generate_state(self, n_words: int, dtype: DTypeLike = np.uint32) -> NDArray[np.uint64]:
        return np.ones(n_words, np.uint64)


_NO_SEED: Final = _NoSeed()


class Luck(NamedTuple):
    """The source of all draws in a game of a pairing. Each side has its own draws."""

    seed: int
    opening: str  # The transcript of the opening. "" is the standard start.
    repeat: int = 0  # The index of this game among the games with the same seed, opening and `turned`.
    turned: bool = False  # True in the second game of a player against itself, so that the two games differ.

    def episode(self, colour: Colour) -> int:
        """Return the episode whose opponent gets the same random numbers as the side `colour` here."""
        text = f"{self.opening} {self.repeat} {self.turned:d} {colour.value}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big") % LAST_EPISODE

    def seat_seed(self, colour: Colour) -> int:
        """Return the seed of the seat `colour` in this game."""
        return seat_seed(self.seed, self.episode(colour))


def luck_of(seed: int, episode: int) -> np.random.Generator:
    """Return the generator with which an environment draws the colours and the opening of an episode."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(episode,)))


def seat_seed(seed: int, episode: int) -> int:
    """Return the seed for the opponent in an episode. `seed` is the seed of the environment."""
    return int.from_bytes(hashlib.blake2b(f"{seed} {episode}".encode(), digest_size=8).digest(), "big")


def seat_seeds(seed: int, numbers: NDArray[np.integer], seat: int) -> SeatSeeds:
    """Return a seed for each of the games `numbers`, [n], of self-play. `seat` is from 0 to 9."""
    counters = 10 * numbers.astype(np.uint64) + np.uint64(seat + 1)
    seeds: SeatSeeds = hashed(np.uint64(seat_seed(seed, 0)) + counters * GOLDEN)
    return seeds


def uniforms(luck: SeatSeeds, count: int) -> NDArray[np.float64]:
    """Return `count` draws in [0, 1) for each seat, float64 [n, count], which are the same in every turn."""
    counters = (np.arange(count, dtype=np.uint64) + np.uint64(1)) * GOLDEN
    words: SeatSeeds = hashed(~luck[:, None] + counters)
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53


class _TurnGenerator:
    """A lazy wrapper of numpy's Generator, because the creation of a Generator is slow."""

    def __init__(self, seed: int, discs: int) -> None:
        self.seed, self._discs = seed, discs
        self.is_seed_taken = False

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  any attribute of a Generator
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._generator, name)

    @cached_property
    def _generator(self) -> np.random.Generator:
        turn = self.seed + (self._discs + 1) * int(GOLDEN) & LARGEST_LUCK
        turn = (turn ^ (turn >> 30)) * 0xBF58476D1CE4E5B9 & LARGEST_LUCK
        turn ^= turn >> 31
        bits = np.random.PCG64(_NO_SEED)  # type: ignore[arg-type]  # any ISeedSequence, says its documentation
        bits.state = {
            "bit_generator": "PCG64",
            "state": {"state": turn << 64 | self.seed, "inc": _INCREMENT},
            "has_uint32": 0,
            "uinteger": 0,
        }
        return np.random.Generator(bits)


def turn_generator(seed: int, board: Board) -> np.random.Generator:
    """Return the generator of a player for one turn, from the seat's seed and the number of discs."""
    return cast(np.random.Generator, _TurnGenerator(seed, (board.black | board.white).bit_count()))


def seat_seed_from(rng: np.random.Generator) -> int:
    """Return the seat's seed at the first call with a `turn_generator`, otherwise a new random seed."""
    if isinstance(rng, _TurnGenerator) and not rng.is_seed_taken:
        rng.is_seed_taken = True  # otherwise the playouts of a policy would repeat their draws
        return rng.seed
    return int(rng.integers(1 << 64, dtype=np.uint64))
