"""A table as a player and as an evaluator."""

import numpy as np
from numpy.typing import NDArray

from agent.checkpoint import Stored
from agent.tabular import saving
from agent.tabular.table import SQUARES, Table
from game import observation
from game.batch.games import planes
from game.batch.positions import Positions
from game.evaluators import Evaluator
from game.game import Game
from game.players.base import Player

_OTHER_SIDE = [1, 0, 3, 2]
"""The four planes as the other side sees them."""


def read_table(stored: Stored, size: int) -> Table:
    """Return the table of a checkpoint; raises CheckpointError as `saving.read_config` does."""
    table = Table(saving.read_config(stored, size).symmetries)
    table.entries = saving.entries_of(stored)
    return table


class TablePlayer(Player):
    """Plays the legal square of the highest value."""

    def __init__(self, stored: Stored, size: int) -> None:
        """Take the table of a checkpoint; raises CheckpointError, also if it is for another board."""
        self._table = read_table(stored, size)

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the best square; `rng` is not used."""
        seen = observation.encode(game.board, game.board.turn).astype(np.uint8)
        (state,) = self._table.find(seen.reshape(1, 4, SQUARES))
        return int(state.legal[self._table.values(state).argmax()])


class TableEvaluator(Evaluator):
    """The value of a position is that of its best move.

    Where the side to move must pass, it is minus the value for the other side; 0 where the game is over or
    the position was never met.
    """

    def __init__(self, stored: Stored, size: int) -> None:
        """Take the table of a checkpoint; raises CheckpointError, also if it is for another board."""
        self._table = read_table(stored, size)

    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return how good each position is for its side to move, float64 [n]: expected discounted return."""
        seen = planes(positions, np.uint8).reshape(-1, 4, SQUARES)
        passes = ~seen[:, 2].any(1)
        seen[passes] = seen[passes][:, _OTHER_SIDE]
        best = [self._table.values(state).max(initial=-np.inf) for state in self._table.find(seen)]
        found = np.where(seen[:, 2].any(1), best, 0.0)
        return np.where(passes, -found, found)
