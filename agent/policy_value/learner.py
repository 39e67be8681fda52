"""The part of a learner that PPO and AlphaZero share: a policy-value network and Adam."""

import copy
import math
from abc import abstractmethod
from typing import Generic, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from othello_lab.agent.checkpoint import Arrays, Stored, check_arrays, forms_of
from othello_lab.agent.learner import BatchLearner, Seeds
from othello_lab.agent.memory.recorder import Recorder, Transition, Transitions
from othello_lab.agent.policy import Learned, move_values
from othello_lab.agent.policy_value.network import (
    WEIGHTS,
    NetworkGuide,
    ResidualNetwork,
    check_base,
    sample_of,
)
from othello_lab.agent.policy_value.options import NetworkOptions, make_base
from othello_lab.agent.selfplay.games import Decisions, one_game
from othello_lab.agent.task import Task
from othello_lab.agent.weights import begin_adam, flat_gradients, flatten, put, put_tensors, to_arrays
from othello_lab.game.batch.positions import Positions

_TINY = 1e-6
"""Prevents a division by zero when the gradient is 0."""
C = TypeVar("C", bound=NetworkOptions)


class NetworkLearner(BatchLearner, Generic[C]):
    """Learns at the end of one game, or of many.

    While exploring is frozen, the agent plays with the averaged weights.
    """

    def __init__(self, config: C, size: int, seeds: Seeds, device: str = "cpu") -> None:
        """`device` is the torch device of the networks."""
        self.config, self.size, self.device = config, size, torch.device(device)
        weights = torch.Generator().manual_seed(int(seeds.weights.generate_state(1)[0]))
        self.network = ResidualNetwork(config, size, weights).to(self.device)
        self.average = copy.deepcopy(self.network)
        self._weights, self._mean = nn.Parameter(flatten(self.network)), flatten(self.average)
        self._weights.grad = self._gradients = flat_gradients(self.network)
        self._adam, self._adam_state = begin_adam(self._weights, config.learning_rate)
        self.base = make_base(config, size)
        if self.base is not None:
            for network in (self.network, self.average):
                network.sample.copy_(torch.from_numpy(sample_of(self.base, size)))
        self.guide = NetworkGuide(self.network, self.base)
        self.best_guide = NetworkGuide(self.average, self.base) if config.average else self.guide
        """The guide that plays while exploring is frozen."""
        self._updates = 0
        self._rng = np.random.default_rng(seeds.draws)
        self._draw = 0.0  # the reward of a drawn game
        self._game: list[Transition] = []
        self._best = False

    def recorder(self, task: Task) -> Recorder:
        """Return a recorder with discount 1."""
        self._draw = task.draw
        return Recorder(Transitions(self._game.append), self.size**2, gamma=1.0)

    def begin(self, best: bool) -> None:
        """Drop the current game. From now on play with the mean of the weights if `best`."""
        self._best = best
        self._game.clear()

    def end(self, games: int) -> None:
        """Learn from the game that has ended."""
        if self._game:
            self.learn_from(one_game(self._game, self.size, self._draw))
        self._game.clear()

    @abstractmethod
    def learn_from(self, game: Decisions) -> None:
        """Learn from one game that the network has played."""

    def update(self, loss: Tensor, longest: float = math.inf) -> None:
        """Take one step of Adam on a loss and update the mean. The gradient is clipped to norm `longest`."""
        self._updates += 1
        self._gradients.zero_()
        loss.backward()  # type: ignore[no-untyped-call]  # torch has no type for it
        self._gradients.mul_((longest / (self._gradients.norm() + _TINY)).clamp(max=1.0))
        self._adam.step()
        self._mean.lerp_(self._weights.detach(), 1 / max(1.0, self.config.average * self._updates))

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the value of each legal move, float64 [moves]: the value of the position after it."""
        return move_values(positions, self.guide)

    def weights(self) -> Arrays:
        """Return a copy of the weights that learn."""
        return {"weights": self._weights.detach().cpu().numpy().copy()}

    def take_weights(self, arrays: Arrays) -> None:
        """Load the weights that `weights` returned."""
        put_tensors(arrays, {"weights": self._weights.detach()})

    def tensors(self) -> dict[str, Tensor]:
        """Return the weights that learn and the optimiser's state, without a copy."""
        adam = {f"adam.{name}": tensor for name, tensor in self._adam_state.items()}
        return {"weights": self._weights.detach()} | adam

    def learned(self) -> Arrays:
        """Return the networks and the optimiser's state as arrays of a checkpoint."""
        return self.policy() | {name: tensor.cpu().numpy() for name, tensor in self.tensors().items()}

    def take_learned(self, stored: Stored, arrays: Arrays) -> None:
        """Load arrays that `learned` returned. Raises CheckpointError if they do not fit."""
        check_arrays(stored.path, arrays, forms_of(self.learned()))
        check_base(stored.path, arrays, self.base, self.size)
        put(arrays, self.best_guide.network, WEIGHTS)
        put_tensors(arrays, self.tensors())

    def policy(self) -> Arrays:
        """Return the network that plays while exploring is frozen."""
        return to_arrays(self.best_guide.network, WEIGHTS)

    def take_policy(self, policy: Learned[C]) -> None:
        """Load a checkpoint's network and reset the optimiser. Raises CheckpointError if it does not fit."""
        policy.check_fits(self.config, self.policy())
        for network in (self.network, self.average):
            put(policy.arrays, network, WEIGHTS)
        self._adam, self._adam_state = begin_adam(self._weights, self.config.learning_rate)
