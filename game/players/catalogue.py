"""The catalogue of players: text such as `greedy` or `alphabeta:depth=4,eval=positional` in, a player out.

Players made of others are here too: `noisy`, some of whose moves are random, and `level`, ten steps from
near-random to the strongest play that answers at once. `game/registry.py` has the grammar. Other packages add
players through the entry-point group `othello.players`.
"""

import re
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators.catalogue import EVALUATORS, PUBLISHED
from othello_lab.game.game import Game
from othello_lab.game.kernels.choices import ASIDE, RANDOM
from othello_lab.game.kernels.words import ONE_WORD
from othello_lab.game.play.luck import Words, draws
from othello_lab.game.players import deepening, mcts, one_move, textbook
from othello_lab.game.players.base import MoveValues, Player, Policy
from othello_lab.game.players.deepening import FOR_SEARCH, PRETRAINED
from othello_lab.game.players.engine.player import ENTRIES as ENGINES
from othello_lab.game.players.given import as_owned
from othello_lab.game.players.one_move import by_rule, pick
from othello_lab.game.registry import Entry, Registry, RegistryError, Spec, parse

__all__ = ["BUILT_IN", "PLAYERS", "RegistryError", "Spec", "check", "files", "is_built_in", "make", "parse"]

_NOISY = "noisy"
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

_SEARCHES: dict[str, Entry[Player]] = {**textbook.ENTRIES, **deepening.ENTRIES, **mcts.ENTRIES}
BUILT_IN: dict[str, Entry[Player]] = {**one_move.ENTRIES, **_SEARCHES, **ENGINES}
"""The players of this package."""
PLAYERS: Registry[Player] = Registry("player", "othello.players", BUILT_IN)
files, check, names = PLAYERS.files, PLAYERS.check, PLAYERS.names


_MOST = {
    **{"depth": 6, "time": 5, "nodes": 1e6, "simulations": 20_000},
    **{"endgame": 16, "hash": 64, "share": 1, "fade": 1},
}
"""The largest value of an option of a player that is_built_in: together a few seconds a move."""
_DEEPEST_BEYOND_8X8 = 3
_LIMITS = {"depth", "time", "nodes", "simulations"}


def is_built_in(text: str, size: int) -> bool:
    """Return whether a message over the wire may name this player, on boards of `size`.

    It is a player of this package that opens no file, starts no program and thinks for a few seconds a
    move at most. Beyond 8x8 a search has to name its limit. Raises RegistryError.
    """
    spec = parse(text)
    if spec.name == _NOISY and spec.argument is not None:
        return is_built_in(spec.argument, size) and spec.options.keys() <= {"share"}
    has_plain_argument = spec.argument in (None, *PUBLISHED) or spec.name == "level"
    if spec.name not in BUILT_IN or spec.name in ENGINES or not has_plain_argument:
        return False
    if size > ONE_WORD and spec.name in _SEARCHES and not spec.options.keys() & _LIMITS:
        return False
    return all(_is_small(key, value, size) for key, value in spec.options.items())


def _is_small(key: str, value: str, size: int) -> bool:
    if key == "eval":
        spec = parse(value)
        is_plain = spec.name in EVALUATORS.entries and spec.argument in (None, *PUBLISHED)
        return value in (PRETRAINED, FOR_SEARCH) or (is_plain and spec.options.keys() <= {"fade"})
    most = _DEEPEST_BEYOND_8X8 if key == "depth" and size > ONE_WORD else _MOST.get(key, -1)
    return re.fullmatch(r"[0-9]*\.?[0-9]+", value, re.ASCII) is not None and float(value) <= most


def make(text: str, size: int) -> Player:
    """Return what a text names, for boards of `size`; raise RegistryError."""
    made: object = PLAYERS.make(text, size)
    try:
        player = as_owned(made)
    except TypeError as error:  # another package made it
        raise RegistryError(f"{text}: {error}") from None
    player.made_from = text
    return player


class NoisyPolicy(Policy):
    """Plays any legal move, uniformly, in a share of its moves, and what another policy chooses otherwise."""

    def __init__(self, policy: Policy, share: float) -> None:
        """`share` is the chance that a move is random, 0 to 1."""
        self._policy, self._share = policy, share

    def choose_many(self, positions: Positions, luck: Words) -> NDArray[np.int64]:
        """Return for each position a random move or the other policy's."""
        anything = by_rule(RANDOM, positions, luck, ASIDE + 1)
        is_random = draws(luck, positions, ASIDE) < self._share
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
    if parse(text).name == _NOISY:
        raise RegistryError(f"{_NOISY}:{text}: say the share of random moves once")
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
        files=lambda spec, size: files(text(spec), size),
    )


_OF_OTHERS = {
    _NOISY: _made_of(
        _inner,
        f"another player, some of whose moves are random ({_DEFAULT_PLAYER})",
        "PLAYER",
        {"share": f"the chance that a move is random ({_DEFAULT_SHARE})"},
        _noisy,
    ),
    "level": _made_of(
        _level,
        f"a step of the ladder, 1 (near-random) to {STRONGEST} (strong; the default)",
        f"1-{STRONGEST}",
        {},
        lambda spec, size: make(_level(spec), size),
    ),
}
BUILT_IN.update(_OF_OTHERS)
KINDS: Mapping[str, Mapping[str, Entry[Player]]] = {
    "Players that look at one move": one_move.ENTRIES,
    "Players that look further": _SEARCHES,
    "Players made of others": {**_OF_OTHERS, **ENGINES},
}
"""The same by what they do, for whoever lists them."""
