"""Random draws. A draw is a hash of a seed, the number of discs on the board, and an index.

Each side in each game has its own seed. One side in one game is called a seat, and its seed is also called
its luck. A seed has 64 bits. The index counts the draws in one turn. So a draw does not depend on other
games, on the process, or on the machine.
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
"""The largest index of an episode."""
LARGEST_LUCK: Final = (1 << 64) - 1
"""The largest seed of a seat."""
SeatSeeds = NDArray[np.uint64]
"""The seeds of seats in n games, one for each game, [n]."""

_INCREMENT: Final = 0x5851F42D4C957F2D14057B7EF767814F
"""The increment of PCG64. It may be any odd number. All generators use this number."""


class _NoSeed(ISeedSequence):
    """A placeholder for a seed. It makes new generators five times as fast. Their state is set afterwards."""

    def generate_state(self, n_words: int, dtype: DTypeLike = np.uint32) -> NDArray[np.uint64]:
        """Return an array of ones."""
        return np.ones(n_words, np.uint64)


_NO_SEED: Final = _NoSeed()


class Luck(NamedTuple):
    """The source of all draws in a game of a pairing.

    The draws do not depend on the players, on other games, or on the draws of the other side.
    """

    seed: int
    opening: str
    """The transcript of the opening. "" is the standard start."""
    repeat: int = 0
    """The index of this game among the games in which all other fields are equal."""
    turned: bool = False
    """True in the second game of a player against itself. Without it, both games would be the same."""

    def episode(self, colour: Colour) -> int:
        """Return the index of an episode of an environment with the same seed.

        In this episode the opponent in the environment has the same draws as the side `colour` in this game.
        """
        text = f"{self.opening} {self.repeat} {self.turned:d} {colour.value}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big") % LAST_EPISODE

    def seat_seed(self, colour: Colour) -> int:
        """Return the seed of the seat `colour` in this game."""
        return seat_seed(self.seed, self.episode(colour))


def luck_of(seed: int, episode: int) -> np.random.Generator:
    """Return the generator with which an environment draws the colours and the opening of an episode."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(episode,)))


def seat_seed(seed: int, episode: int) -> int:
    """Return the seed for the opponent in an episode of an environment. `seed` is the environment's."""
    return int.from_bytes(hashlib.blake2b(f"{seed} {episode}".encode(), digest_size=8).digest(), "big")


def seat_seeds(seed: int, numbers: NDArray[np.integer], seat: int) -> SeatSeeds:
    """Return the seeds of the seat `seat`, from 0 to 9, in games of self-play, [n].

    `numbers`, [n], holds the numbers of the games.
    """
    counters = 10 * numbers.astype(np.uint64) + np.uint64(seat + 1)
    seeds: SeatSeeds = hashed(np.uint64(seat_seed(seed, 0)) + counters * GOLDEN)
    return seeds


def draws(luck: SeatSeeds, positions: "Positions", which: int) -> NDArray[np.float64]:
    """Return a draw for each position, from 0 to below 1, [n]. `which` is its index in the turn."""
    drawn = np.empty(len(luck))
    kind = from_int(0, positions.size)
    random_choices.draw(positions.own, positions.opponent, kind, luck, which, drawn)
    return drawn


def uniforms(luck: SeatSeeds, count: int) -> NDArray[np.float64]:
    """Return `count` draws for each seat, from 0 to below 1, [n, count]. They do not depend on the turn."""
    counters = (np.arange(count, dtype=np.uint64) + np.uint64(1)) * GOLDEN
    words: SeatSeeds = hashed(~luck[:, None] + counters)
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53


class _TurnGenerator:
    """A random generator for one turn. It creates a numpy Generator only at the first draw.

    Most simple players need only the seed. To create a Generator would take longer than to choose a move.
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
    """Return the generator of a player for one turn. `seed` is the seed of the player's seat.

    The generator has the methods of numpy's Generator. Its draws depend only on the seed and the number of
    discs.
    """
    return cast(np.random.Generator, _TurnGenerator(seed, (board.black | board.white).bit_count()))


def seat_seed_from(rng: np.random.Generator) -> int:
    """Return a seed for a policy that chooses one move.

    If `rng` comes from `turn_generator`, the first call returns the seed of the seat. `choose_many` would get
    the same seed. Every other call draws a new seed. So a policy that plays several moves in one turn, for
    example in playouts, does not repeat its draws.
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
