"""The policy-value network of PPO and AlphaZero, and base classes for their policies and learners."""

import copy
import math
from typing import Any, NamedTuple, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from othello_lab.agent.checkpoint import CheckpointError, Stored
from othello_lab.agent.learner import Seeds
from othello_lab.agent.network_learner import NetworkLearner
from othello_lab.agent.policy import NETWORK, Learned, NetworkPolicy, finite, move_values, to_move
from othello_lab.agent.policy_value.options import NO_BASE, NetworkOptions, make_base
from othello_lab.agent.weights import flatten, initialise, put, random_weights
from othello_lab.game.batch import Positions, legal_moves, planes, to_mask
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.game import Game
from othello_lab.game.openings import standard_openings
from othello_lab.game.values import EXPECTED_RESULT

_SAMPLE = 8  # A network stores the base's values of this many positions, which identify the base.
_ROUNDING = 0.01  # Tolerance for the base's values, because shipped networks are float16.
_BASE_WEIGHT = 4.0  # A move's logit contains the base's value of the move times this number.
_LARGEST_BASE_VALUE = 0.99
_AT_ONCE = 4096  # Maximum number of positions in one forward pass.


class Outputs(NamedTuple):
    """The outputs for n positions, for the side to move."""

    logits: Tensor  # The logits of the moves, [n, squares]. Ignore the logits of illegal squares.
    values: Tensor  # The expected results, from -1 to 1, [n].
    scores: Tensor  # The expected final scores, divided by the number of squares, from -1 to 1, [n].


class ResidualNetwork(nn.Module):
    """Fully connected layers with ReLU, and a skip connection around each block (He et al. 2016)."""

    sample: Tensor  # The base's values of a few positions, float32 [_SAMPLE], missing without a base.

    def __init__(self, options: NetworkOptions, size: int, generator: torch.Generator | None = None) -> None:
        """Draw the weights from `generator`, but set the last layer of each block and of the network to 0."""
        super().__init__()
        squares, width = size * size, options.width
        self._has_base = options.base != NO_BASE
        if self._has_base:
            self.register_buffer("sample", torch.zeros(_SAMPLE))
        self._has_halves = options.precision == "bfloat16"
        self.first = nn.Linear((4 + self._has_base) * squares, width)
        self.blocks = nn.ModuleList(_Block(width) for _ in range(options.blocks))
        self.last = nn.Linear(width, squares + 2)
        initialise(self, generator)
        for layer in (self.last, *(block.second for block in self.blocks if isinstance(block, _Block))):
            nn.init.zeros_(layer.weight)

    def forward(self, inputs: Tensor) -> Outputs:
        """Return the outputs. `inputs`, float32 [n, 4 or 5, squares], comes from `network_inputs`."""
        with torch.autocast(inputs.device.type, torch.bfloat16, enabled=self._has_halves):
            stream = self.first(inputs.flatten(1))  # [n, width]
            for block in self.blocks:
                stream = block(stream)
            outputs = self.last(torch.relu(stream)).float()  # [n, squares + 2]
        logits, (values, scores) = outputs[:, :-2], outputs[:, -2:].unbind(1)
        if self._has_base:
            by_base = inputs[:, 4]
            best = by_base.masked_fill(inputs[:, 2] == 0, -1.0).amax(1)
            logits = logits + _BASE_WEIGHT * by_base
            values = values + best.clamp(-_LARGEST_BASE_VALUE, _LARGEST_BASE_VALUE).atanh()
        return Outputs(logits, values.tanh(), scores.tanh())


class _Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, width)

    def forward(self, stream: Tensor) -> Tensor:
        """Return the output of the block, float [n, width]. `stream` has the same shape."""
        return stream + self.second(torch.relu(self.first(torch.relu(stream))))  # type: ignore[no-any-return]


def log_policy(logits: Tensor, illegal: Tensor) -> Tensor:
    """Return the log probabilities of moves, [n, squares]. For illegal squares, return -inf.

    Illegal moves then have probability 0 and no gradient (Huang and Ontañón 2022).
    """
    return logits.masked_fill(illegal, -torch.inf).log_softmax(1)


def network_inputs(positions: Positions, base: Evaluator | None) -> NDArray[np.float32]:
    """Return the inputs of the network for positions, float32 [n, 4 or 5, squares].

    The planes are an observation and, with a base, the base's values of the legal moves.
    """
    inputs = planes(positions, np.float32).reshape(len(positions), 4, -1)
    if base is None:
        return inputs
    by_base = np.zeros((len(positions), 1, positions.size**2), np.float32)
    by_base[to_mask(legal_moves(positions), positions.size)[:, None]] = move_values(positions, base)
    return np.concatenate([inputs, by_base], axis=1)


def sample_of(base: Evaluator, size: int) -> NDArray[np.float32]:
    """Return the base's values of a few positions, float32 [_SAMPLE]."""
    boards = [Game.from_transcript(line, size).board for line in standard_openings(size, _SAMPLE)]
    return base.values(Positions.of(boards)).astype(np.float32)


class NetworkGuide(Evaluator):
    """A network as an evaluator and as a `game.search.gumbel.Guide` of a search."""

    unit = EXPECTED_RESULT

    def __init__(self, network: ResidualNetwork, base: Evaluator | None = None) -> None:
        self.network, self.base = network, base

    def judge(self, positions: Positions) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Return the logits of moves, [n, squares], and the expected results, [n]. Raises UnplayableError."""
        outputs = self.outputs(torch.from_numpy(network_inputs(positions, self.base)))
        values = outputs.values.cpu().numpy().astype(np.float64)
        return finite(outputs.logits.cpu().numpy()), finite(values)

    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the expected result of each position for the side to move, float64 [n]."""
        movers, signs = to_move(positions)
        return signs * self.judge(movers)[1]

    @torch.inference_mode()
    def outputs(self, inputs: Tensor) -> Outputs:
        """Return the outputs for inputs from `network_inputs`, computed on the network's device."""
        inputs = inputs.to(self.network.last.weight.device)
        parts = [self.network(part) for part in torch.split(inputs, _AT_ONCE)]
        return Outputs(*map(torch.cat, zip(*parts, strict=True)))


C = TypeVar("C", bound=NetworkOptions)


class GuidePolicy(NetworkPolicy[C]):
    """The policy of a checkpoint with a policy-value network."""

    make = ResidualNetwork

    def __init__(self, stored: Stored, size: int, config: C) -> None:
        super().__init__(stored, size, config)
        base = make_base(config, size)
        if base and np.abs(self.arrays[f"{NETWORK}sample"] - sample_of(base, size)).max() > _ROUNDING:
            raise CheckpointError(
                f"{self.path} stands on another network than the one that ships now: train it anew"
            )
        self.guide = NetworkGuide(self.network, base)

    def evaluator(self) -> NetworkGuide:
        """Return the network as an evaluator."""
        return self.guide


class GuideLearner(NetworkLearner[C]):
    """A learner with a policy-value network. While exploring is frozen, it plays with averaged weights."""

    network: ResidualNetwork

    def __init__(self, config: C, size: int, seeds: Seeds, device: str = "cpu") -> None:
        self.device = torch.device(device)
        network = ResidualNetwork(config, size, random_weights(seeds.weights)).to(self.device)
        self.average = copy.deepcopy(network)
        super().__init__(config, size, seeds, network, config.learning_rate)
        self._mean = flatten(self.average)
        self.base = make_base(config, size)
        if self.base is not None:
            for one in (network, self.average):
                one.sample.copy_(torch.from_numpy(sample_of(self.base, size)))
        self.guide = NetworkGuide(network, self.base)
        # The guide that plays while exploring is frozen.
        self.best_guide = NetworkGuide(self.average, self.base) if config.average else self.guide

    @property
    def playing(self) -> ResidualNetwork:
        """The network that plays while exploring is frozen."""
        return self.best_guide.network

    def update(self, loss: Tensor, longest: float = math.inf) -> None:
        """Make one step of Adam on a loss, then update the average weights."""
        super().update(loss, longest)
        self._mean.lerp_(self._weights, 1 / max(1.0, self.config.average * self.saved.updates))

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the values of all legal moves, float64 [moves], from the values of the next positions."""
        return move_values(positions, self.guide)

    def tensors(self) -> dict[str, Tensor]:
        """Return the learning weights and the optimiser's state, without copies."""
        return {"weights": self._weights, **super().tensors()}

    def take_policy(self, policy: Learned[Any]) -> None:
        """Load the network of a policy and reset the optimiser. Raises CheckpointError if it does not fit."""
        super().take_policy(policy)
        put(policy.arrays, self.average, NETWORK)
