"""A trained network as a player: `dqn:PATH` in every seat."""

from pathlib import Path

import numpy as np

from agent import checkpoint
from agent.checkpoint import CheckpointError
from agent.dqn import config
from agent.dqn.config import DQNConfig
from agent.dqn.frames import FrameStack, pack
from agent.dqn.network import best_square, mlp, network_weights
from game import observation
from game.game import Game
from game.players.base import Player
from game.players.registry import RegistryError, Spec


class NetworkPlayer(Player):
    """Plays the legal square of the highest value."""

    def __init__(self, path: Path, size: int) -> None:
        """Load the network of a checkpoint; raises CheckpointError, also if it is for another board."""
        arrays, values = checkpoint.load(path)
        if "config" not in values:
            raise CheckpointError(f"{path} holds no network")
        if values.get("size") != size:
            made = f"{values.get('size')}x{values.get('size')}"
            raise CheckpointError(
                f"{path} is for {made} boards, this game is {size}x{size}: use the same --size"
            )
        self._config: DQNConfig = config.from_json(values["config"])
        self._network = mlp(4 * self._config.frames, size * size, self._config.hidden)
        self._network.load_state_dict(network_weights(arrays))

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the best square; `rng` is not used."""
        squares = game.size * game.size
        return best_square(self._network, self._stack(game).array(), squares)

    def _stack(self, game: Game) -> FrameStack:
        """Return the stack that an agent on this side would have: its own decisions so far."""
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
