"""What an evaluator is."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from game.batch.positions import Positions


class Evaluator(ABC):
    """Says how good positions are. One that knows both sides makes a player at any search depth."""

    @abstractmethod
    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return how good each position is for its side to move, float64 [n]; more is better.

        A position where the game is over is looked at like any other: whoever searches knows the result.
        """
