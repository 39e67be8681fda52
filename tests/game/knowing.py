"""Players who know 4x4 by heart."""

from collections.abc import Callable
from functools import cache

import numpy as np

from othello_lab.game import Board, Game
from othello_lab.game.players.player import Player
from othello_lab.game.solver import solve_all

values = cache(solve_all)


class Knowing(Player):
    """Of the legal moves picks that with the most (`max`) or least (`min`) for the opponent afterwards."""

    def __init__(self, pick: Callable[..., int]) -> None:
        self._pick = pick

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        known: dict[Board, int] = values(4)
        return self._pick(game.board.legal_moves, key=lambda move: known[game.board.play(move)])
