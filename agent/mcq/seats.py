"""A trained network as a player and as an evaluator."""

import numpy as np
from numpy.typing import NDArray

from agent.checkpoint import Stored
from agent.mcq.acting import best_move, boards_of, moves_of, values_of
from agent.mcq.saving import read_network
from game.batch.games import legal_moves
from game.batch.positions import Positions
from game.evaluators import Evaluator
from game.game import Game
from game.players import Player


class MCQPlayer(Player):
    """Plays the legal square of the highest value."""

    def __init__(self, stored: Stored, size: int) -> None:
        """Take the network of a checkpoint; raises CheckpointError, also if it is for another board."""
        self._network = read_network(stored, size)

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the best square; `rng` is not used."""
        legal = np.array([*game.board.legal_moves])
        return best_move(self._network, boards_of(Positions.of([game.board])), legal)


class MCQEvaluator(Evaluator):
    """The value of a position is that of its best move.

    Where the side to move must pass, it is minus the value for the other side; 0 where the game is over,
    which is for the search to know.
    """

    def __init__(self, stored: Stored, size: int) -> None:
        """Take the network of a checkpoint; raises CheckpointError, also if it is for another board."""
        self._network = read_network(stored, size)

    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return how good each position is for its side to move, float64 [n]: expected return."""
        passes: NDArray[np.bool_] = legal_moves(positions).any(axis=1, keepdims=True) == 0  # [n, 1]
        own = np.where(passes, positions.opponent, positions.own)
        opponent = np.where(passes, positions.own, positions.opponent)
        return np.where(passes[:, 0], -1, 1) * self._best(Positions(positions.size, own, opponent))

    def _best(self, positions: Positions) -> NDArray[np.float64]:
        rows, moves = moves_of(positions)
        best = np.full(len(positions), -np.inf)
        np.maximum.at(best, rows, values_of(self._network, boards_of(positions), rows, moves))
        return np.where(np.isinf(best), 0.0, best)
