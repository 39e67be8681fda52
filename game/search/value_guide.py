"""Guides of searches made of evaluators: a policy from what they say of the positions behind the moves."""

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.games import legal_moves, to_mask
from othello_lab.game.batch.positions import Positions, count_squares
from othello_lab.game.evaluators import Evaluator
from othello_lab.game.search import batched
from othello_lab.game.search.expected import scale_of
from othello_lab.game.search.guided import Guide
from othello_lab.game.search.mcts_kernels import SHARPNESS


def guide_of(evaluator: Evaluator, size: int) -> Guide:
    """Return an evaluator that has a policy as it is, another with the policy of its values."""
    return evaluator if isinstance(evaluator, Guide) else ValueGuide(evaluator, size)


class ValueGuide:
    """An evaluator as a guide: it looks one ply ahead, and prefers what is worth more there."""

    def __init__(self, evaluator: Evaluator, size: int) -> None:
        self._evaluator, self._scale = evaluator, scale_of(evaluator, size)

    def judge(self, positions: Positions) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """See `Guide`: a position is worth what its best move is."""
        moves = legal_moves(positions)
        choices = count_squares(moves, positions.size)
        values = -batched.values(batched.children(positions, choices), 0, self._evaluator)[0]  # [moves]
        expected = np.tanh(values / self._scale) if self._scale else np.clip(values, -1.0, 1.0)
        logits = np.zeros((len(positions), positions.size**2), np.float32)
        logits[to_mask(moves, positions.size)] = SHARPNESS * expected
        return logits, np.maximum.reduceat(expected, np.cumsum(choices) - choices)
