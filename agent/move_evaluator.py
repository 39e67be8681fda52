"""The evaluator of learners that value moves: a position is worth what its best move is."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from game.batch.games import count_squares, legal_moves
from game.batch.positions import Positions
from game.evaluators import Evaluator
from game.evaluators.base import EXPECTED_RETURN

MoveValues = Callable[[Positions], NDArray[np.float64]]
"""What each legal move is worth; see `agent.learner.BatchLearner.move_values`."""


class MoveEvaluator(Evaluator):
    """The value of a position is that of its best move.

    Where the side to move must pass, it is minus the value for the other side; 0 where the game is over,
    which is for the search to know.
    """

    unit = EXPECTED_RETURN

    def __init__(self, move_values: MoveValues) -> None:
        self._move_values = move_values

    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return how good each position is for its side to move, float64 [n]: expected return."""
        passes: NDArray[np.bool_] = legal_moves(positions).any(1, keepdims=True) == 0  # [n, 1]
        own = np.where(passes, positions.opponent, positions.own)
        opponent = np.where(passes, positions.own, positions.opponent)
        return np.where(passes[:, 0], -1, 1) * self._best(Positions(positions.size, own, opponent))

    def _best(self, positions: Positions) -> NDArray[np.float64]:
        """Return the value of the best move, 0 where there is none."""
        choices = count_squares(legal_moves(positions), positions.size)
        going, best = np.flatnonzero(choices), np.zeros(len(positions))
        if len(going):
            first = (np.cumsum(choices) - choices)[going]
            best[going] = np.maximum.reduceat(self._move_values(positions.take(going)), first)
        return best
