"""Players that a program has in memory: a function, or any object with `choose`, as `given:NAME`.

They are known in this process alone. A function takes a Board, or what networks see of many positions.
"""

import inspect
import re
from collections.abc import Callable
from itertools import chain, count
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.games import legal_moves, planes, to_mask
from othello_lab.game.batch.positions import Positions
from othello_lab.game.board import Board
from othello_lab.game.game import Game
from othello_lab.game.luck import SeatSeeds
from othello_lab.game.notation import brief
from othello_lab.game.players.player import Player, Policy
from othello_lab.game.registry import Entry, RegistryError, Spec, compose

NAME = "given"
_IN_MEMORY = re.compile(rf"(^|[:=\[])\s*{NAME}:")
OfBoard: TypeAlias = Callable[[Board], int]
"""Returns a legal square of a board that has one."""
OfPlanes: TypeAlias = Callable[[NDArray[np.float32], NDArray[np.bool_]], Any]
"""Returns a legal square for each of many positions, an array or tensor of ints [n].

From the four planes of `game.observation` as the side to move sees them, float32 [n, 4, N, N], and the legal
squares, bool [n, N * N], at least one each.
"""
_GIVEN: dict[str, tuple[object, Player]] = {}
"""What was given, and the player that it is, by name."""


class BoardFunction(Player):
    """Plays what a function of a board returns."""

    def __init__(self, function: OfBoard) -> None:
        self._function, self.__name__ = function, _name_of(function)

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return its square; raise TypeError where it returns none."""
        return int(_squares(self._function(game.board), self.__name__, ()))


class PlanesFunction(Policy):
    """Plays what a function of planes and legal squares returns, in many games at once."""

    def __init__(self, function: OfPlanes) -> None:
        self._function, self.__name__ = function, _name_of(function)

    def choose_many(self, positions: Positions, luck: SeatSeeds) -> NDArray[np.int64]:
        """Return its squares; raise TypeError where it returns none."""
        legal = to_mask(legal_moves(positions), positions.size)
        found = self._function(planes(positions, np.float32), legal)
        return _squares(found, self.__name__, (len(legal),)).astype(np.int64)


def _squares(found: object, name: str, shape: tuple[int, ...]) -> NDArray[np.integer]:
    """Return the answer of a player of that name as squares of this shape; raise TypeError."""
    squares = np.asarray(found)
    if squares.shape != shape or squares.dtype.kind not in "iu":
        said = brief(" ".join(repr(found).split()))
        expected = f"{shape[0]} squares, whole numbers [{shape[0]}]" if shape else "a square"
        raise TypeError(f"{NAME}:{name} returned {said}, expected {expected}")
    return squares


class _Lent(Player):
    """Plays what an object's `choose(game, rng)` returns; whoever gave it closes it."""

    def __init__(self, chooser: Any) -> None:  # noqa: ANN401  whatever has it
        self._chooser, self.__name__ = chooser, _name_of(chooser)
        _hand_on(self, chooser)

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return its square; raise TypeError where it returns none."""
        return int(_squares(self._chooser.choose(game, rng), self.__name__, ()))


class _LentPolicy(Policy):
    """The same of a policy."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        _hand_on(self, policy)

    def choose_many(self, positions: Positions, luck: SeatSeeds) -> NDArray[np.int64]:
        """Return its squares."""
        return self._policy.choose_many(positions, luck)


_HANDED_ON: Final = ("start", "observe", "values", "stop")
"""What a player may have besides `choose`."""


def _hand_on(player: Player, to: object) -> None:
    vars(player).update({name: getattr(to, name) for name in _HANDED_ON if hasattr(to, name)})


def as_player(what: object) -> Player:
    """Return the player that an object is: a Player, something with `choose(game, rng)`, or a function.

    A function of one argument is an `OfBoard`, of two an `OfPlanes`. Raises TypeError for anything else.
    """
    if isinstance(what, type):
        raise TypeError(f"{what.__name__} is a class: give an object of it, such as {what.__name__}()")
    if isinstance(what, Player):
        return what
    if callable(getattr(what, "choose", None)):
        return _Lent(what)
    if callable(what):
        match _arguments(what):
            case 1:
                return BoardFunction(what)
            case 2:
                return PlanesFunction(what)
    raise TypeError(
        f"{what!r} is no player: give a Player, an object with choose(game, rng), a function of a board, "
        "or one of planes and legal squares"
    )


def as_owned(what: object) -> Player:
    """Do the same for an object that nobody else closes: its `close`, if it has one, is called."""
    player = as_player(what)
    if player is not what and hasattr(what, "close"):
        vars(player)["close"] = what.close
    return player


def _arguments(function: Callable[..., Any]) -> int:
    """Count the arguments that a function must be given."""
    found = inspect.signature(function).parameters.values()
    return sum(each.default is each.empty and each.kind is not each.VAR_KEYWORD for each in found)


def give(what: object, name: str | None = None) -> str:
    """Make a player known in this process, and return the registry text that names it.

    Its name is that of the function or class unless another is said, with a number if that is taken. It is
    kept as long as the process lasts.
    Raises TypeError for what is no player, ValueError for a name that a text cannot hold.
    """
    name = name or _name_of(what)
    if set(name) & set(",[]=:"):
        raise ValueError(f"{name!r} cannot name a player: leave , [ ] = and : out")
    names = chain([name], (f"{name} {number}" for number in count(2)))
    name = next(each for each in names if each not in _GIVEN or _GIVEN[each][0] is what)
    _GIVEN.setdefault(name, (what, as_player(what)))
    return f"{NAME}:{name}"


def _name_of(what: object) -> str:
    return str(getattr(what, "__name__", type(what).__name__))


def text_of(who: object) -> str:
    """Return the registry text of a player, which a text is already; raises as `give`.

    A Path is that of a checkpoint; what has a text as its `player`, as a run has, is that player.
    """
    if isinstance(who, str):
        return who
    if isinstance(who, Path):
        return compose({"name": "trained", "argument": who.as_posix()})
    if isinstance(who, Player):
        return who.made_from or give(who)
    named = getattr(who, "player", None)
    return named if isinstance(named, str) else give(who)


def is_in_memory(text: str) -> bool:
    """Tell whether a registry text names a player that this process alone knows, also within another."""
    return bool(_IN_MEMORY.search(text))


def _make(spec: Spec, size: int) -> Player:
    if spec.argument not in _GIVEN:
        known = ", ".join(_GIVEN) or "none"
        raise RegistryError(
            f"{NAME}: no player {spec.argument!r} is known in this process; there are: {known}"
        )
    player = _GIVEN[spec.argument][1]
    return _LentPolicy(player) if isinstance(player, Policy) else _Lent(player)


GIVEN: Entry[Player] = Entry(_make, "a player that a program has in memory", argument="NAME")
"""Announced like players of other packages: the catalogue has only what every process has."""
