"""A trained value network as a player."""

import numpy as np
from numpy.typing import NDArray

from agent.afterstates import move_values
from agent.td.evaluator import ValueEvaluator
from game.batch.policies import first_best
from game.batch.positions import Positions
from game.game import Game
from game.players.base import Player
from game.players.values import MoveValues


class ValuePlayer(Player):
    """Plays the move whose afterstate is worth most."""

    def __init__(self, evaluator: ValueEvaluator) -> None:
        self._evaluator = evaluator

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the best square; `rng` is not used."""
        return list(game.board.legal_moves)[int(self.values(game, rng).values.argmax())]

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return what it chooses by; `rng` is not used."""
        return MoveValues(move_values(Positions.of([game.board]), self._evaluator), self._evaluator.unit)

    def choose_many(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the best square of each position."""
        return first_best(move_values(positions, self._evaluator), positions)
