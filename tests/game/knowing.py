from collections.abc import Callable
from functools import cache

import numpy as np

from othello_lab.game import Board, Game
from othello_lab.game.players.player import Player
from othello_lab.game.solver import solve_all

values = cache(solve_all)


class Knowing(Player):
    """Picks the legal move with the largest (`max`) or smallest (`min`) value for the opponent."""

    def __init__(self, pick: Callable[..., int]) -> None:
        self._pick = pick

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        known: dict[Board, int] = values()
        return self._pick(game.board.legal_moves, key=lambda move: known[game.board.play(move)])
