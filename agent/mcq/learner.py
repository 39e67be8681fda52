"""Monte-Carlo Q as a learning method: whole games, their returns, and a network that learns them."""

from functools import partial
from typing import Any

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray

from agent.checkpoint import (
    Arrays,
    CheckpointError,
    Forms,
    Stored,
    Values,
    check_arrays,
    forms_of,
    generator,
    typed,
)
from agent.learner import Seeds
from agent.mcq.method import MCQConfig
from agent.mcq.network import WEIGHTS, make_network, move_values
from agent.mcq.returns import one_game
from agent.mcq.training import Samples, Training, batches, joined, read_waiting, samples_of, waiting_arrays
from agent.memory.frames import positions_of
from agent.memory.recorder import Recorder, Transition, Transitions
from agent.policy import MovePolicy
from agent.saving import Count, SavedPolicy
from agent.selfplay.played import Played
from agent.task import Task
from agent.weights import network_forms, put
from game.batch.positions import Positions

_NUMBERS = ("loss", "loss_min", "loss_max", "return_mean")


class Progress(msgspec.Struct):
    """The values of a checkpoint that holds all that a resume needs."""

    updates: Count
    waiting: Count
    """Games that will be learned from."""
    numbers: dict[str, float]
    draws: dict[str, Any]
    """The random state that orders and symmetries are drawn with."""


class MCQLearner:
    """Waits for the ends of some games, then learns their returns; see `agent.learner.BatchLearner`."""

    def __init__(self, config: MCQConfig, size: int, seeds: Seeds) -> None:
        self.config, self.size = config, size
        weights = torch.Generator().manual_seed(int(seeds.weights.generate_state(1)[0]))
        self.training = Training(config, size, weights)
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
        """See `Learner`; without a discount: which turns are discounted is told by the returns."""
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

    def step(self, steps: int) -> None:
        """See `Learner`: nothing is learned before a game is over."""

    def end(self, games: int) -> None:
        """See `Learner`."""
        if self._games >= self.config.games:
            self._learn(joined(self._waiting, self.size**2))
            self._waiting, self._games = [], 0

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """See `BatchLearner`."""
        return move_values(self.training.network, positions)

    def learn(self, played: Played) -> None:
        """See `BatchLearner`."""
        self._learn(samples_of(played, self.config))

    def weights(self) -> Arrays:
        """See `BatchLearner`."""
        return {name: array.copy() for name, array in self.policy().items()}

    def take_weights(self, arrays: Arrays) -> None:
        """See `BatchLearner`."""
        self.training.adopt(arrays)

    def _learn(self, samples: Samples) -> None:
        losses = [
            self.training.update(batch) for batch in batches(samples, self.size, self.config, self._rng)
        ]
        self._updates += len(losses)
        means = (np.mean(losses), min(losses), max(losses), samples.targets.mean())
        self._numbers = dict(zip(_NUMBERS, map(float, means), strict=True))

    def state(self) -> tuple[Arrays, Values]:
        """See `Learner`: the network, the optimiser, and the decisions that will be learned from."""
        values = {
            "updates": self._updates,
            "waiting": self._games,
            "numbers": self._numbers,
            "draws": self._rng.bit_generator.state,
        }
        waiting = joined(self._waiting, self.size**2)
        return self.training.arrays() | waiting_arrays(waiting), values

    def restore(self, stored: Stored) -> None:
        """See `Learner`."""
        saved = typed(stored.path, stored.values, Progress)
        if saved.numbers.keys() != self._numbers.keys():
            raise CheckpointError(
                f"{stored.path} does not fit this version: its numbers are {[*saved.numbers][:9]}"
            )
        waiting, arrays = read_waiting(stored, self.size**2)
        check_arrays(stored.path, arrays, forms_of(self.training.arrays()))
        self._rng = generator(stored.path, saved.draws)
        self.training.restore(arrays)
        self._waiting, self._games = [waiting], saved.waiting
        self._updates, self._numbers = saved.updates, saved.numbers

    def policy(self) -> Arrays:
        """Return the network."""
        return self.training.policy()

    def take_policy(self, saved: SavedPolicy[MCQConfig]) -> None:
        """See `Learner`: the optimiser begins afresh."""
        saved.check_fits(self.config, self.policy())
        self.training.adopt(saved.arrays)
        self.training.begin()


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
