"""A trained network as a player."""

import numpy as np

from agent.checkpoint import Stored
from agent.dqn.acting import best_square, square_values
from agent.dqn.saving import read_network
from agent.memory.frames import FrameStack, pack
from game import observation
from game.game import Game
from game.players.base import Player
from game.players.values import EXPECTED_RETURN, MoveValues


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

    def _stack(self, game: Game) -> FrameStack:
        """Return the stack of this side's decisions so far, those of an opening included."""
        stack = FrameStack(self._config.frames, game.size * game.size)
        mine = [board for board in game.boards if board.turn is game.board.turn and board.legal_moves]
        for board in mine[-self._config.frames :]:
            stack.push(pack(observation.encode(board, board.turn)))
        return stack
