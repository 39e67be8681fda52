"""A trained network as it plays."""

from functools import partial

import numpy as np
from numpy.typing import NDArray
from torch import nn

from agent.checkpoint import Arrays, CheckpointError, Forms
from agent.dqn.acting import best_square, move_values, square_values
from agent.dqn.config import DQNConfig
from agent.dqn.network import make_network
from agent.memory.frames import FrameStack, pack
from agent.policy import MovePolicy
from agent.saved_policy import SavedPolicy
from agent.weights import forms_of, put
from game import observation
from game.batch.positions import Positions
from game.evaluators import Evaluator
from game.evaluators.base import EXPECTED_RETURN
from game.game import Game
from game.players.base import Player
from game.players.values import MoveValues


class DQNPolicy(MovePolicy[DQNConfig]):
    """Plays the legal square of the highest value."""

    prefix = "average."

    def __init__(self, saved: SavedPolicy[DQNConfig]) -> None:
        self._path, self._config = saved.path, saved.config
        self.network = make_network(saved.config, saved.size)
        put(saved.arrays, self.network, self.prefix)

    @classmethod
    def forms(cls, config: DQNConfig, size: int, arrays: Arrays) -> Forms | None:
        """See `Learned`."""
        layers = config.blocks if config.network == "conv" else len(config.hidden)
        few = layers <= len(arrays)
        return forms_of(partial(make_network, config, size), cls.prefix) if few else None

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """See `MovePolicy`; for a network that looks at one frame."""
        return move_values(self.network, positions, self._config.symmetric_play)

    def player(self) -> Player:
        """See `Learned`."""
        return super().player() if self._config.frames == 1 else HistoryPlayer(self.network, self._config)

    def evaluator(self) -> Evaluator:
        """See `Learned`."""
        if self._config.frames != 1:
            raise CheckpointError(
                f"{self._path} looks at {self._config.frames} frames: only a network with frames=1 can say "
                "what a position is worth without the game before it"
            )
        return super().evaluator()


class HistoryPlayer(Player):
    """Plays the legal square of the highest value, by this decision and those before it."""

    def __init__(self, network: nn.Module, config: DQNConfig) -> None:
        self._network, self._config = network, config

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
