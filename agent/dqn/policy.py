"""A trained Q-network as a player and as an evaluator."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from othello_lab.agent.checkpoint import CheckpointError, Stored
from othello_lab.agent.dqn.config import NetworkOptions
from othello_lab.agent.dqn.endgame import Endgame
from othello_lab.agent.dqn.network import AVERAGE, action_values, legal_squares, make_network, square_values
from othello_lab.agent.memory.recorder import FrameStack, pack
from othello_lab.agent.policy import BestMovePolicy, MovePolicy, NetworkPolicy, finite
from othello_lab.game import observation, symmetry
from othello_lab.game.batch import Positions, planes
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.game import Game
from othello_lab.game.players.player import MoveValues, Player
from othello_lab.game.values import EXPECTED_RETURN

_AT_ONCE = 2048  # Maximum number of boards in one forward pass.


def network_values(network: nn.Module, positions: Positions, symmetric: bool) -> NDArray[np.float64]:
    """Return the values of all legal moves in all positions, float64 [moves]. The network has one frame."""
    at_once = _AT_ONCE // symmetry.SYMMETRIES if symmetric else _AT_ONCE
    device, values = next(network.parameters()).device, []
    for part in np.array_split(np.arange(len(positions)), range(at_once, len(positions), at_once)):
        states = torch.from_numpy(planes(positions.take(part), np.float32)).flatten(2).to(device)
        values.append(action_values(network, states, symmetric)[legal_squares(states)].cpu().numpy())
    return np.concatenate(values).astype(np.float64)


class DQNPolicy(NetworkPolicy[NetworkOptions], MovePolicy[NetworkOptions]):
    """A trained Q-network. Its player chooses the legal square with the highest value."""

    prefix = AVERAGE
    options = NetworkOptions
    make = staticmethod(make_network)

    def __init__(self, stored: Stored, size: int, config: NetworkOptions) -> None:
        super().__init__(stored, size, config)
        self._endgame = Endgame(size, config.endgame)

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the network's values of all legal moves, without exact search."""
        return network_values(self.network, positions, self.config.symmetric_play)

    def player(self) -> Player:
        """Return a player that plays the move with the highest value and uses exact search."""
        if self.config.frames == 1:
            return BestMovePolicy(self._judged, EXPECTED_RETURN)
        return HistoryPlayer(self.network, self.config, self._endgame)

    def _judged(self, positions: Positions) -> NDArray[np.float64]:
        return self._endgame.judged_many(positions, self.move_values(positions))

    def evaluator(self) -> Evaluator:
        """Return an evaluator of positions. Raises CheckpointError if the network needs several frames."""
        if self.config.frames != 1:
            raise CheckpointError(
                f"{self.path} looks at {self.config.frames} frames: only a network with frames=1 can say "
                "what a position is worth without the game before it"
            )
        return super().evaluator()


class HistoryPlayer(Player):
    """A player for a network with several frames, which sees the last positions of the game."""

    def __init__(self, network: nn.Module, config: NetworkOptions, endgame: Endgame) -> None:
        self._network, self._config, self._endgame = network, config, endgame

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the legal square with the highest value. `rng` is not used."""
        return game.board.legal_moves[int(self._judged(game).argmax())]

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return the values of all legal moves. `rng` is not used."""
        return MoveValues(self._judged(game), EXPECTED_RETURN)

    def _judged(self, game: Game) -> NDArray[np.float64]:
        squares, stack = game.size * game.size, self._stack(game).array()
        values = square_values(self._network, stack, squares, self._config.symmetric_play)
        return self._endgame.judged(game.board, finite(values[[*game.board.legal_moves]]))

    def _stack(self, game: Game) -> FrameStack:
        stack = FrameStack(self._config.frames, game.size * game.size)
        mine = [board for board in game.boards if board.turn is game.board.turn and board.legal_moves]
        for board in mine[-self._config.frames :]:
            stack.push(pack(observation.encode(board, board.turn)))
        return stack
