"""A trained network as a player and as an evaluator."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from agent.checkpoint import Stored
from agent.mcq.acting import best_move, boards_of, move_values
from agent.mcq.saving import read_network
from agent.move_evaluator import MoveEvaluator
from game.batch.policies import first_best
from game.batch.positions import Positions
from game.evaluators.base import EXPECTED_RETURN
from game.game import Game
from game.players import Player
from game.players.values import MoveValues


class MCQPlayer(Player):
    """Plays the legal square of the highest value."""

    def __init__(self, stored: Stored, size: int) -> None:
        """Take the network of a checkpoint; raises CheckpointError, also if it is for another board."""
        self._network = read_network(stored, size)

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return what it chooses by; `rng` is not used."""
        return MoveValues(move_values(self._network, Positions.of([game.board])), EXPECTED_RETURN)

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the best square; `rng` is not used."""
        legal = np.array([*game.board.legal_moves])
        return best_move(self._network, boards_of(Positions.of([game.board])), legal)

    def choose_many(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the best square of each position."""
        return first_best(move_values(self._network, positions), positions)


def mcq_evaluator(stored: Stored, size: int) -> MoveEvaluator:
    """Return the network of a checkpoint as an evaluator.

    Raises CheckpointError, also if it is for another board.
    """
    return MoveEvaluator(partial(move_values, read_network(stored, size)))
