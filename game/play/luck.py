"""Luck: what a side draws in a game, as numbers that follow from the game alone.

The luck of a seat in a game is one word of 64 bits. What is drawn there is a hash of this word, of the number
of discs on the board and of which draw it is: no game depends on those before it or beside it, nor on the
process or machine that it is played in.
"""

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np
from numpy.random.bit_generator import ISeedSequence
from numpy.typing import DTypeLike, NDArray

from othello_lab.game.board import Board, Colour
from othello_lab.game.kernels import choices
from othello_lab.game.kernels.bits import from_int

if TYPE_CHECKING:
    from othello_lab.game.batch.positions import Positions

LAST_EPISODE: Final = 10**15
"""The highest number of an episode."""
LARGEST_LUCK: Final = (1 << 64) - 1
"""Of a seat."""
SeatSeeds = NDArray[np.uint64]
"""The luck of a seat in each of some games, [n]."""

_GOLDEN: Final = 0x9E3779B97F4A7C15
_INCREMENT: Final = 0x5851F42D4C957F2D14057B7EF767814F
"""Any odd number: it is the same for all generators that are made here."""


class _Unused(ISeedSequence):
    """Seeds of a generator whose state is set at once: made in a fifth of the time of real ones."""

    def generate_state(self, n_words: int, dtype: DTypeLike = np.uint32) -> NDArray[np.uint64]:
        """See numpy."""
        return np.ones(n_words, np.uint64)


_UNUSED: Final = _Unused()


class Luck(NamedTuple):
    """All that decides what the two sides draw in a game of a pairing: not who they are, nor which other
    games are played. What one side draws does not change what the other gets.
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

    def word(self, colour: Colour) -> int:
        """Return the luck of a side."""
        return seat_seed(self.seed, self.episode(colour))


def luck_of(seed: int, episode: int) -> np.random.Generator:
    """Return what an environment with this seed draws from to begin an episode: colours and openings."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(episode,)))


def seat_seed(seed: int, episode: int) -> int:
    """Return the luck of the player that is asked in an episode of an environment with this seed."""
    return int.from_bytes(hashlib.blake2b(f"{seed} {episode}".encode(), digest_size=8).digest(), "big")


def seat_seeds(seed: int, numbers: NDArray[np.integer], seat: int) -> SeatSeeds:
    """Return the luck of a seat, 0 to 9, in games known by a number alone, [n]."""
    counters = 10 * numbers.astype(np.uint64) + np.uint64(seat + 1)
    return hashed(np.uint64(seat_seed(seed, 0)) + counters * np.uint64(_GOLDEN))


def draws(luck: SeatSeeds, positions: "Positions", which: int) -> NDArray[np.float64]:
    """Return what a side draws from 0 to 1 (exclusive) in each of some positions, [n]; `which` counts from 0
    what is drawn at one turn.
    """
    drawn = np.empty(len(luck))
    kind = from_int(0, positions.size)
    choices.draw(positions.own, positions.opponent, kind, luck, which, drawn)
    return drawn


def uniforms(luck: SeatSeeds, count: int) -> NDArray[np.float64]:
    """Return numbers from 0 to 1 (exclusive) that a seat has for a whole game, [n, count]."""
    counters = (np.arange(count, dtype=np.uint64) + np.uint64(1)) * np.uint64(_GOLDEN)
    words = hashed(~luck[:, None] + counters)
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53


def hashed(words: SeatSeeds) -> SeatSeeds:
    """Return words that look random: the last step of SplitMix64, see `game.kernels.choices`."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


class _TurnGenerator:
    """What a player draws from at one turn: numpy's Generator, made at the first draw.

    Most simple players need only `word`, and making a generator takes longer than their move.
    """

    def __init__(self, word: int, discs: int) -> None:
        self.word, self._discs = word, discs
        self.is_word_taken = False

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever a Generator has
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._generator, name)

    @cached_property
    def _generator(self) -> np.random.Generator:
        return _generator(self.word, self._discs)


def turn_generator(word: int, board: Board) -> np.random.Generator:
    """Return what a player draws from at this turn of a game in which its seat has the luck `word`.

    It has the methods of numpy's Generator. All draws follow from `word` and the number of discs.
    """
    return cast(np.random.Generator, _TurnGenerator(word, (board.black | board.white).bit_count()))


def seat_seed_from(rng: np.random.Generator) -> int:
    """Return the luck that a policy takes from a generator.

    From one of `turn_generator` it is first the word that this was made from, later another one: a policy
    that is asked twice in a turn, as for playouts, does not draw the same twice.
    """
    if isinstance(rng, _TurnGenerator) and not rng.is_word_taken:
        rng.is_word_taken = True
        return rng.word
    return int(rng.integers(1 << 64, dtype=np.uint64))


def _generator(word: int, discs: int) -> np.random.Generator:
    turn = word + (discs + 1) * _GOLDEN & LARGEST_LUCK
    turn = (turn ^ (turn >> 30)) * 0xBF58476D1CE4E5B9 & LARGEST_LUCK
    turn ^= turn >> 31
    bits = np.random.PCG64(_UNUSED)  # type: ignore[arg-type]  # any ISeedSequence, says its documentation
    bits.state = {
        "bit_generator": "PCG64",
        "state": {"state": turn << 64 | word, "inc": _INCREMENT},
        "has_uint32": 0,
        "uinteger": 0,
    }
    return np.random.Generator(bits)
