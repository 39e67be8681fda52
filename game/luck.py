"""Random draws: each is a hash of a seed of the seat, the number of discs, and the number of the draw.

A seat (a side in a game) has a seed of 64 bits, its luck. Its draws depend on no other game, and not on the
process or machine that plays the game.
"""

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np
from numpy.random.bit_generator import ISeedSequence
from numpy.typing import DTypeLike, NDArray

from othello_lab.game.board import Board, Colour
from othello_lab.game.kernels import random_choices
from othello_lab.game.kernels.bits import from_int
from othello_lab.game.kernels.random_choices import GOLDEN, hashed

if TYPE_CHECKING:
    from othello_lab.game.batch.positions import Positions

LAST_EPISODE: Final = 10**15
"""The highest number of an episode."""
LARGEST_LUCK: Final = (1 << 64) - 1
"""The largest seed of a seat."""
SeatSeeds = NDArray[np.uint64]
"""The seed of a seat in each of some games, [n]."""

_INCREMENT: Final = 0x5851F42D4C957F2D14057B7EF767814F
"""Any odd number; the same for all generators."""


class _NoSeed(ISeedSequence):
    """The seed of a generator whose state is set at once: five times as fast as a real one."""

    def generate_state(self, n_words: int, dtype: DTypeLike = np.uint32) -> NDArray[np.uint64]:
        """Return ones."""
        return np.ones(n_words, np.uint64)


_NO_SEED: Final = _NoSeed()


class Luck(NamedTuple):
    """The source of all draws in a game of a pairing.

    It does not depend on the players, nor on which other games are played. What one side draws does not
    change the draws of the other side.
    """

    seed: int
    opening: str
    """A transcript; "" is the standard start."""
    repeat: int = 0
    """Counts from 0 the games with equal other fields."""
    turned: bool = False
    """True in the second game of a player against itself, which would repeat the first game otherwise."""

    def episode(self, colour: Colour) -> int:
        """Return the episode in which an environment with this seed has the same draws as this side."""
        text = f"{self.opening} {self.repeat} {self.turned:d} {colour.value}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big") % LAST_EPISODE

    def seat_seed(self, colour: Colour) -> int:
        """Return the seed of a side."""
        return seat_seed(self.seed, self.episode(colour))


def luck_of(seed: int, episode: int) -> np.random.Generator:
    """Return the generator of an environment for the start of an episode: colours and openings."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(episode,)))


def seat_seed(seed: int, episode: int) -> int:
    """Return the seed of the opponent in an episode of an environment with this seed."""
    return int.from_bytes(hashlib.blake2b(f"{seed} {episode}".encode(), digest_size=8).digest(), "big")


def seat_seeds(seed: int, numbers: NDArray[np.integer], seat: int) -> SeatSeeds:
    """Return the seeds of a seat, 0 to 9, in games of self-play, which have a number only, [n]."""
    counters = 10 * numbers.astype(np.uint64) + np.uint64(seat + 1)
    seeds: SeatSeeds = hashed(np.uint64(seat_seed(seed, 0)) + counters * GOLDEN)
    return seeds


def draws(luck: SeatSeeds, positions: "Positions", which: int) -> NDArray[np.float64]:
    """Return one draw, from 0 to 1 (exclusive), in each position, [n]; `which` is its number at this turn."""
    drawn = np.empty(len(luck))
    kind = from_int(0, positions.size)
    random_choices.draw(positions.own, positions.opponent, kind, luck, which, drawn)
    return drawn


def uniforms(luck: SeatSeeds, count: int) -> NDArray[np.float64]:
    """Return draws from 0 to 1 (exclusive) that are the same at all turns of a game, [n, count]."""
    counters = (np.arange(count, dtype=np.uint64) + np.uint64(1)) * GOLDEN
    words: SeatSeeds = hashed(~luck[:, None] + counters)
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53


class _TurnGenerator:
    """numpy's Generator for one turn, made at the first draw.

    Most simple players need only the seed, and making a generator takes longer than their move.
    """

    def __init__(self, seed: int, discs: int) -> None:
        self.seed, self._discs = seed, discs
        self.is_seed_taken = False

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  any attribute of a Generator
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._generator, name)

    @cached_property
    def _generator(self) -> np.random.Generator:
        return _generator(self.seed, self._discs)


def turn_generator(seed: int, board: Board) -> np.random.Generator:
    """Return the generator of a player for one turn, given the seed of its seat.

    It has the methods of numpy's Generator. All draws follow from `seed` and the number of discs.
    """
    return cast(np.random.Generator, _TurnGenerator(seed, (board.black | board.white).bit_count()))


def seat_seed_from(rng: np.random.Generator) -> int:
    """Return a seed for a policy that is asked for one move.

    The first call for a generator of `turn_generator` returns the seed of the seat, as `choose_many` gets it.
    Every other call draws a seed: a policy that plays several moves in a turn, as in playouts, must not
    repeat its draws.
    """
    if isinstance(rng, _TurnGenerator) and not rng.is_seed_taken:
        rng.is_seed_taken = True
        return rng.seed
    return int(rng.integers(1 << 64, dtype=np.uint64))


def _generator(seed: int, discs: int) -> np.random.Generator:
    turn = seed + (discs + 1) * int(GOLDEN) & LARGEST_LUCK
    turn = (turn ^ (turn >> 30)) * 0xBF58476D1CE4E5B9 & LARGEST_LUCK
    turn ^= turn >> 31
    bits = np.random.PCG64(_NO_SEED)  # type: ignore[arg-type]  # any ISeedSequence, says its documentation
    bits.state = {
        "bit_generator": "PCG64",
        "state": {"state": turn << 64 | seed, "inc": _INCREMENT},
        "has_uint32": 0,
        "uinteger": 0,
    }
    return np.random.Generator(bits)
