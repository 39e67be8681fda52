"""A learner with a torch network and Adam, which learns from whole games."""

import math
from abc import abstractmethod
from typing import Any, Generic, TypeVar

import numpy as np
from torch import Tensor, nn

from othello_lab.agent.checkpoint import Arrays, Stored, check_arrays, forms_of
from othello_lab.agent.learner import BatchLearner, Seeds
from othello_lab.agent.memory.recorder import Recorder, Transition, Transitions
from othello_lab.agent.policy import Learned
from othello_lab.agent.selfplay.games import Decisions, one_game
from othello_lab.agent.task import Task
from othello_lab.agent.weights import (
    NETWORK,
    begin_adam,
    flat_gradients,
    flatten,
    put,
    put_tensors,
    to_arrays,
)

_TINY = 1e-6
"""Prevents a division by zero when the gradient is 0."""
C = TypeVar("C")


class NetworkLearner(BatchLearner, Generic[C]):
    """Learns at the end of one game, or of many. All weights are one tensor, so that an update is fast."""

    def __init__(self, config: C, size: int, seeds: Seeds, network: nn.Module, rate: float) -> None:
        """`rate` is the step size of Adam."""
        self.config, self.size, self.network, self._rate = config, size, network, rate
        self._weights = nn.Parameter(flatten(network))
        self._weights.grad = self._gradients = flat_gradients(network)
        self._adam, self._adam_state = begin_adam(self._weights, rate)
        self._rng = np.random.default_rng(seeds.draws)
        self._updates = 0
        self._draw = 0.0  # the reward of a drawn game
        self._game: list[Transition] = []
        self._best = False

    @property
    def playing(self) -> nn.Module:
        """The network that plays while exploring is frozen."""
        return self.network

    def recorder(self, task: Task) -> Recorder:
        """Return a recorder with discount 1. The learner itself discounts the returns of a game."""
        self._draw = task.draw
        return Recorder(Transitions(self._game.append), self.size**2, gamma=1.0)

    def begin(self, best: bool) -> None:
        """Drop the current game. From now on play with the best weights if `best`."""
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
        """Take one step of Adam on a loss. The gradient is clipped to norm `longest`."""
        self._updates += 1
        self._gradients.zero_()
        loss.backward()  # type: ignore[no-untyped-call]  # torch has no type for it
        if longest < math.inf:
            self._gradients.mul_((longest / (self._gradients.norm() + _TINY)).clamp(max=1.0))
        self._adam.step()

    def weights(self) -> Arrays:
        """Return a copy of the weights that learn."""
        return {"weights": self._weights.detach().cpu().numpy().copy()}

    def take_weights(self, arrays: Arrays) -> None:
        """Load the weights that `weights` returned."""
        put_tensors(arrays, {"weights": self._weights.detach()})

    def tensors(self) -> dict[str, Tensor]:
        """Return the optimiser's state, without a copy, by the names of a checkpoint."""
        return {f"adam.{name}": tensor for name, tensor in self._adam_state.items()}

    def learned(self) -> Arrays:
        """Return the networks and the optimiser's state as arrays of a checkpoint."""
        return self.policy() | {name: tensor.cpu().numpy() for name, tensor in self.tensors().items()}

    def take_learned(self, stored: Stored, arrays: Arrays) -> None:
        """Load arrays that `learned` returned. Raises CheckpointError if they do not fit."""
        check_arrays(stored.path, arrays, forms_of(self.learned()))
        put(arrays, self.playing, NETWORK)
        put_tensors(arrays, self.tensors())

    def policy(self) -> Arrays:
        """Return the network that plays while exploring is frozen."""
        return to_arrays(self.playing, NETWORK)

    def take_policy(self, policy: Learned[Any]) -> None:
        """Load a checkpoint's network and reset the optimiser. Raises CheckpointError if it does not fit."""
        policy.check_fits(self.config, self.policy())
        put(policy.arrays, self.network, NETWORK)
        self._adam, self._adam_state = begin_adam(self._weights, self._rate)
