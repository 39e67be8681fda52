"""In how many positions of 4x4 a player keeps won, drawn or lost."""

import numpy as np

from game.game import Game
from game.players.base import Player
from game.solver import solve_all
from game.solver.kept import outcomes_kept


class Worst(Player):
    """Always makes the move after which the opponent has most."""

    def __init__(self) -> None:
        self._values = solve_all(4)

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        return max(game.board.legal_moves, key=lambda move: self._values[game.board.play(move)])


def test_who_always_errs_keeps_the_outcome_only_where_it_does_not_matter() -> None:
    everywhere, where_it_matters = outcomes_kept(Worst(), np.random.default_rng(0))
    assert (everywhere.positions, where_it_matters.positions) == (47_633, 7_996)
    assert (everywhere.kept, where_it_matters.kept) == (47_633 - 7_996, 0)
    assert where_it_matters.share == 0
