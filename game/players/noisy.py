"""The player `noisy`, a wrapper that adds random moves, and the player `level`, which has ten strengths."""

import re

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch import Positions, draws
from othello_lab.game.catalogue import PLAYERS, Entry, make
from othello_lab.game.game import Game
from othello_lab.game.luck import EXPLORING_DRAWS, SeatSeeds
from othello_lab.game.players.player import Player, Policy, forward
from othello_lab.game.players.simple import pick, random_moves
from othello_lab.game.registry import RegistryError, Spec, parse


class NoisyPolicy(Policy):
    """A policy that plays a random legal move with probability `share`, else the move of `policy`."""

    def __init__(self, policy: Policy, share: float) -> None:
        self._policy, self._share = policy, share
        forward(self, policy, "values")

    def choose_many(self, positions: Positions, luck: SeatSeeds) -> NDArray[np.int64]:
        """Return a random move or the move of the wrapped policy for each position, int64 [n]."""
        moves = random_moves(positions, luck, EXPLORING_DRAWS + 1)
        is_random = draws(luck, positions, EXPLORING_DRAWS) < self._share
        return np.where(is_random, moves, self._policy.choose_many(positions, luck))


class NoisyPlayer(Player):
    """A player that plays a random legal move with probability `share`, else the move of `player`."""

    def __init__(self, player: Player, share: float) -> None:
        self._player, self._share = player, share
        forward(self, player, "values", "start", "observe", "stop", "close")

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return a random move or the move of the wrapped player."""
        if rng.random() < self._share:
            return pick(game.board.legal_moves, rng)
        return self._player.choose(game, rng)


_DEFAULT_PLAYER = "positional"
_DEFAULT_SHARE = "0.1"


def _noisy(spec: Spec, size: int) -> Player:
    share, player = _share(spec), make(_inner_text(spec), size)
    return NoisyPolicy(player, share) if isinstance(player, Policy) else NoisyPlayer(player, share)


def _inner_text(spec: Spec) -> str:
    """Return the text of the wrapped player. Raises RegistryError if this player is also `noisy`."""
    text = spec.argument or _DEFAULT_PLAYER
    if parse(text).name == spec.name:
        raise RegistryError(f"{spec.name}:{text}: say the share of random moves once")
    return text


def _share(spec: Spec) -> float:
    text = spec.options.get("share", _DEFAULT_SHARE)
    if not re.fullmatch(r"[0-9]?(\.[0-9]{1,9})?", text) or not text or not float(text) <= 1:
        raise RegistryError(f"{spec.name}: share is {text!r}, expected a number from 0 to 1 such as 0.1")
    return float(text)


# The levels from 1. Each level limits nodes and not time, so that the same seed gives the same game.
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
STRONGEST = len(LEVELS)


def _level_text(spec: Spec) -> str:
    text = str(STRONGEST) if spec.argument is None else spec.argument
    if text not in {str(level) for level in range(1, STRONGEST + 1)}:
        raise RegistryError(f"there is no level {text!r}: expected {spec.name}:1 to {spec.name}:{STRONGEST}")
    return LEVELS[int(text) - 1]


NOISY: Entry[Player] = Entry(
    _noisy,
    f"PLAYER, but some moves are random ({_DEFAULT_PLAYER})",
    "PLAYER",
    {"share": f"the probability of a random move ({_DEFAULT_SHARE})"},
    files=lambda spec, size: PLAYERS.files(_inner_text(spec), size),
)
LEVEL: Entry[Player] = Entry(
    lambda spec, size: make(_level_text(spec), size),
    f"a level from 1 (almost random) to {STRONGEST} (the strongest and the default)",
    f"1-{STRONGEST}",
    files=lambda spec, size: PLAYERS.files(_level_text(spec), size),
)
