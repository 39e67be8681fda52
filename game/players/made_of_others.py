"""Players made of others: `noisy`, with some random moves; `level`, ten steps from near-random to strong."""

import re
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.positions import Positions
from othello_lab.game.game import Game
from othello_lab.game.kernels.choices import EXPLORING_DRAWS, RANDOM
from othello_lab.game.play.luck import SeatSeeds, draws
from othello_lab.game.players.catalogue import PLAYERS, make
from othello_lab.game.players.player import MoveValues, Player, Policy
from othello_lab.game.players.simple import by_rule, pick
from othello_lab.game.registry import Entry, RegistryError, Spec, parse

_DEFAULT_PLAYER = "positional"
_DEFAULT_SHARE = "0.1"
LEVELS = (
    "noisy:[search:depth=1,endgame=0,hash=1],share=0.9",
    "noisy:[search:depth=1,endgame=0,hash=1],share=0.6",
    "noisy:[search:depth=1,endgame=0,hash=1],share=0.3",
    "noisy:[search:depth=1,endgame=0,hash=1],share=0.1",
    "search:depth=1,endgame=0,hash=1",
    "search:depth=2,endgame=0,hash=1",
    "search:nodes=400,endgame=6,hash=1",
    "search:nodes=4000,endgame=10,hash=1",
    "search:nodes=40000,endgame=12,hash=4",
    "search:nodes=1000000,hash=32",
)
"""The registry text of each level, level 1 first.

They search with the best evaluation that ships for the board. None has a limit of time, so that a game
repeats with its seed; one of positions is much the same effort on every board, a second a move at most.
"""
STRONGEST = len(LEVELS)


class NoisyPolicy(Policy):
    """Plays any legal move, uniformly, in a share of its moves, and what another policy chooses otherwise."""

    def __init__(self, policy: Policy, share: float) -> None:
        """`share` is the chance that a move is random, 0 to 1."""
        self._policy, self._share = policy, share

    def choose_many(self, positions: Positions, luck: SeatSeeds) -> NDArray[np.int64]:
        """Return for each position a random move or the other policy's."""
        anything = by_rule(RANDOM, positions, luck, EXPLORING_DRAWS + 1)
        is_random = draws(luck, positions, EXPLORING_DRAWS) < self._share
        return np.where(is_random, anything, self._policy.choose_many(positions, luck))

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues | None:
        """Return the other policy's."""
        return self._policy.values(game, rng)


class NoisyPlayer(Player):
    """The same with a player that thinks of one game at a time, and is not asked where the move is random."""

    def __init__(self, player: Player, share: float) -> None:
        self._player, self._share = player, share

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return a random move or the other player's."""
        if rng.random() < self._share:
            return pick(game.board.legal_moves, rng)
        return self._player.choose(game, rng)

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues | None:
        """Return the other player's."""
        return self._player.values(game, rng)

    def start(self, game: Game) -> None:
        """Forward to the wrapped player."""
        self._player.start(game)

    def observe(self, move: int) -> None:
        """Forward to the wrapped player."""
        self._player.observe(move)

    def stop(self) -> None:
        """Forward to the wrapped player."""
        self._player.stop()

    def close(self) -> None:
        """Forward to the wrapped player."""
        self._player.close()


def _inner(spec: Spec) -> str:
    """Return the text of the player within; raise RegistryError for another of this kind."""
    text = spec.argument or _DEFAULT_PLAYER
    if parse(text).name == spec.name:
        raise RegistryError(f"{spec.name}:{text}: say the share of random moves once")
    return text


def _share(spec: Spec) -> float:
    text = spec.options.get("share", _DEFAULT_SHARE)
    if not re.fullmatch(r"[0-9]?(\.[0-9]{1,9})?", text) or not text or not float(text) <= 1:
        raise RegistryError(f"{spec.name}: share is {text!r}, expected a number from 0 to 1 such as 0.1")
    return float(text)


def _noisy(spec: Spec, size: int) -> Player:
    share, player = _share(spec), make(_inner(spec), size)
    return NoisyPolicy(player, share) if isinstance(player, Policy) else NoisyPlayer(player, share)


def _level(spec: Spec) -> str:
    """Return the text of the level that is asked for; raise RegistryError."""
    text = str(STRONGEST) if spec.argument is None else spec.argument
    if text not in {str(level) for level in range(1, STRONGEST + 1)}:
        raise RegistryError(f"there is no level {text!r}: expected {spec.name}:1 to {spec.name}:{STRONGEST}")
    return LEVELS[int(text) - 1]


def _made_of(
    text: Callable[[Spec], str],
    line: str,
    argument: str,
    options: Mapping[str, str],
    make: Callable[[Spec, int], Player],
) -> Entry[Player]:
    """Return the entry of a player that is made of another one, given by its text."""
    return Entry(
        make,
        line,
        argument,
        options,
        files=lambda spec, size: PLAYERS.files(text(spec), size),
    )


NOISY = _made_of(
    _inner,
    f"another player, some of whose moves are random ({_DEFAULT_PLAYER})",
    "PLAYER",
    {"share": f"the chance that a move is random ({_DEFAULT_SHARE})"},
    _noisy,
)
LEVEL = _made_of(
    _level,
    f"a step of the ladder, 1 (near-random) to {STRONGEST} (strong; the default)",
    f"1-{STRONGEST}",
    {},
    lambda spec, size: make(_level(spec), size),
)
