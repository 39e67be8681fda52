"""A base class for learners with a torch network. They learn from whole games with Adam."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
import numpy as np
from torch import Tensor, nn

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import Arrays, Stored, Values
from othello_lab.agent.learner import BatchLearner, Seeds
from othello_lab.agent.memory.recorder import Recorder, Transition, Transitions
from othello_lab.agent.optimisers import Optimiser
from othello_lab.agent.policy import NETWORK, Learned
from othello_lab.agent.selfplay.games import Decisions, one_game
from othello_lab.agent.task import Task
from othello_lab.agent.weights import flat_gradients, flatten, put, put_tensors, to_arrays

_TINY = 1e-6  # Prevents a division by zero when the gradient is 0.
C = TypeVar("C")


class NetworkLearner(BatchLearner, Generic[C]):
    """Learns at the end of one game or of many games. All weights are one tensor, for fast updates.

    The constructor of a subclass sets `saved` and `decisions`.
    """

    saved: Any  # The `SavedState`.
    decisions: Any  # The remembered decisions, a NamedTuple of arrays.
    prefix: ClassVar[str] = "memory."  # Prefix of the arrays of `decisions` in a checkpoint.

    def __init__(self, config: C, size: int, seeds: Seeds, network: nn.Module, rate: float) -> None:
        """`rate` is the step size of Adam."""
        self.config, self.size, self.network, self._rate = config, size, network, rate
        self._weights, self._gradients = flatten(network), flat_gradients(network)
        self._adam = Optimiser("adam", self._weights, self._gradients)
        self._adam.begin()
        self._rng = np.random.default_rng(seeds.draws)
        self._draw = 0.0  # the reward of a drawn game
        self._game: list[Transition] = []
        self._best = False

    @property
    def playing(self) -> nn.Module:
        """The network that plays while exploring is frozen."""
        return self.network

    def recorder(self, task: Task) -> Recorder:
        """Return a recorder with discount 1. The learner discounts a whole game itself."""
        self._draw = task.draw
        return Recorder(Transitions(self._game.append), self.size**2, gamma=1.0)

    def begin(self, best: bool) -> None:
        """Drop the current game. Then play with the best weights if `best` is True."""
        self._best = best
        self._game.clear()

    def end(self, games: int) -> None:
        """Learn from the game that ended."""
        if self._game:
            self.learn_from(one_game(self._game, self.size, self._draw))
        self._game.clear()

    @abstractmethod
    def learn_from(self, game: Decisions) -> None:
        """Learn from one game that the network played."""

    def update(self, loss: Tensor, longest: float = math.inf) -> None:
        """Make one step of Adam on a loss. `longest` is the maximum norm of the gradient."""
        self.saved.updates += 1
        self._gradients.zero_()
        loss.backward()  # type: ignore[no-untyped-call]  # torch has no type for it
        if longest < math.inf:
            self._gradients.mul_((longest / (self._gradients.norm() + _TINY)).clamp(max=1.0))
        self._adam.step(self._rate)

    def weights(self) -> Arrays:
        """Return a copy of the weights that learn."""
        return {"weights": self._weights.cpu().numpy().copy()}

    def take_weights(self, arrays: Arrays) -> None:
        """Load weights from `weights`."""
        put_tensors(arrays, {"weights": self._weights})

    def tensors(self) -> dict[str, Tensor]:
        """Return the tensors of the optimiser's state (no copies), by name in a checkpoint."""
        return {f"adam.{name}": tensor for name, tensor in self._adam.state.items()}

    def state(self) -> tuple[Arrays, Values]:
        """Return the arrays of the networks, the optimiser and the decisions, and the values of `saved`."""
        self.saved.draws = dict(self._rng.bit_generator.state)
        arrays = self._learned() | _column_arrays(self.decisions, self.prefix)
        return arrays, msgspec.to_builtins(self.saved)

    def _learned(self) -> Arrays:
        return self.policy() | {name: tensor.cpu().numpy() for name, tensor in self.tensors().items()}

    def restore(self, stored: Stored) -> None:
        """Restore the state from a checkpoint. Raises CheckpointError if it does not fit this learner."""
        saved = checkpoint.saved_state(stored, self.saved)
        decisions, arrays = _columns_of(stored, self.decisions, self.prefix)
        self.check(stored.path, decisions)
        rng = checkpoint.generator(stored.path, saved.draws)
        checkpoint.check_arrays(stored.path, arrays, checkpoint.forms_of(self._learned()))
        put(arrays, self.playing, NETWORK)
        put_tensors(arrays, self.tensors())
        self._rng, self.saved, self.decisions = rng, saved, decisions

    def check(self, path: Path, decisions: Any) -> None:  # noqa: ANN401  of a subclass
        """Raise CheckpointError if the decisions of a checkpoint are impossible."""

    def policy(self) -> Arrays:
        """Return the weights of the network that plays while exploring is frozen."""
        return to_arrays(self.playing, NETWORK)

    def take_policy(self, policy: Learned[Any]) -> None:
        """Load the network of a policy and reset the optimiser. Raises CheckpointError if it does not fit."""
        policy.check_fits(self.config, self.policy())
        put(policy.arrays, self.network, NETWORK)
        self._adam.begin()


Columns = TypeVar("Columns", bound=tuple[Any, ...])  # A NamedTuple of arrays [n, ...], one row per decision.


def join_columns(parts: Sequence[Columns]) -> Columns:
    """Join the rows of NamedTuples of arrays."""
    return type(parts[0])(*map(np.concatenate, zip(*parts, strict=True)))


def _column_arrays(columns: Any, prefix: str) -> Arrays:  # noqa: ANN401  a NamedTuple has no type
    """Return the columns as named arrays for a checkpoint."""
    return {prefix + name: array for name, array in columns._asdict().items()}


def _columns_of(stored: Stored, like: Columns, prefix: str) -> tuple[Columns, Arrays]:
    """Return a checkpoint's columns, which must fit `like`, and other arrays. Raises CheckpointError."""
    held = {name: array for name, array in stored.arrays.items() if name.startswith(prefix)}
    expected = _column_arrays(like, prefix)
    n = min((len(np.atleast_1d(held[name])) for name in expected if name in held), default=0)
    checkpoint.check_arrays(
        stored.path, held, {name: ((n, *a.shape[1:]), a.dtype) for name, a in expected.items()}
    )
    rest = {name: array for name, array in stored.arrays.items() if name not in held}
    return type(like)(*(held[name] for name in expected)), rest
