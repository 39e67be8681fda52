"""A table as a player and as an evaluator."""

import numpy as np
from numpy.typing import NDArray

from agent.checkpoint import Stored
from agent.move_evaluator import MoveEvaluator
from agent.tabular import saving
from agent.tabular.table import SQUARES, State, Table
from game import observation
from game.batch.games import planes
from game.batch.positions import Positions
from game.evaluators.base import EXPECTED_RETURN
from game.game import Game
from game.players.base import Player
from game.players.values import MoveValues


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
        return self._best(self._state(game))

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return what it chooses by; `rng` is not used."""
        return MoveValues(self._table.values(self._state(game)), EXPECTED_RETURN)

    def _state(self, game: Game) -> State:
        seen = observation.encode(game.board, game.board.turn).astype(np.uint8)
        (state,) = self._table.find(seen.reshape(1, 4, SQUARES))
        return state

    def choose_many(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the best square of each position."""
        seen = planes(positions, np.uint8).reshape(-1, 4, SQUARES)
        return np.array([self._best(state) for state in self._table.find(seen)], np.int64)

    def _best(self, state: State) -> int:
        return int(state.legal[self._table.values(state).argmax()])


def table_evaluator(stored: Stored, size: int) -> MoveEvaluator:
    """Return the table of a checkpoint as an evaluator: a position that was never met is worth 0.

    Raises CheckpointError, also if it is for another board.
    """
    table = read_table(stored, size)

    def move_values(positions: Positions) -> NDArray[np.float64]:
        seen = planes(positions, np.uint8).reshape(-1, 4, SQUARES)
        return np.concatenate([table.values(state) for state in table.find(seen)])

    return MoveEvaluator(move_values)
