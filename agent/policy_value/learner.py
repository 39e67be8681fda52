"""A learner of a network with a policy and a value: all that does not depend on what it learns from."""

import copy
import math
from abc import abstractmethod
from typing import Generic, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from othello_lab.agent.checkpoint import Arrays, SavedPolicy, Stored, check_arrays, forms_of
from othello_lab.agent.learner import BatchLearner, Seeds
from othello_lab.agent.memory.recorder import Recorder, Transition, Transitions
from othello_lab.agent.policy import move_values
from othello_lab.agent.policy_value.base import (
    WEIGHTS,
    NetworkOptions,
    base_of,
    check_sample,
    make_base,
    sample_of,
)
from othello_lab.agent.policy_value.guide import NetworkGuide
from othello_lab.agent.policy_value.network import ResidualNetwork
from othello_lab.agent.selfplay.games import Decisions, one_game
from othello_lab.agent.task import Task
from othello_lab.agent.weights import begin_adam, flat_gradients, flatten, put, put_tensors, to_arrays
from othello_lab.game.batch.positions import Positions

_TINY = 1e-6
"""A gradient of length 0 is not divided by 0."""


class LearningNetwork:
    """A network that learns, one that is its running mean, and the optimiser, Adam."""

    def __init__(
        self,
        options: NetworkOptions,
        size: int,
        generator: torch.Generator,
        device: torch.device,
    ) -> None:
        """Weights start from `generator`."""
        self.network = ResidualNetwork(options, size, generator).to(device)
        self.average = copy.deepcopy(self.network)
        self._weights, self._mean = nn.Parameter(flatten(self.network)), flatten(self.average)
        self._weights.grad = self._gradients = flat_gradients(self.network)
        self._learning_rate = options.learning_rate
        self.begin()

    def begin(self) -> None:
        """Begin the optimiser's state, which is one for all weights."""
        self._adam, self._state = begin_adam(self._weights, self._learning_rate)

    def step(self, loss: Tensor, share: float, longest: float = math.inf) -> None:
        """Follow the gradient of a loss, at most `longest`; the mean moves by `share` towards the weights."""
        self._gradients.zero_()
        loss.backward()  # type: ignore[no-untyped-call]  # torch does not type it
        self._gradients.mul_((longest / (self._gradients.norm() + _TINY)).clamp(max=1.0))
        self._adam.step()
        self._mean.lerp_(self._weights.detach(), share)

    def weights(self) -> dict[str, Tensor]:
        """Return the weights that learn, where they lie."""
        return {"weights": self._weights.detach()}

    def tensors(self) -> dict[str, Tensor]:
        """Return the weights that learn and the optimiser's state, where they lie."""
        return self.weights() | {f"adam.{name}": tensor for name, tensor in self._state.items()}


C = TypeVar("C", bound=NetworkOptions)


class NetworkLearner(BatchLearner, Generic[C]):
    """Learns at the end of a game, or of many; see `agent.learner.BatchLearner`."""

    def __init__(self, config: C, size: int, seeds: Seeds, device: str = "cpu") -> None:
        """`device`: the torch device of the networks."""
        self.config, self.size = config, size
        self._device = torch.device(device)
        weights = torch.Generator().manual_seed(int(seeds.weights.generate_state(1)[0]))
        self._learning = LearningNetwork(config, size, weights, self._device)
        self._base = make_base(config, size)
        if self._base is not None:
            for network in (self._learning.network, self._learning.average):
                network.sample.copy_(torch.from_numpy(sample_of(self._base, size)))
        self._guide = NetworkGuide(self._learning.network, self._base)
        best = NetworkGuide(self._learning.average, self._base)
        self._best_guide = best if config.average else self._guide
        self._updates = 0
        self._rng = np.random.default_rng(seeds.draws)
        self._draw = 0.0  # the reward of a drawn game, which the task says
        self._game: list[Transition] = []
        self._best = False

    def recorder(self, task: Task) -> Recorder:
        """See `Learner`."""
        self._draw = task.draw
        return Recorder(Transitions(self._game.append), self.size**2, gamma=1.0)

    def begin(self, best: bool) -> None:
        """See `Learner`."""
        self._best = best
        self._game.clear()

    def end(self, games: int) -> None:
        """See `Learner`."""
        if self._game:
            self.learn_from(one_game(self._game, self.size, self._draw))
        self._game.clear()

    @abstractmethod
    def learn_from(self, game: Decisions) -> None:
        """Learn from one game, in which the network has decided."""

    def update(self, loss: torch.Tensor, longest: float = math.inf) -> None:
        """Make one step along the gradient of a loss, which is cut to this length."""
        self._updates += 1
        self._learning.step(loss, 1 / max(1.0, self.config.average * self._updates), longest)

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """See `BatchLearner`: by the value of the position behind each move."""
        return move_values(positions, self._guide)

    def weights(self) -> Arrays:
        """See `BatchLearner`."""
        return {name: tensor.cpu().numpy().copy() for name, tensor in self._learning.weights().items()}

    def take_weights(self, arrays: Arrays) -> None:
        """See `BatchLearner`."""
        put_tensors(arrays, self._learning.weights())

    def learned(self) -> Arrays:
        """Return the networks and the optimiser's state, as arrays of a checkpoint."""
        tensors = self._learning.tensors().items()
        return self.policy() | {name: tensor.cpu().numpy() for name, tensor in tensors}

    def take_learned(self, stored: Stored, arrays: Arrays) -> None:
        """Become what `learned` returned; raise CheckpointError for other arrays."""
        check_arrays(stored.path, arrays, forms_of(self.learned()))
        if self._base is not None:
            check_sample(stored.path, arrays, self._base, self.size)
        put(arrays, self._best_guide.network, WEIGHTS)
        put_tensors(arrays, self._learning.tensors())

    def policy(self) -> Arrays:
        """Return the network that plays when exploring is frozen."""
        return to_arrays(self._best_guide.network, WEIGHTS)

    def take_policy(self, saved: SavedPolicy[C]) -> None:
        """See `Learner`: the optimiser begins afresh."""
        saved.check_fits(self.config, self.policy())
        base_of(saved)
        for network in (self._learning.network, self._learning.average):
            put(saved.arrays, network, WEIGHTS)
        self._learning.begin()
