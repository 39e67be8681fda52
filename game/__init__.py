"""The rules and players of Othello. Each name is imported at its first use."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from othello_lab.game.board import Board, Colour, IllegalMoveError, Outcome, Squares
    from othello_lab.game.game import Game
    from othello_lab.game.notation import PASS, NotationError

__all__ = ["PASS", "Board", "Colour", "Game", "IllegalMoveError", "NotationError", "Outcome", "Squares"]

if not TYPE_CHECKING:  # otherwise a type checker would accept any name

    def __getattr__(name: str) -> object:
        if name in __all__:
            homes = (import_module(f"{__name__}.{home}") for home in ("notation", "board", "game"))
            return next(getattr(home, name) for home in homes if hasattr(home, name))
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
