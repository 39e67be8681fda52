"""Moves judged by the position behind them: what learners of position values play by."""

import numpy as np
from numpy.typing import NDArray

from game.batch.positions import Positions
from game.evaluators import CompiledEvaluator, Evaluator
from game.search import batched


def move_values(positions: Positions, evaluator: Evaluator, plies: int = 1) -> NDArray[np.float64]:
    """Return what each legal move is worth to its side, float64 [moves], -1 to 1; see `BatchLearner`.

    The value of the position after it, which the evaluator sees from the other side, and the result of a
    finished game: 1, 0 or -1. With more plies, the best that both sides can reach this many plies on.
    """
    if plies == 1 and isinstance(evaluator, CompiledEvaluator):
        values = evaluator.move_values(positions)
    else:
        values = -batched.values(batched.children(positions), plies - 1, evaluator)[0]
    found: NDArray[np.float64] = np.clip(values, -1.0, 1.0)
    return found
