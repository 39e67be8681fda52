"""A trained network as a player: `dqn:PATH` in every seat."""

from pathlib import Path

import numpy as np
from torch import nn

from agent.dqn.config import DQNConfig
from agent.dqn.network import best_square, make_network, network_weights
from agent.dqn.saving import read_network
from agent.memory.frames import FrameStack, pack
from game import observation
from game.game import Game
from game.players.base import Player
from game.players.catalogue import RegistryError, Spec


def load_network(path: Path, size: int) -> tuple[DQNConfig, nn.Module]:
    """Return the network of a checkpoint and its configuration.

    Raises CheckpointError, also if it is for another board.
    """
    config, arrays, _ = read_network(path, size)
    network = make_network(config, size)
    network.load_state_dict(network_weights(arrays))
    return config, network


class NetworkPlayer(Player):
    """Plays the legal square of the highest value."""

    def __init__(self, path: Path, size: int) -> None:
        """Load the network of a checkpoint; raises CheckpointError, also if it is for another board."""
        self._config, self._network = load_network(path, size)

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the best square; `rng` is not used."""
        squares, stack = game.size * game.size, self._stack(game).array()
        return best_square(self._network, stack, squares, self._config.symmetric_play)

    def _stack(self, game: Game) -> FrameStack:
        """Return the stack of this side's decisions so far, those of an opening included."""
        stack = FrameStack(self._config.frames, game.size * game.size)
        mine = [board for board in game.boards if board.turn is game.board.turn and board.legal_moves]
        for board in mine[-self._config.frames :]:
            stack.push(pack(observation.encode(board, board.turn)))
        return stack


def make_player(spec: Spec, size: int) -> Player:
    """Return the player that `dqn:PATH` names; raises RegistryError."""
    spec.refuse_extras(argument=True)
    if not spec.argument:
        raise RegistryError("dqn as a player is dqn:PATH, with the path of a checkpoint")
    try:
        return NetworkPlayer(Path(spec.argument), size)
    except ValueError as error:
        raise RegistryError(str(error)) from None
