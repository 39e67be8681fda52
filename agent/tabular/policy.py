"""A table as it plays."""

import numpy as np
from numpy.typing import NDArray

from agent.checkpoint import Arrays, Forms
from agent.policy import MovePolicy
from agent.saved_policy import SavedPolicy
from agent.tabular import saving
from agent.tabular.config import TabularConfig
from agent.tabular.table import SQUARES, Table
from game.batch.games import planes
from game.batch.positions import Positions


class TablePolicy(MovePolicy[TabularConfig]):
    """Plays the legal square of the highest value; in a position that was never met all are worth 0."""

    def __init__(self, saved: SavedPolicy[TabularConfig]) -> None:
        self._table = Table(saved.config.symmetries)
        self._table.entries = saving.entries_of(saved.path, saved.arrays)

    @classmethod
    def forms(cls, config: TabularConfig, size: int, arrays: Arrays) -> Forms | None:
        """See `Learned`."""
        return saving.forms_of(arrays, size)

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """See `MovePolicy`."""
        seen = planes(positions, np.uint8).reshape(-1, 4, SQUARES)
        return np.concatenate([self._table.values(state) for state in self._table.find(seen)])
