"""DQN as a learning method: a replay memory, and Q-networks that learn from it beside the play."""

import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any

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
from othello_lab.agent.dqn.config import NO_TEACHER, DQNConfig
from othello_lab.agent.dqn.endgame import Endgame
from othello_lab.agent.dqn.network import AVERAGE
from othello_lab.agent.dqn.q_learning import QLearning
from othello_lab.agent.dqn.updates import Updates
from othello_lab.agent.dqn.values import move_values, square_values
from othello_lab.agent.learner import BatchLearner, Seeds
from othello_lab.agent.memory.frames import board_of
from othello_lab.agent.memory.recorder import Recorder
from othello_lab.agent.memory.replay import Replay
from othello_lab.agent.task import Task
from othello_lab.agent.weights import to_arrays

if TYPE_CHECKING:
    from othello_lab.agent.dqn.many_games import BatchLearning
    from othello_lab.agent.selfplay.games import GameBatch
    from othello_lab.game.batch.positions import Positions

_REPLAY = "replay."
"""What the arrays of the replay memory begin with."""


class SavedState(msgspec.Struct):
    """The values of a checkpoint that holds all that a resume needs."""

    updates: Count
    numbers: dict[str, float]
    appended: Count
    replay: dict[str, Any]
    """The random state that batches are drawn with."""
    learned_games: Count = 0
    """Many at once."""


def make_replay(config: DQNConfig, size: int) -> Replay:
    """Return the replay memory of a configuration."""
    squares = size * size
    if config.priority:
        from othello_lab.agent.memory.priorities import PrioritisedReplay  # here: few use it

        return PrioritisedReplay(config.replay, config.frames, squares, config.n_step, config.priority)
    return Replay(config.replay, config.frames, squares, config.n_step)


class DQNLearner(BatchLearner):
    """Learns from replay every so often; see `agent.learner.Learner`.

    An update runs in a thread while the game goes on, and a copy of the network plays. The result is taken at
    fixed moments: at the next update, when a game begins, and when it is asked for. So what the agent does
    never depends on how fast the thread is.
    """

    def __init__(self, config: DQNConfig, size: int, seeds: Seeds, device: str = "cpu") -> None:
        """`device`: the torch device of the networks."""
        self.config, self.size = config, size
        seed = int(seeds.weights.generate_state(1)[0])
        self.q = QLearning(config, size, seed, torch.device(device))
        self.replay = make_replay(config, size)
        self._endgame = Endgame(size, config.endgame)
        self._best = False
        self._actor = copy.deepcopy(self.q.online)
        self._draw_with(np.random.default_rng(seeds.draws))
        if config.teacher != NO_TEACHER:
            _ = self._many_games  # a teacher that there is not is told now
        self._learned_games = 0
        """Of those that it learned from many at once."""

    def _draw_with(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._updates = Updates(self.config, self.q, self.replay, rng)

    @property
    def numbers(self) -> dict[str, float]:
        """Counts, and means over the recent past; an update under way is waited for."""
        self._updates.wait()
        return {"updates": self.q.updates, "replay": len(self.replay), **self.q.numbers}

    def recorder(self, task: Task) -> Recorder:
        """See `Learner`."""
        config = self.config
        gamma = task.gamma if config.gamma is None else config.gamma
        return Recorder(self.replay, self.size**2, gamma, config.frames, config.negamax)

    def begin(self, best: bool) -> None:
        """See `Learner`: the game so far was the recorder's alone."""
        self._best = best
        self._publish()

    @torch.no_grad()
    def _publish(self) -> None:
        """Play with what has been learned so far, from here on."""
        self._updates.collect()
        source = self.q.average if self._best else self.q.online
        torch._foreach_copy_(list(self._actor.parameters()), list(source.parameters()))

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return the legal square of the highest value; `rng` is not used."""
        values = square_values(self._actor, stack, self.size * self.size, self.config.symmetric_play)[legal]
        return int(legal[self._endgame.judged(board_of(stack[0], self.size), values).argmax()])

    def step(self, steps: int) -> None:
        """See `Learner`."""
        self._tick("steps", steps)

    def end(self, games: int) -> None:
        """See `Learner`."""
        self._tick("games", games)

    def _tick(self, clock: str, tick: int) -> None:
        """Take the outcome of the last update and start the next one, if it is time for that."""
        config = self.config
        if clock == config.clock and tick > config.warm_up and tick % config.update_every == 0:
            self._publish()
            self._updates.start()

    def move_values(self, positions: "Positions") -> NDArray[np.float64]:
        """See `agent.learner.BatchLearner`: by the network that learns, each position as it lies."""
        return move_values(self.q.online, positions, symmetric=False)

    def learn(self, played: "GameBatch") -> None:
        """See `agent.learner.BatchLearner`: replay memory has no part in it."""
        self._updates.collect()
        self._learned_games += self._many_games.learn(played, self.config, self._learned_games, self._rng)

    @cached_property
    def _many_games(self) -> "BatchLearning":
        from othello_lab.agent.dqn.many_games import (
            BatchLearning,  # here: the agent of a trio does without it
        )

        return BatchLearning(self.q)

    def weights(self) -> Arrays:
        """See `agent.learner.BatchLearner`."""
        return {name: weight.cpu().numpy().copy() for name, weight in self.q.online.state_dict().items()}

    def take_weights(self, arrays: Arrays) -> None:
        """See `agent.learner.BatchLearner`."""
        self.q.online.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})

    def state(self) -> tuple[Arrays, Values]:
        """See `Learner`: all networks, the optimiser, and the replay memory."""
        self._updates.collect()
        held = {_REPLAY + key: array for key, array in self.replay.held().items()}
        values = {
            "updates": self.q.updates,
            "numbers": self.q.numbers,
            "appended": self.replay.appended,
            "replay": self._rng.bit_generator.state,
            "learned_games": self._learned_games,
        }
        return self.q.arrays() | held, values

    def restore(self, stored: Stored) -> None:
        """See `Learner`."""
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
        self._draw_with(generator(path, saved.replay))
        self.q.restore(arrays)
        self.q.updates, self.q.numbers = saved.updates, saved.numbers
        self._learned_games = saved.learned_games
        self.replay.restore(replay)

    def policy(self) -> Arrays:
        """Return the network that plays when exploring is frozen."""
        self._updates.wait()
        return to_arrays(self.q.average, AVERAGE)

    def take_policy(self, saved: SavedPolicy[DQNConfig]) -> None:
        """See `Learner`: all networks become this one, the replay memory stays."""
        from othello_lab.agent.dqn.policy import DQNPolicy

        saved.check_fits(self.config, self.policy())
        self._updates.collect()
        self.q.adopt(DQNPolicy(saved).network)
        self._publish()
