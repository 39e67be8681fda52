"""Players from Python objects of this process, with the registry text `given:NAME`."""

import inspect
import re
from collections.abc import Callable
from itertools import chain, count
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch import Positions, legal_moves, planes, to_mask
from othello_lab.game.board import Board
from othello_lab.game.catalogue import Entry
from othello_lab.game.game import Game
from othello_lab.game.luck import SeatSeeds
from othello_lab.game.notation import brief
from othello_lab.game.players.player import Player, Policy, forward
from othello_lab.game.registry import RegistryError, Spec, compose

NAME = "given"
_IN_MEMORY = re.compile(rf"(^|[:=\[])\s*{NAME}:")
# A callback that returns a legal square of a board. The board always has a legal square.
OfBoard: TypeAlias = Callable[[Board], int]
# A callback of (planes, legal) that returns a legal square for each position, integers [n].
# `planes` is float32 [n, 4, N, N], as in `game.observation`. `legal` is bool [n, N * N].
OfPlanes: TypeAlias = Callable[[NDArray[np.float32], NDArray[np.bool_]], Any]
# A dictionary from names to pairs: an object that `give` has registered, and the player of the object.
_registered: dict[str, tuple[object, Player]] = {}


class _FunctionPlayer(Player):
    def __init__(self, function: Callable[[Game, np.random.Generator], Any], name: str) -> None:
        self._function, self.__name__ = function, name

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        return int(_squares(self._function(game, rng), self.__name__, ()))


class _FunctionPolicy(Policy):
    def __init__(self, function: Callable[[Positions, SeatSeeds], NDArray[np.int64]], name: str) -> None:
        self._function, self.__name__ = function, name

    def choose_many(self, positions: Positions, luck: SeatSeeds) -> NDArray[np.int64]:
        return self._function(positions, luck)


def _planes_policy(function: OfPlanes, name: str) -> Policy:
    def choose_many(positions: Positions, luck: SeatSeeds) -> NDArray[np.int64]:
        legal = to_mask(legal_moves(positions), positions.size)
        answer = function(planes(positions, np.float32), legal)
        return _squares(answer, name, (len(legal),)).astype(np.int64)

    return _FunctionPolicy(choose_many, name)


def _squares(answer: object, name: str, shape: tuple[int, ...]) -> NDArray[np.integer]:
    """Return a player's answer as an array. Raises TypeError for a wrong shape or dtype."""
    squares = np.asarray(answer)
    if squares.shape != shape or squares.dtype.kind not in "iu":
        text = brief(" ".join(repr(answer).split()))
        expected = f"{shape[0]} squares, whole numbers [{shape[0]}]" if shape else "a square"
        raise TypeError(f"{NAME}:{name} returned {text}, expected {expected}")
    return squares


def as_player(what: object) -> Player:
    """Make a player from a Player, an object with `choose`, an OfBoard or an OfPlanes. Raises TypeError."""
    if isinstance(what, type):
        raise TypeError(f"{what.__name__} is a class: give an object of it, such as {what.__name__}()")
    if isinstance(what, Player):
        return what
    name = _name_of(what)
    if callable(getattr(what, "choose", None)):
        return _calling(what, name)
    if callable(what):
        parameters = inspect.signature(what).parameters.values()
        match sum(each.default is each.empty and each.kind is not each.VAR_KEYWORD for each in parameters):
            case 1:
                return _FunctionPlayer(lambda game, rng: what(game.board), name)
            case 2:
                return _planes_policy(what, name)
    raise TypeError(
        f"{what!r} is no player: give a Player, an object with choose(game, rng), a function of a board, "
        "or one of planes and legal squares"
    )


def _calling(what: Any, name: str) -> Player:  # noqa: ANN401  an object with `choose`
    """Return a wrapper that delegates to `what`, but does not close `what`."""
    player: Player = _FunctionPlayer(what.choose, name)
    if isinstance(what, Policy):
        player = _FunctionPolicy(what.choose_many, name)
    forward(player, what, "start", "observe", "values", "stop")
    return player


def give(what: object, name: str | None = None) -> str:
    """Register a player under a free name, and return its registry text. Raises TypeError or ValueError."""
    name = name or _name_of(what)
    if set(name) & set(",[]=:"):
        raise ValueError(f"{name!r} cannot name a player: leave , [ ] = and : out")
    names = chain([name], (f"{name} {number}" for number in count(2)))
    name = next(each for each in names if each not in _registered or _registered[each][0] is what)
    _registered.setdefault(name, (what, as_player(what)))
    return f"{NAME}:{name}"


def _name_of(what: object) -> str:
    return str(getattr(what, "__name__", type(what).__name__))


def text_of(who: object) -> str:
    """Return the registry text of `who`: a text, a checkpoint's Path, a run, or an object for `give`."""
    if isinstance(who, str):
        return who
    if isinstance(who, Path):
        return compose({"name": "trained", "argument": who.as_posix()})
    if isinstance(who, Player):
        return who.made_from or give(who)
    named = getattr(who, "player", None)
    return named if isinstance(named, str) else give(who)


def is_in_memory(text: str) -> bool:
    """Return whether a registry text contains a player from `give`, which exists only in this process."""
    return bool(_IN_MEMORY.search(text))


def _make(spec: Spec, size: int) -> Player:
    """Return a wrapper of a registered player."""
    if spec.argument not in _registered:
        known = ", ".join(_registered) or "none"
        raise RegistryError(
            f"{NAME}: no player {spec.argument!r} is known in this process; there are: {known}"
        )
    return _calling(_registered[spec.argument][1], spec.argument)


GIVEN: Entry[Player] = Entry(_make, "a player made from a Python object of this process", argument="NAME")
