"""An evaluator."""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from game.batch.positions import Positions

POINTS = "points of its evaluation"
EXPECTED_RETURN = "expected return: 1 a won game, -1 a lost one"
EXPECTED_RESULT = "expected result: 1 won, 0 drawn, -1 lost"
"""Never beyond 1 and -1, so that it can be told as a chance."""


class Evaluator(ABC):
    """Says how good positions are. One that knows both sides makes a player at any search depth."""

    unit: ClassVar[str] = POINTS
    """What its values are, in words."""

    @abstractmethod
    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return how good each position is for its side to move, float64 [n]; more is better.

        A position where the game is over is looked at like any other: whoever searches knows the result.
        """
