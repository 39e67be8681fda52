"""A value network as an evaluator."""

import numpy as np
from numpy.typing import NDArray

from agent.td.inputs import seen_by_mover
from agent.td.values import Values
from game.batch.positions import Positions
from game.evaluators import Evaluator
from game.evaluators.base import EXPECTED_RESULT


class ValueEvaluator(Evaluator):
    """A position is worth to its side to move what it is not to the side that has moved there."""

    unit = EXPECTED_RESULT

    def __init__(self, values: Values) -> None:
        """Judge by a network as it is at each call."""
        self._values = values

    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return how good each position is for its side to move, from -1 to 1, float64 [n]."""
        outputs = self._values.outputs(seen_by_mover(positions)).astype(np.float64)
        return -self._values.scale.value(outputs)
