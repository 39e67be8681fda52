"""The move that a network chooses, by legal squares alone, and a trained network as it plays."""

from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from othello_lab.agent.checkpoint import Arrays, CheckpointError, Forms
from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.network import make_network
from othello_lab.agent.memory.frames import FrameStack, pack, unpack
from othello_lab.agent.policy import BestMovePolicy, MovePolicy
from othello_lab.agent.saving import SavedPolicy
from othello_lab.agent.weights import mean_of_symmetries, network_forms, put
from othello_lab.game import observation, symmetry
from othello_lab.game.batch.games import legal_moves, planes
from othello_lab.game.batch.positions import Positions, count_squares
from othello_lab.game.board import Board
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.evaluators.units import EXPECTED_RETURN
from othello_lab.game.game import Game
from othello_lab.game.players.player import MoveValues, Player
from othello_lab.game.solver.solver import Solver

WIN = 1.0
"""What a certain win is worth, and more than any other move is."""
_LESS = float(np.nextafter(WIN, 0.0))


class Endgame:
    """Puts a move that wins, whatever the other side does, before all others.

    Half of the games that a network loses after some thousand games of training were won with ten empty
    squares: those few decide who has more discs.
    """

    def __init__(self, size: int, empties: int) -> None:
        """From so many empty squares on; 0 is never."""
        self._least = size * size - empties if empties else size * size + 1
        self._solver = Solver(size, hash_mib=1) if empties else None

    def judged(self, positions: Positions, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return values of moves, float64 [moves], in which a certain win is the highest of its position.

        values: those of the legal moves of the first position, then those of the second, and so on. Of
        several such moves the one of the highest value is taken; without one, values stay as they are.
        """
        near = np.flatnonzero(positions.discs() >= self._least)
        if not len(near):
            return values
        ends = np.cumsum(count_squares(legal_moves(positions), positions.size))
        judged = values.copy()
        for index in near.tolist():
            board = positions.board(index)
            own = judged[ends[index] - len(board.legal_moves) : ends[index]]
            if (place := self._winning(board, own)) is not None:
                np.minimum(own, _LESS, out=own)
                own[place] = WIN
        return judged

    def _winning(self, board: Board, values: NDArray[np.float64]) -> int | None:
        """Return the place of the move of the highest value that wins for certain; None if there is none."""
        solver, moves = self._solver, board.legal_moves
        if not solver or not moves or solver.bound(board, 1) < 1:
            return None
        best_first = (int(place) for place in np.argsort(-values, kind="stable"))
        return next(place for place in best_first if solver.bound(board.play(moves[place]), 0) < 0)


_AT_ONCE = 2048
"""Boards of one forward pass."""


def masked(values: Tensor, legal: Tensor) -> Tensor:
    """Return the values of legal squares, and of illegal ones the lowest finite number: never NaN."""
    return torch.where(legal, values, torch.finfo(values.dtype).min)


def legal_squares(state: Tensor) -> Tensor:
    """Return bool [batch, squares], plane 2 of the newest frame; state is [batch, planes, squares]."""
    return state[:, 2].bool()


@torch.inference_mode()
def action_values(network: nn.Module, states: Tensor, symmetric: bool) -> Tensor:
    """Return the values [batch, squares] by which to act; states are float [batch, planes, squares].

    With `symmetric` they are the mean over the 8 symmetries of the board.
    """
    values: Tensor = mean_of_symmetries(network, states) if symmetric else network(states)
    return values


def move_values(network: nn.Module, positions: Positions, symmetric: bool) -> NDArray[np.float64]:
    """Return what each legal move of each position is worth; see `agent.learner.BatchLearner`.

    The network looks at one frame.
    """
    at_once = _AT_ONCE // symmetry.SYMMETRIES if symmetric else _AT_ONCE
    parts = np.array_split(np.arange(len(positions)), range(at_once, len(positions), at_once))
    return np.concatenate([_move_values(network, positions.take(part), symmetric) for part in parts])


def _move_values(network: nn.Module, positions: Positions, symmetric: bool) -> NDArray[np.float64]:
    states = torch.from_numpy(planes(positions, np.float32)).flatten(2).to(_device_of(network))
    values = action_values(network, states, symmetric)[legal_squares(states)]
    found: NDArray[np.float64] = values.cpu().numpy().astype(np.float64)
    return found


def _device_of(network: nn.Module) -> torch.device:
    return next(network.parameters()).device


def square_values(
    network: nn.Module, stack: NDArray[np.uint8], squares: int, symmetric: bool
) -> NDArray[np.float64]:
    """Return what the squares are worth, float64 [squares]; only those of legal squares mean anything.

    stack: uint8 [frames, squares / 2], newest first.
    """
    state = torch.from_numpy(unpack(stack[None], squares)).to(_device_of(network)).float()
    return np.asarray(action_values(network, state, symmetric)[0].cpu().numpy(), np.float64)


class DQNPolicy(MovePolicy[DQNConfig]):
    """Plays the legal square of the highest value."""

    prefix = "average."

    def __init__(self, saved: SavedPolicy[DQNConfig]) -> None:
        self._path, self._config = saved.path, saved.config
        self.network = make_network(saved.config, saved.size)
        self._endgame = Endgame(saved.size, saved.config.endgame)
        put(saved.arrays, self.network, self.prefix)

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
        return self._endgame.judged(positions, self.move_values(positions))

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
        return self._endgame.judged(Positions.of([game.board]), found[[*game.board.legal_moves]])

    def _stack(self, game: Game) -> FrameStack:
        """Return the stack of this side's decisions so far, those of an opening included."""
        stack = FrameStack(self._config.frames, game.size * game.size)
        mine = [board for board in game.boards if board.turn is game.board.turn and board.legal_moves]
        for board in mine[-self._config.frames :]:
            stack.push(pack(observation.encode(board, board.turn)))
        return stack
