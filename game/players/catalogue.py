"""The catalogue of players: text such as `greedy` or `alphabeta:depth=4,eval=positional` in, a player out.

`game/registry.py` has the grammar. Other packages add players through the entry-point group
`othello.players`.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from game.players import deepening, engine, levels, noisy, one_ply, textbook
from game.players.base import Player
from game.players.simple import CornerGreedyPlayer, CornerOrRandomPlayer, GreedyPlayer, RandomPlayer
from game.registry import Entry, Registry, RegistryError, Spec, parse

__all__ = [
    "BUILT_IN",
    "PLAYERS",
    "RegistryError",
    "Spec",
    "check",
    "files",
    "is_built_in",
    "make",
    "names",
    "parse",
]


def _plain(player: Callable[[], Player], line: str) -> Entry[Player]:
    return Entry(lambda spec, size: player(), line)


_ONE_MOVE: dict[str, Entry[Player]] = {
    "random": _plain(RandomPlayer, "any legal move"),
    "greedy": _plain(GreedyPlayer, "the move that turns over the most discs"),
    "corner-greedy": _plain(CornerGreedyPlayer, "corners first, else most discs, with some random moves"),
    "corner-or-random": _plain(CornerOrRandomPlayer, "a corner if there is one, else any legal move"),
    **one_ply.ENTRIES,
}
_SEARCHES: dict[str, Entry[Player]] = {**textbook.ENTRIES, **deepening.ENTRIES}
BUILT_IN: dict[str, Entry[Player]] = {**_ONE_MOVE, **_SEARCHES, **engine.ENTRIES}
"""The players of this package."""

PLAYERS: Registry[Player] = Registry("player", "othello.players", BUILT_IN)
_OF_OTHERS = noisy.entries(PLAYERS) | levels.entries(PLAYERS)
BUILT_IN.update(_OF_OTHERS)
KINDS: Mapping[str, Mapping[str, Entry[Player]]] = {
    "Players that look at one move": _ONE_MOVE,
    "Players that look further": _SEARCHES,
    "Players made of others": {**_OF_OTHERS, **engine.ENTRIES},
}
"""The same by what they do, for whoever lists them."""


def make(text: str, size: int) -> Player:
    """Return the player that a registry text names, for boards of `size`; raise RegistryError."""
    return PLAYERS.make(text, size)


def files(text: str, size: int) -> tuple[Path, ...]:
    """Return the files that a player is read from, for boards of `size`; raise RegistryError."""
    return PLAYERS.files(text, size)


def check(text: str) -> None:
    """Raise RegistryError for a text with an unknown name, argument or option; makes and loads nothing."""
    PLAYERS.check(text)


def names() -> list[str]:
    """Return the names of all players, those of other packages included."""
    return PLAYERS.names()


def is_built_in(text: str, size: int) -> bool:
    """Tell whether a text names a built-in player that opens no file, no process and thinks for seconds a
    move at most on boards of `size`.
    """
    return PLAYERS.is_harmless(text, size)
