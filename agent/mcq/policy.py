"""A trained network as it plays."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from agent.checkpoint import Arrays, Forms
from agent.mcq.acting import move_values
from agent.mcq.config import MCQConfig
from agent.mcq.network import WEIGHTS, make_network
from agent.policy import MovePolicy
from agent.saved_policy import SavedPolicy
from agent.weights import forms_of, put
from game.batch.positions import Positions


class MCQPolicy(MovePolicy[MCQConfig]):
    """Plays the legal square of the highest value."""

    prefix = WEIGHTS

    def __init__(self, saved: SavedPolicy[MCQConfig]) -> None:
        self._network = make_network(saved.config, saved.size)
        put(saved.arrays, self._network, WEIGHTS)

    @classmethod
    def forms(cls, config: MCQConfig, size: int, arrays: Arrays) -> Forms | None:
        """See `Learned`."""
        return forms_of(partial(make_network, config, size), WEIGHTS)

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """See `MovePolicy`."""
        return move_values(self._network, positions)
