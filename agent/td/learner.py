"""TD(lambda) as a learning method, and what it has learned as an evaluator and a player."""

from functools import partial
from typing import Any, NamedTuple

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray

from othello_lab.agent.checkpoint import (
    Arrays,
    Count,
    Forms,
    SavedPolicy,
    Stored,
    Values,
    check_arrays,
    forms_of,
    generator,
    typed,
)
from othello_lab.agent.learner import BatchLearner, Seeds
from othello_lab.agent.memory.frames import Frame, unpack
from othello_lab.agent.memory.recorder import Recorder, Transition, Transitions
from othello_lab.agent.policy import PositionPolicy, move_values, positions_of
from othello_lab.agent.selfplay.games import GameBatch
from othello_lab.agent.task import Task
from othello_lab.agent.td.learning import BatchLearning, Traces
from othello_lab.agent.td.method import TDConfig
from othello_lab.agent.td.network import Inputs, ValueNetwork, make_network, make_values, seen_by_mover
from othello_lab.agent.weights import network_forms, put, to_arrays
from othello_lab.game.batch.positions import Positions
from othello_lab.game.search.batched import children

_REMEMBERED = 0.001
"""Share of the newest error in their running mean."""


class SavedState(msgspec.Struct):
    """The values of a checkpoint that holds all that a resume needs."""

    updates: Count
    error: float
    batches: Count
    """Steps of the optimiser."""
    draws: dict[str, Any]
    """The random state that its batches are drawn with."""


class _Choices(NamedTuple):
    """The moves of a decision."""

    squares: NDArray[np.int64]
    inputs: Inputs
    """What each of them leads to, as the network sees it."""
    outputs: NDArray[np.float32]
    """What the network said of that, [moves]."""


class TDLearner(BatchLearner):
    """Learns from each decision as soon as the next one is due; see `agent.learner.Learner`.

    The value of a move is that of its afterstate. The target of the afterstate of a decision is the value of
    the best move of the next one, whoever decides there; at the end it is the reward.
    """

    def __init__(self, config: TDConfig, size: int, seeds: Seeds) -> None:
        self.config, self.size = config, size
        generator = torch.Generator().manual_seed(int(seeds.weights.generate_state(1)[0]))
        self.values = make_values(config, size, generator)
        self.updates, self.error = 0, 0.0
        self._batches = BatchLearning(config, size, self.values, np.random.default_rng(seeds.draws))
        self._traces = Traces(len(self.values.weights), config.lam)
        self._best = False
        self._latest: tuple[bytes, _Choices] | None = None

    @property
    def numbers(self) -> dict[str, float]:
        """How many updates there were, and how large errors have been, in the units of the output."""
        return {"updates": self.updates, "error": self.error}

    def recorder(self, task: Task) -> Recorder:
        """See `Learner`."""
        sink = Transitions(lambda transition: self.take(task.within_one(transition)))
        return Recorder(sink, self.size**2, self.config.gamma)

    def begin(self, best: bool) -> None:
        """See `Learner`: no trace leads from one game into the next."""
        self._best, self._latest = best, None
        self._traces.clear()

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return the legal square whose afterstate is worth most; `rng` is not used.

        While it explores, the network alone values a move, so that the move played is the one that was the
        target. Frozen, it knows the result of a finished game, as the player of its checkpoint does.
        """
        if self._best:
            return int(legal[self.move_values(positions_of(stack[:1], self.size)).argmax()])
        choices = self._choices(stack[0])
        return int(choices.squares[choices.outputs.argmax()])

    def _choices(self, frame: Frame) -> _Choices:
        """Return the moves of a decision, by what had been learned when it was first looked at.

        That is when its best move becomes the target of the decision before.
        """
        key = frame.tobytes()
        if self._latest and self._latest[0] == key:
            return self._latest[1]
        squares = np.flatnonzero(unpack(frame[None], self.size**2)[2])
        inputs = seen_by_mover(children(positions_of(frame[None], self.size)))
        choices = _Choices(squares, inputs, self.values.outputs(inputs))
        self._latest = key, choices
        return choices

    def take(self, t: Transition) -> None:
        """Learn from a transition: one step of TD(lambda)."""
        choices = self._choices(t.state)
        taken = int(np.searchsorted(choices.squares, t.action))
        if self.config.cut and choices.outputs[taken] < choices.outputs.max():
            self._traces.clear()
        target = self._target(t)
        output, gradient = self.values.gradient(choices.inputs[taken])
        error = target - output
        traces = self._traces.add(gradient, t.discount)
        self.values.weights += np.float32(self.config.learning_rate * error) * traces
        self._count(abs(error))

    def _target(self, t: Transition) -> float:
        """Return the target of an afterstate, in the units of the output."""
        scale, ahead = self.values.scale, 0.0
        if t.next_state is not None:
            ahead = scale.value(float(self._choices(t.next_state).outputs.max()))
        return scale.output(t.reward + t.discount * ahead)

    def _count(self, error: float) -> None:
        self.updates += 1
        self.error += (error - self.error) * max(_REMEMBERED, 1 / self.updates)

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """See `agent.learner.BatchLearner`."""
        return move_values(positions, self.values)

    def learn(self, played: GameBatch) -> None:
        """See `agent.learner.BatchLearner`."""
        self.updates += len(played)
        self.error = self._batches.learn(played)

    def weights(self) -> Arrays:
        """See `agent.learner.BatchLearner`."""
        return {"weights": self.values.weights.copy()}

    def take_weights(self, arrays: Arrays) -> None:
        """See `agent.learner.BatchLearner`."""
        self.values.weights[:] = arrays["weights"]

    def state(self) -> tuple[Arrays, Values]:
        """See `Learner`."""
        values = {
            "updates": self.updates,
            "error": self.error,
            "batches": self._batches.steps,
            "draws": self._batches.rng.bit_generator.state,
        }
        return self.policy() | self._batches.arrays(), values

    def restore(self, stored: Stored) -> None:
        """See `Learner`."""
        saved = typed(stored.path, stored.values, SavedState)
        forms = {**forms_of(self.policy()), **self._batches.forms(saved.batches)}
        check_arrays(stored.path, stored.arrays, forms)
        self._batches.rng = generator(stored.path, saved.draws)
        self._batches.restore(stored.arrays, saved.batches)
        put(stored.arrays, self.values.network, TDPolicy.prefix)
        self.updates, self.error = saved.updates, saved.error

    def policy(self) -> Arrays:
        """Return the network."""
        return to_arrays(self.values.network, TDPolicy.prefix)

    def take_policy(self, saved: SavedPolicy[TDConfig]) -> None:
        """See `Learner`."""
        saved.check_fits(self.config, self.policy())
        put(saved.arrays, self.values.network, TDPolicy.prefix)


class TDPolicy(PositionPolicy[TDConfig]):
    """Plays the move whose afterstate is worth most."""

    prefix = "network."

    def __init__(self, saved: SavedPolicy[TDConfig]) -> None:
        self._values = make_values(saved.config, saved.size)
        put(saved.arrays, self._values.network, self.prefix)

    @classmethod
    def forms(cls, config: TDConfig, size: int, arrays: Arrays) -> Forms | None:
        """See `Learned`."""
        few = len(config.hidden) <= len(arrays)
        return network_forms(partial(make_network, config, size), cls.prefix) if few else None

    def evaluator(self) -> ValueNetwork:
        """See `Learned`."""
        return self._values
