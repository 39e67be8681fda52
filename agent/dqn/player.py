"""A trained network as a player."""

import numpy as np
from numpy.typing import NDArray

from agent.checkpoint import Stored
from agent.dqn.acting import best_square, move_values, square_values
from agent.dqn.saving import read_network
from agent.memory.frames import FrameStack, pack
from game import observation
from game.batch.policies import first_best
from game.batch.positions import Positions
from game.evaluators.base import EXPECTED_RETURN
from game.game import Game
from game.players.base import Player
from game.players.values import MoveValues


class NetworkPlayer(Player):
    """Plays the legal square of the highest value."""

    def __init__(self, stored: Stored, size: int) -> None:
        """Take the network of a checkpoint; raises CheckpointError, also if it is for another board."""
        self._config, self._network = read_network(stored, size)

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the best square; `rng` is not used."""
        squares, stack = game.size * game.size, self._stack(game).array()
        return best_square(self._network, stack, squares, self._config.symmetric_play)

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return what it chooses by; `rng` is not used."""
        squares, stack = game.size * game.size, self._stack(game).array()
        found = square_values(self._network, stack, squares, self._config.symmetric_play)
        return MoveValues(found[[*game.board.legal_moves]], EXPECTED_RETURN)

    def choose_many(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64] | None:
        """Return the best square of each position; None from a network that looks at more than one frame."""
        if self._config.frames > 1:
            return None
        return first_best(move_values(self._network, positions, self._config.symmetric_play), positions)

    def _stack(self, game: Game) -> FrameStack:
        """Return the stack of this side's decisions so far, those of an opening included."""
        stack = FrameStack(self._config.frames, game.size * game.size)
        mine = [board for board in game.boards if board.turn is game.board.turn and board.legal_moves]
        for board in mine[-self._config.frames :]:
            stack.push(pack(observation.encode(board, board.turn)))
        return stack
