"""Monte-Carlo Q as a learning method: whole games, their returns, and a network that learns them."""

from functools import partial
from typing import Any

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from othello_lab.agent.checkpoint import (
    Arrays,
    CheckpointError,
    Count,
    Forms,
    SavedPolicy,
    Stored,
    Values,
    check_arrays,
    column_arrays,
    columns_of,
    forms_of,
    generator,
    join_columns,
    typed,
)
from othello_lab.agent.learner import BatchLearner, Seeds
from othello_lab.agent.mcq.method import MCQConfig
from othello_lab.agent.mcq.network import WEIGHTS, make_network, move_values
from othello_lab.agent.mcq.returns import Samples, batches, none, samples_of
from othello_lab.agent.memory.recorder import Recorder, Transition, Transitions
from othello_lab.agent.policy import MovePolicy, positions_of
from othello_lab.agent.selfplay.games import GameBatch, one_game
from othello_lab.agent.task import Task
from othello_lab.agent.weights import (
    begin_adam,
    flat_gradients,
    flatten,
    network_forms,
    put,
    put_tensors,
    to_arrays,
)
from othello_lab.game.batch.positions import Positions

_ADAM = "adam."
_WAITING = "waiting."
"""What the names of the decisions' arrays begin with in a checkpoint."""
_NUMBERS = ("loss", "loss_min", "loss_max", "return_mean")


class SavedState(msgspec.Struct):
    """The values of a checkpoint that holds all that a resume needs."""

    updates: Count
    waiting: Count
    """Games that will be learned from."""
    numbers: dict[str, float]
    draws: dict[str, Any]
    """The random state that orders and symmetries are drawn with."""


class MCQLearner(BatchLearner):
    """Waits for the ends of some games, then learns their returns; see `agent.learner.BatchLearner`."""

    def __init__(self, config: MCQConfig, size: int, seeds: Seeds) -> None:
        self.config, self.size = config, size
        generator = torch.Generator().manual_seed(int(seeds.weights.generate_state(1)[0]))
        self.network = make_network(config, size, generator)
        self._weights = nn.Parameter(flatten(self.network))
        self._weights.grad = self._gradients = flat_gradients(self.network)
        self._adam, self._state = begin_adam(self._weights, config.learning_rate)
        self._rng = np.random.default_rng(seeds.draws)
        self._draw = 0.0  # the reward of a drawn game, which the task says
        self._game: list[Transition] = []
        self._waiting: list[Samples] = []
        self._games = self._updates = 0
        self._numbers = dict.fromkeys(_NUMBERS, 0.0)

    @property
    def numbers(self) -> dict[str, float]:
        """Counts, and the losses and returns of the games that were learned from last."""
        return {"updates": self._updates, "waiting": self._games, **self._numbers}

    def recorder(self, task: Task) -> Recorder:
        """See `Learner`; without a discount: `returns` applies it."""
        self._draw = task.draw
        return Recorder(Transitions(self.take), self.size**2, gamma=1.0)

    def begin(self, best: bool) -> None:
        """See `Learner`: what is not over will never have a return."""
        self._game = []

    def take(self, transition: Transition) -> None:
        """Take what came of a decision; at the end of a game, the return of all its decisions."""
        self._game.append(transition)
        if transition.next_state is None:
            game = one_game(self._game, self.size, self._draw)
            self._waiting.append(samples_of(game, self.config))
            self._games += 1
            self._game = []

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return the legal square of the highest value; `rng` is not used."""
        return int(legal[self.move_values(positions_of(stack[:1], self.size)).argmax()])

    def end(self, games: int) -> None:
        """See `Learner`."""
        if self._games >= self.config.games:
            self._learn(self._all_waiting())
            self._waiting, self._games = [], 0

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """See `BatchLearner`."""
        return move_values(self.network, positions)

    def learn(self, played: GameBatch) -> None:
        """See `BatchLearner`."""
        self._learn(samples_of(played, self.config))

    def weights(self) -> Arrays:
        """See `BatchLearner`."""
        return {name: array.copy() for name, array in self.policy().items()}

    def take_weights(self, arrays: Arrays) -> None:
        """See `BatchLearner`."""
        put(arrays, self.network, WEIGHTS)

    def _learn(self, samples: Samples) -> None:
        losses = [self.update(batch) for batch in batches(samples, self.size, self.config, self._rng)]
        self._updates += len(losses)
        means = (np.mean(losses), min(losses), max(losses), samples.targets.mean())
        self._numbers = dict(zip(_NUMBERS, map(float, means), strict=True))

    def update(self, batch: Samples) -> float:
        """Learn once from a batch; return its mean squared error before that."""
        self._gradients.zero_()
        boards, moves = torch.from_numpy(batch.boards).float(), torch.from_numpy(batch.moves)
        loss = functional.mse_loss(self.network(boards, moves), torch.from_numpy(batch.targets))
        loss.backward()  # type: ignore[no-untyped-call]  # torch does not type it
        self._adam.step()
        return float(loss.detach())

    def state(self) -> tuple[Arrays, Values]:
        """See `Learner`: the network, the optimiser, and the decisions that will be learned from."""
        values = {
            "updates": self._updates,
            "waiting": self._games,
            "numbers": self._numbers,
            "draws": self._rng.bit_generator.state,
        }
        return self._learned() | column_arrays(self._all_waiting(), _WAITING), values

    def _all_waiting(self) -> Samples:
        return join_columns([none(self.size), *self._waiting])

    def _learned(self) -> Arrays:
        """Return the network and the optimiser's state."""
        return self.policy() | {_ADAM + name: tensor.numpy() for name, tensor in self._state.items()}

    def restore(self, stored: Stored) -> None:
        """See `Learner`."""
        saved = typed(stored.path, stored.values, SavedState)
        if saved.numbers.keys() != self._numbers.keys():
            raise CheckpointError(
                f"{stored.path} does not fit this version: its numbers are {[*saved.numbers][:9]}"
            )
        waiting, arrays = columns_of(stored, none(self.size), _WAITING)
        if not np.isin(waiting.moves, np.arange(self.size**2)).all():
            raise CheckpointError(f"{stored.path} holds decisions with squares that are not on the board")
        check_arrays(stored.path, arrays, forms_of(self._learned()))
        self._rng = generator(stored.path, saved.draws)
        put(arrays, self.network, WEIGHTS)
        put_tensors(arrays, self._state, _ADAM)
        self._waiting, self._games = [waiting], saved.waiting
        self._updates, self._numbers = saved.updates, saved.numbers

    def policy(self) -> Arrays:
        """Return the network."""
        return to_arrays(self.network, WEIGHTS)

    def take_policy(self, saved: SavedPolicy[MCQConfig]) -> None:
        """See `Learner`: the optimiser begins afresh."""
        saved.check_fits(self.config, self.policy())
        put(saved.arrays, self.network, WEIGHTS)
        self._adam, self._state = begin_adam(self._weights, self.config.learning_rate)


class MCQPolicy(MovePolicy[MCQConfig]):
    """Plays the legal square of the highest value."""

    prefix = WEIGHTS

    def __init__(self, saved: SavedPolicy[MCQConfig]) -> None:
        self._network = make_network(saved.config, saved.size)
        put(saved.arrays, self._network, WEIGHTS)

    @classmethod
    def forms(cls, config: MCQConfig, size: int, arrays: Arrays) -> Forms | None:
        """See `Learned`."""
        return network_forms(partial(make_network, config, size), WEIGHTS)

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """See `MovePolicy`."""
        return move_values(self._network, positions)
