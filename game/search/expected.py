"""Expected results, made of what evaluators say in whatever unit."""

import numpy as np

from othello_lab.game.batch.games import BatchGames, pick_each
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import Evaluator
from othello_lab.game.evaluators.evaluator import POINTS

_GAMES = 256


def scale_of(evaluator: Evaluator, size: int) -> float:
    """Return what the points of an evaluator are divided by before tanh makes expected results of them.

    It is how far its values vary in the middle of random games; 0 for an evaluator that says expected results
    itself.
    """
    return float(np.std(evaluator.values(_half_full(size)))) if evaluator.unit == POINTS else 0.0


def _half_full(size: int) -> Positions:
    """Return positions after as many random plies as make a board half full, or a little less."""
    games, rng = BatchGames.start(size, _GAMES), np.random.default_rng(0)
    for _ in range(size * size // 2 - 4):
        games.play(pick_each(games.legal, size, rng))
    return games.positions
