"""The DQN learner. Its networks learn from a replay memory during the games."""

import copy
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import Arrays, CheckpointError, Count, SavedState, Stored, Values
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

_REPLAY = "replay."  # Prefix for the names of the replay memory's arrays in a checkpoint.


class _Saved(SavedState):
    appended: Count


def make_replay(config: DQNConfig, size: int) -> Replay:
    """Return an empty replay memory with the options of a configuration."""
    squares = size * size
    if config.priority:
        from othello_lab.agent.memory.priorities import PrioritisedReplay  # only needed here

        return PrioritisedReplay(config.replay, config.frames, squares, config.n_step, config.priority)
    return Replay(config.replay, config.frames, squares, config.n_step)


class DQNLearner(Learner):
    """Learns from a replay memory. An update is due every `update_every` ticks of the clock.

    An update runs in a thread during the game, while a copy of the network chooses the moves. The copy gets
    new weights only when the next update is due or a game begins, so the speed of the thread changes no move.
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
        # The running update. It returns the errors of the transitions in the slots `_slots`.
        self._update: Future[NDArray[np.float32]] | None = None

    @property
    def numbers(self) -> dict[str, float]:
        """Numbers for the log. This property waits for the running update."""
        self._wait()
        return {"updates": self.q.updates, "replay": len(self.replay), **self.q.numbers}

    def recorder(self, task: Task) -> Recorder:
        """Return a recorder that fills the replay memory."""
        config = self.config
        gamma = task.gamma if config.gamma is None else config.gamma
        return Recorder(self.replay, self.size**2, gamma, config.frames, config.negamax)

    def begin(self, best: bool) -> None:
        """Play with the latest weights from now on, or with their average if `best` is True."""
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
        self._collect()
        source = self.q.average if self._best else self.q.online
        torch._foreach_copy_(list(self._actor.parameters()), list(source.parameters()))

    def _start_update(self) -> None:
        config = self.config
        drawn = self.replay.sample(config.batch, self._rng)
        if drawn is None:  # the memory holds no complete transition, for example after truncated games only
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
        """Wait for the running update, but leave its result to `_collect`."""
        if self._update:
            self._update.exception()

    def _collect(self) -> None:
        """Wait for the running update, if any, and record its errors. Raises the exceptions of the update."""
        update, self._update = self._update, None
        if update:
            self.replay.learned(self._slots, update.result())

    def state(self) -> tuple[Arrays, Values]:
        """Return the arrays of the networks, the optimiser and the replay memory, and all other values."""
        self._collect()
        held = {_REPLAY + key: array for key, array in self.replay.held().items()}
        return self.q.arrays() | held, msgspec.structs.asdict(self._saved())

    def _saved(self) -> _Saved:
        draws = dict(self._rng.bit_generator.state)
        return _Saved(self.q.updates, self.q.numbers, draws, self.replay.appended)

    def restore(self, stored: Stored) -> None:
        """Restore the state from a checkpoint. Raises CheckpointError if it does not fit this learner."""
        path, arrays = stored.path, stored.arrays
        saved = checkpoint.saved_state(stored, self._saved())
        self.replay.appended = saved.appended
        self.q.begin_optimiser(arrays)
        checkpoint.check_arrays(path, arrays, checkpoint.forms_of(self.state()[0]))
        replay = {name: arrays[_REPLAY + name] for name in self.replay.arrays}
        if not self.replay.is_possible(replay):
            raise CheckpointError(f"{path} holds decisions that are those of no game")
        self._rng = checkpoint.generator(path, saved.draws)
        self.q.restore(arrays)
        self.q.updates, self.q.numbers = saved.updates, saved.numbers
        self.replay.restore(replay)

    def policy(self) -> Arrays:
        """Return the weights of the average network."""
        self._wait()
        return to_arrays(self.q.average, AVERAGE)

    def take_policy(self, policy: "Learned[NetworkOptions]") -> None:
        """Copy the policy into all networks. The replay memory stays. Raises CheckpointError."""
        policy.check_fits(self.config, self.policy())
        self._collect()
        self.q.adopt(policy.arrays)
        self._publish()
