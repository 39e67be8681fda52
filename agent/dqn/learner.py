"""DQN as a learning method: a replay memory, and Q-networks that learn from it during the games."""

import copy
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import Arrays, CheckpointError, Count, Stored, Values
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

if TYPE_CHECKING:
    from othello_lab.agent.policy import Learned

_REPLAY = "replay."
"""Prefix of the arrays of the replay memory."""


class SavedState(msgspec.Struct):
    """The learner's values in a full checkpoint. Such a checkpoint holds all that a resume needs."""

    updates: Count
    numbers: dict[str, float]
    appended: Count
    replay: dict[str, Any]
    """The state of the random generator that draws batches and symmetries."""


def make_replay(config: DQNConfig, size: int) -> Replay:
    """Return the empty replay memory for a configuration."""
    squares = size * size
    if config.priority:
        from othello_lab.agent.memory.priorities import PrioritisedReplay  # imported here: rarely used

        return PrioritisedReplay(config.replay, config.frames, squares, config.n_step, config.priority)
    return Replay(config.replay, config.frames, squares, config.n_step)


class DQNLearner(Learner):
    """Learns from a replay memory, once every `update_every` ticks of its clock.

    An update runs in a thread while the game goes on. Meanwhile a copy of the network plays. The copy gets
    new weights at fixed moments: when the next update is due, and when a game begins. So the moves do not
    depend on the speed of the thread.
    """

    def __init__(self, config: DQNConfig, size: int, seeds: Seeds, device: str = "cpu") -> None:
        """`device` is the torch device of the networks."""
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
        """The update that is running. Its result is the errors of the transitions in `_slots`."""

    @property
    def numbers(self) -> dict[str, float]:
        """Counts and recent means for the log. Waits for the running update."""
        self._wait()
        return {"updates": self.q.updates, "replay": len(self.replay), **self.q.numbers}

    def recorder(self, task: Task) -> Recorder:
        """Return a recorder that fills the replay memory."""
        config = self.config
        gamma = task.gamma if config.gamma is None else config.gamma
        return Recorder(self.replay, self.size**2, gamma, config.frames, config.negamax)

    def begin(self, best: bool) -> None:
        """Play with the latest weights from now on: of the average network if `best`, else the online one."""
        self._best = best
        self._publish()

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return the legal square with the highest value. `rng` is not used."""
        values = square_values(self._actor, stack, self.size * self.size, self.config.symmetric_play)[legal]
        return int(legal[self._endgame.judged(board_of(stack[0], self.size), values).argmax()])

    def step(self, steps: int) -> None:
        """Start an update if one is due after `steps` decisions."""
        self._tick("steps", steps)

    def end(self, games: int) -> None:
        """Start an update if one is due after `games` games."""
        self._tick("games", games)

    def _tick(self, clock: str, tick: int) -> None:
        config = self.config
        if clock == config.clock and tick > config.warm_up and tick % config.update_every == 0:
            self._publish()
            self._start_update()

    @torch.no_grad()
    def _publish(self) -> None:
        """Copy the latest weights into the network that plays."""
        self._collect()
        source = self.q.average if self._best else self.q.online
        torch._foreach_copy_(list(self._actor.parameters()), list(source.parameters()))

    def _start_update(self) -> None:
        """Draw a batch and start an update with it. The last update must have been collected."""
        config = self.config
        drawn = self.replay.sample(config.batch, self._rng)
        if drawn is None:  # no transition is complete, for example if all games were cut off
            return
        batch, self._slots = drawn
        turns = self._rng.integers(symmetry.SYMMETRIES, size=config.batch) if config.symmetries else None
        update = partial(self.q.update, batch, turns, self.replay.weights(self._slots, self.q.updates))
        if self._thread:
            self._update = self._thread.submit(update)
        else:
            self._update = Future()
            self._update.set_result(update())

    def _wait(self) -> None:
        """Wait for the running update. Its result can still be collected."""
        if self._update:
            self._update.exception()

    def _collect(self) -> None:
        """Wait for the running update, if any, and record its errors. Raises what the update raised."""
        update, self._update = self._update, None
        if update:
            self.replay.learned(self._slots, update.result())

    def state(self) -> tuple[Arrays, Values]:
        """Return the arrays of all networks, the optimiser and the replay memory, and the other values."""
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
        """Restore what `state` returned. Raises CheckpointError if the checkpoint does not fit."""
        path, arrays = stored.path, stored.arrays
        saved = checkpoint.typed(path, stored.values, SavedState)
        if saved.numbers.keys() != self.q.numbers.keys():
            raise CheckpointError(
                f"{path} does not fit this version: its numbers are {list(saved.numbers)[:9]}"
            )
        self.replay.appended = saved.appended
        if any(name.startswith("optimiser.") for name in arrays):
            self.q.make_optimiser_state()
        checkpoint.check_arrays(path, arrays, checkpoint.forms_of(self.state()[0]))
        replay = {name: arrays[_REPLAY + name] for name in self.replay.arrays}
        if not self.replay.is_possible(replay):
            raise CheckpointError(f"{path} holds decisions that are those of no game")
        self._rng = checkpoint.generator(path, saved.replay)
        self.q.restore(arrays)
        self.q.updates, self.q.numbers = saved.updates, saved.numbers
        self.replay.restore(replay)

    def policy(self) -> Arrays:
        """Return the weights of the average network."""
        self._wait()
        return to_arrays(self.q.average, AVERAGE)

    def take_policy(self, policy: "Learned[NetworkOptions]") -> None:
        """Copy the policy into all networks and keep the replay memory. Raises CheckpointError."""
        policy.check_fits(self.config, self.policy())
        self._collect()
        self.q.adopt(policy.arrays)
        self._publish()
