"""An Othello reinforcement-learning lab as a Python library. For an introduction, read docs/python.md.

    import othello_lab as lab

    print(lab.match("positional", "corner-greedy", openings=20))
    run = lab.train("dqn", size=6, episodes=2000)
    print(lab.evaluate(run.player, size=6))

The names in `__all__` are the public interface, which does not change within a version 0.x.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from othello_lab.agent.make import make_agent
    from othello_lab.environment.othello import OthelloEnvironment
    from othello_lab.environment.vectorised import BothSides
    from othello_lab.game.board import Board, Colour, IllegalMoveError
    from othello_lab.game.game import Game
    from othello_lab.game.notation import PASS
    from othello_lab.game.players.player import Forfeit, Player, Policy
    from othello_lab.learning import Run, make_environment, selfplay, train
    from othello_lab.matches import evaluate, match, play, tournament
    from othello_lab.players import player
    from othello_lab.positions import Review, review, solve, values
    from othello_lab.results import Evaluation, Match, Tournament

__all__ = [
    "PASS",
    "Board",
    "BothSides",
    "Colour",
    "Evaluation",
    "Forfeit",
    "Game",
    "IllegalMoveError",
    "Match",
    "OthelloEnvironment",
    "Player",
    "Policy",
    "Review",
    "Run",
    "Tournament",
    "evaluate",
    "make_agent",
    "make_environment",
    "match",
    "play",
    "player",
    "review",
    "selfplay",
    "solve",
    "tournament",
    "train",
    "values",
]

_HOMES: Final = {
    "agent.make": ("make_agent",),
    "environment.vectorised": ("BothSides",),
    "environment.othello": ("OthelloEnvironment",),
    "game.board": ("Board", "Colour", "IllegalMoveError"),
    "game.game": ("Game",),
    "game.notation": ("PASS",),
    "game.players.player": ("Forfeit", "Player", "Policy"),
    "learning": ("Run", "make_environment", "selfplay", "train"),
    "matches": ("evaluate", "match", "play", "tournament"),
    "players": ("player",),
    "positions": ("Review", "review", "solve", "values"),
    "results": ("Evaluation", "Match", "Tournament"),
}  # public names by module


if not TYPE_CHECKING:  # otherwise, a type checker would accept any name of this module

    def __getattr__(name: str) -> object:
        for module, names in _HOMES.items():
            if name in names:
                try:
                    return getattr(import_module(f"{__name__}.{module}"), name)
                except ModuleNotFoundError as error:
                    from othello_lab.game.registry import how_to_install

                    package = (error.name or "").partition(".")[0]
                    why = f"{name} needs the package {package}: {how_to_install(package)}"
                    raise ImportError(why) from None
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


if "gymnasium" in sys.modules:  # register gymnasium.make("othello_lab:OthelloLab/Othello-v0")
    import_module(f"{__name__}.environment.adapters")
