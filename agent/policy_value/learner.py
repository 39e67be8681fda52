"""The part of a learner that PPO and AlphaZero share: a policy-value network, its average and its base."""

import copy
import math
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from othello_lab.agent.learner import Seeds
from othello_lab.agent.network_learner import NetworkLearner
from othello_lab.agent.policy import Learned, move_values
from othello_lab.agent.policy_value.network import NetworkGuide, ResidualNetwork, sample_of
from othello_lab.agent.policy_value.options import NetworkOptions, make_base
from othello_lab.agent.weights import NETWORK, flatten, put, random_weights
from othello_lab.game.batch import Positions

C = TypeVar("C", bound=NetworkOptions)


class GuideLearner(NetworkLearner[C]):
    """While exploring is frozen, the agent plays with the averaged weights."""

    network: ResidualNetwork

    def __init__(self, config: C, size: int, seeds: Seeds, device: str = "cpu") -> None:
        """`device` is the torch device of the networks."""
        self.device = torch.device(device)
        network = ResidualNetwork(config, size, random_weights(seeds)).to(self.device)
        self.average = copy.deepcopy(network)
        super().__init__(config, size, seeds, network, config.learning_rate)
        self._mean = flatten(self.average)
        self.base = make_base(config, size)
        if self.base is not None:
            for one in (network, self.average):
                one.sample.copy_(torch.from_numpy(sample_of(self.base, size)))
        self.guide = NetworkGuide(network, self.base)
        self.best_guide = NetworkGuide(self.average, self.base) if config.average else self.guide
        """The guide that plays while exploring is frozen."""

    @property
    def playing(self) -> ResidualNetwork:
        """The network that plays while exploring is frozen."""
        return self.best_guide.network

    def update(self, loss: Tensor, longest: float = math.inf) -> None:
        """Take one step of Adam on a loss and update the average."""
        super().update(loss, longest)
        self._mean.lerp_(self._weights.detach(), 1 / max(1.0, self.config.average * self.saved.updates))

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the value of each legal move, float64 [moves]: the value of the position after it."""
        return move_values(positions, self.guide)

    def tensors(self) -> dict[str, Tensor]:
        """Return the weights that learn and the optimiser's state, without a copy."""
        return {"weights": self._weights.detach(), **super().tensors()}

    def take_policy(self, policy: Learned[Any]) -> None:
        """Load a checkpoint's network and reset the optimiser. Raises CheckpointError if it does not fit."""
        super().take_policy(policy)
        put(policy.arrays, self.average, NETWORK)
