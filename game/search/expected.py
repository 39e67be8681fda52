"""What evaluators say as expected results, whatever their unit."""

import numpy as np

from othello_lab.game.batch.positions import Positions
from othello_lab.game.board import Board
from othello_lab.game.evaluators import Evaluator
from othello_lab.game.evaluators.evaluator import POINTS
from othello_lab.game.game import Game
from othello_lab.game.notation import PASS

_GAMES = 16


def scale_of(evaluator: Evaluator, size: int) -> float:
    """Return what the points of an evaluator are divided by before tanh makes expected results of them.

    It is how far its values vary along random games; 0 for an evaluator that says expected results itself.
    """
    if evaluator.unit != POINTS:
        return 0.0
    rng = np.random.default_rng(0)
    return float(np.std(np.concatenate([evaluator.values(_random_game(size, rng)) for _ in range(_GAMES)])))


def _random_game(size: int, rng: np.random.Generator) -> Positions:
    game = Game(Board.start(size))
    while not game.board.is_over:
        moves = list(game.board.legal_moves)
        game.play(moves[rng.integers(len(moves))] if moves else PASS)
    return Positions.along(game)
