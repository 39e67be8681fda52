"""Random draws. A draw is a hash of the seat's seed, the number of discs on the board, and the draw's number.

A seat is one side in one game. Its seed has 64 bits and is called its luck. The draws of a seat do not depend
on other games, on the process, or on the machine.
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
    from othello_lab.game.batch import Positions

LAST_EPISODE: Final = 10**15
"""The highest number of an episode."""
LARGEST_LUCK: Final = (1 << 64) - 1
"""The largest seed of a seat."""
SeatSeeds = NDArray[np.uint64]
"""The seed of one seat in each of n games, [n]."""

_INCREMENT: Final = 0x5851F42D4C957F2D14057B7EF767814F
"""The increment of PCG64: any odd number, the same for all generators."""


class _NoSeed(ISeedSequence):
    """A placeholder seed for a generator whose state is set directly: five times as fast as a real seed."""

    def generate_state(self, n_words: int, dtype: DTypeLike = np.uint32) -> NDArray[np.uint64]:
        """Return ones."""
        return np.ones(n_words, np.uint64)


_NO_SEED: Final = _NoSeed()


class Luck(NamedTuple):
    """The source of all draws in a game of a pairing.

    The draws do not depend on the players or on other games. The draws of one side do not change the draws of
    the other side.
    """

    seed: int
    opening: str
    """A transcript; "" is the standard start."""
    repeat: int = 0
    """The number of a game, from 0, among the games in which all other fields are equal."""
    turned: bool = False
    """True in the second game of a player against itself: otherwise both games would be the same."""

    def episode(self, colour: Colour) -> int:
        """Return the episode in which the opponent of an environment with this seed has this side's draws."""
        text = f"{self.opening} {self.repeat} {self.turned:d} {colour.value}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big") % LAST_EPISODE

    def seat_seed(self, colour: Colour) -> int:
        """Return the seed of a side."""
        return seat_seed(self.seed, self.episode(colour))


def luck_of(seed: int, episode: int) -> np.random.Generator:
    """Return the generator that an environment uses at the start of an episode, for colours and openings."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(episode,)))


def seat_seed(seed: int, episode: int) -> int:
    """Return the seed of the opponent in an episode of an environment with this seed."""
    return int.from_bytes(hashlib.blake2b(f"{seed} {episode}".encode(), digest_size=8).digest(), "big")


def seat_seeds(seed: int, numbers: NDArray[np.integer], seat: int) -> SeatSeeds:
    """Return the seeds of a seat (0 to 9) in games of self-play, [n]; `numbers` [n] identify the games."""
    counters = 10 * numbers.astype(np.uint64) + np.uint64(seat + 1)
    seeds: SeatSeeds = hashed(np.uint64(seat_seed(seed, 0)) + counters * GOLDEN)
    return seeds


def draws(luck: SeatSeeds, positions: "Positions", which: int) -> NDArray[np.float64]:
    """Return one draw for each position, from 0 to 1 (exclusive), [n]; `which` is its number in this turn."""
    drawn = np.empty(len(luck))
    kind = from_int(0, positions.size)
    random_choices.draw(positions.own, positions.opponent, kind, luck, which, drawn)
    return drawn


def uniforms(luck: SeatSeeds, count: int) -> NDArray[np.float64]:
    """Return draws from 0 to 1 (exclusive), [n, count]. They are the same at all turns of a game."""
    counters = (np.arange(count, dtype=np.uint64) + np.uint64(1)) * GOLDEN
    words: SeatSeeds = hashed(~luck[:, None] + counters)
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53


class _TurnGenerator:
    """A numpy Generator for one turn, which is created at the first draw.

    Most simple players need only the seed: to create a generator takes longer than to choose their move.
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

    It has the methods of numpy's Generator. Its draws depend only on `seed` and the number of discs.
    """
    return cast(np.random.Generator, _TurnGenerator(seed, (board.black | board.white).bit_count()))


def seat_seed_from(rng: np.random.Generator) -> int:
    """Return a seed for a policy that chooses one move.

    If `rng` is from `turn_generator`, the first call returns the seat's seed, which `choose_many` gets too.
    Every other call draws a new seed. A policy that plays several moves in a turn, as in playouts, thus does
    not repeat its draws.
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
