"""A trained Q-network as it plays and judges."""

from functools import partial

import numpy as np
from numpy.typing import NDArray
from torch import nn

from othello_lab.agent.checkpoint import Arrays, CheckpointError, Forms, SavedPolicy
from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.endgame import Endgame
from othello_lab.agent.dqn.network import AVERAGE, make_network
from othello_lab.agent.dqn.values import move_values, square_values
from othello_lab.agent.memory.frames import FrameStack, pack
from othello_lab.agent.policy import BestMovePolicy, MovePolicy, finite
from othello_lab.agent.weights import holding, network_forms
from othello_lab.game import observation
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.game import Game
from othello_lab.game.players.player import Player
from othello_lab.game.values import EXPECTED_RETURN, MoveValues


class DQNPolicy(MovePolicy[DQNConfig]):
    """Plays the legal square of the highest value."""

    prefix = AVERAGE

    def __init__(self, saved: SavedPolicy[DQNConfig]) -> None:
        self._path, self._config = saved.path, saved.config
        self.network = holding(saved.arrays, partial(make_network, saved.config, saved.size), self.prefix)
        self._endgame = Endgame(saved.size, saved.config.endgame)

    @classmethod
    def forms(cls, config: DQNConfig, size: int, arrays: Arrays) -> Forms | None:
        """See `Learned`."""
        layers = config.blocks if config.network == "conv" else len(config.hidden)
        few = layers <= len(arrays)
        return network_forms(partial(make_network, config, size), cls.prefix) if few else None

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """See `MovePolicy`; of a network that looks at one frame, alone: searches solve ends themselves."""
        return move_values(self.network, positions, self._config.symmetric_play)

    def player(self) -> Player:
        """See `Learned`."""
        if self._config.frames == 1:
            return BestMovePolicy(self._judged, EXPECTED_RETURN)
        return HistoryPlayer(self.network, self._config, self._endgame)

    def _judged(self, positions: Positions) -> NDArray[np.float64]:
        return self._endgame.judged_many(positions, self.move_values(positions))

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

    def __init__(self, network: nn.Module, config: DQNConfig, endgame: Endgame) -> None:
        self._network, self._config, self._endgame = network, config, endgame

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the best square; `rng` is not used."""
        return game.board.legal_moves[int(self._judged(game).argmax())]

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return what it chooses by; `rng` is not used."""
        return MoveValues(self._judged(game), EXPECTED_RETURN)

    def _judged(self, game: Game) -> NDArray[np.float64]:
        squares, stack = game.size * game.size, self._stack(game).array()
        found = square_values(self._network, stack, squares, self._config.symmetric_play)
        return self._endgame.judged(game.board, finite(found[[*game.board.legal_moves]]))

    def _stack(self, game: Game) -> FrameStack:
        """Return the stack of this side's decisions so far, those of an opening included."""
        stack = FrameStack(self._config.frames, game.size * game.size)
        mine = [board for board in game.boards if board.turn is game.board.turn and board.legal_moves]
        for board in mine[-self._config.frames :]:
            stack.push(pack(observation.encode(board, board.turn)))
        return stack
