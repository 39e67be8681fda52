"""DQN as a learning method: a replay memory, and Q-networks that learn from it beside the play."""

import copy
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray

from othello_lab.agent.checkpoint import (
    Arrays,
    CheckpointError,
    Count,
    SavedPolicy,
    Stored,
    Values,
    check_arrays,
    forms_of,
    generator,
    typed,
)
from othello_lab.agent.dqn.config import DQNConfig, NetworkOptions
from othello_lab.agent.dqn.endgame import Endgame
from othello_lab.agent.dqn.network import AVERAGE, square_values
from othello_lab.agent.dqn.q_learning import QLearning
from othello_lab.agent.learner import Learner, Seeds
from othello_lab.agent.memory.recorder import Recorder, board_of
from othello_lab.agent.memory.replay import Replay
from othello_lab.agent.task import Task
from othello_lab.agent.weights import to_arrays
from othello_lab.game import symmetry

_REPLAY = "replay."
"""Prefix of the arrays of the replay memory."""


class SavedState(msgspec.Struct):
    """The values of a checkpoint that holds all that a resume needs."""

    updates: Count
    numbers: dict[str, float]
    appended: Count
    replay: dict[str, Any]
    """The random state that batches and symmetries are drawn with."""


def make_replay(config: DQNConfig, size: int) -> Replay:
    """Return the replay memory of a configuration."""
    squares = size * size
    if config.priority:
        from othello_lab.agent.memory.priorities import PrioritisedReplay  # here: few use it

        return PrioritisedReplay(config.replay, config.frames, squares, config.n_step, config.priority)
    return Replay(config.replay, config.frames, squares, config.n_step)


class DQNLearner(Learner):
    """Learns from a replay memory every few ticks of its clock.

    An update runs in a thread while the game goes on, and a copy of the network plays. The result is taken at
    fixed moments: at the next update, when a game begins, and before saving. So the play never depends on how
    fast the thread is.
    """

    def __init__(self, config: DQNConfig, size: int, seeds: Seeds, device: str = "cpu") -> None:
        """`device`: the torch device of the networks."""
        self.config, self.size = config, size
        seed = int(seeds.weights.generate_state(1)[0])
        self.q = QLearning(config, size, seed, torch.device(device))
        self.replay = make_replay(config, size)
        self._rng = np.random.default_rng(seeds.draws)
        self._endgame = Endgame(size, config.endgame)
        self._best = False
        self._actor = copy.deepcopy(self.q.online)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="learner") if config.background else None
        self._update: Future[NDArray[np.float32]] | None = None
        """The update under way, which returns the errors of `_slots`."""

    @property
    def numbers(self) -> dict[str, float]:
        """Counts, and means over the recent past; wait for the update under way."""
        self._wait()
        return {"updates": self.q.updates, "replay": len(self.replay), **self.q.numbers}

    def recorder(self, task: Task) -> Recorder:
        """Return a recorder that fills the replay memory."""
        config = self.config
        gamma = task.gamma if config.gamma is None else config.gamma
        return Recorder(self.replay, self.size**2, gamma, config.frames, config.negamax)

    def begin(self, best: bool) -> None:
        """Play with all that was learned from here on, by the average network with `best`."""
        self._best = best
        self._publish()

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return the legal square of the highest value; `rng` is not used."""
        values = square_values(self._actor, stack, self.size * self.size, self.config.symmetric_play)[legal]
        return int(legal[self._endgame.judged(board_of(stack[0], self.size), values).argmax()])

    def step(self, steps: int) -> None:
        """Learn if an update is due after this many decisions."""
        self._tick("steps", steps)

    def end(self, games: int) -> None:
        """Learn if an update is due after this many games."""
        self._tick("games", games)

    def _tick(self, clock: str, tick: int) -> None:
        config = self.config
        if clock == config.clock and tick > config.warm_up and tick % config.update_every == 0:
            self._publish()
            self._start_update()

    @torch.no_grad()
    def _publish(self) -> None:
        """Play with what has been learned so far, from here on."""
        self._collect()
        source = self.q.average if self._best else self.q.online
        torch._foreach_copy_(list(self._actor.parameters()), list(source.parameters()))

    def _start_update(self) -> None:
        """Draw a batch and begin to learn from it; the update before has been collected."""
        config = self.config
        drawn = self.replay.sample(config.batch, self._rng)
        if drawn is None:  # such as after cut-off games alone
            return
        batch, self._slots = drawn
        turns = self._rng.integers(symmetry.SYMMETRIES, size=config.batch) if config.symmetries else None
        risen = min(1.0, self.q.updates / max(config.priority_updates, 1))
        beta = config.priority_beta + (1 - config.priority_beta) * risen
        update = partial(self.q.update, batch, turns, self.replay.weights(self._slots, beta))
        if self._thread:
            self._update = self._thread.submit(update)
        else:
            self._update = Future()
            self._update.set_result(update())

    def _wait(self) -> None:
        """Wait for the update under way; its outcome stays to be collected."""
        if self._update:
            self._update.exception()

    def _collect(self) -> None:
        """Wait for the update under way, if there is one, and take its outcome; raise what it raised."""
        update, self._update = self._update, None
        if update:
            self.replay.learned(self._slots, update.result())

    def state(self) -> tuple[Arrays, Values]:
        """Return all networks, the optimiser, and the replay memory."""
        self._collect()
        held = {_REPLAY + key: array for key, array in self.replay.held().items()}
        values = {
            "updates": self.q.updates,
            "numbers": self.q.numbers,
            "appended": self.replay.appended,
            "replay": self._rng.bit_generator.state,
        }
        return self.q.arrays() | held, values

    def restore(self, stored: Stored) -> None:
        """Become what `state` returned; raise CheckpointError."""
        path, arrays = stored.path, stored.arrays
        saved = typed(path, stored.values, SavedState)
        if saved.numbers.keys() != self.q.numbers.keys():
            raise CheckpointError(
                f"{path} does not fit this version: its numbers are {list(saved.numbers)[:9]}"
            )
        self.replay.appended = saved.appended
        if any(name.startswith("optimiser.") for name in arrays):
            self.q.make_optimiser_state()
        check_arrays(path, arrays, forms_of(self.state()[0]))
        replay = {name: arrays[_REPLAY + name] for name in self.replay.arrays}
        if not self.replay.is_possible(replay):
            raise CheckpointError(f"{path} holds decisions that are those of no game")
        self._rng = generator(path, saved.replay)
        self.q.restore(arrays)
        self.q.updates, self.q.numbers = saved.updates, saved.numbers
        self.replay.restore(replay)

    def policy(self) -> Arrays:
        """Return the average network."""
        self._wait()
        return to_arrays(self.q.average, AVERAGE)

    def take_policy(self, saved: SavedPolicy[NetworkOptions]) -> None:
        """Make all networks this one; the replay memory stays."""
        from othello_lab.agent.dqn.policy import DQNPolicy

        saved.check_fits(self.config, self.policy())
        self._collect()
        self.q.adopt(DQNPolicy(saved).network)
        self._publish()
