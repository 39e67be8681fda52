"""DQNAgent: what RL-Glue asks of an agent, answered by a Q-network that learns."""

import json
import logging
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent import checkpoint
from agent.checkpoint import CheckpointError
from agent.dqn.config import DQNConfig, configure
from agent.dqn.frames import Frame, FrameStack, pack
from agent.dqn.learner import Learner
from agent.dqn.network import best_square, network_weights
from agent.dqn.replay import Replay
from agent.messages import answer
from agent.task import Task, read_task
from game.notation import PASS
from rlglue.types import Action, Observation

log = logging.getLogger("agent")


class DQNAgent:
    """Learns from every step unless frozen: observe, remember, learn every so often, act.

    What stands in replay leads from one decision of this side to its next, so its discount is +gamma, and 0
    at the end of the game. A forced pass is no decision: it is answered with -1 and stored nowhere.
    """

    def __init__(
        self, options: dict[str, str], seed: int = 0, size: int | None = None, directory: Path | None = None
    ) -> None:
        """`options` are those of `configure`; `size`, if given, must be the task's. Raises ValueError."""
        configure(options, size or 8)  # a wrong option is told now, not when a game starts
        self.options, self.size, self.directory = options, size, directory
        explore, replay, weights = np.random.SeedSequence(seed).spawn(3)
        self._explore, self._replay_rng = np.random.default_rng(explore), np.random.default_rng(replay)
        self._weights_seed = int(weights.generate_state(1)[0])
        self.task: Task | None = None
        self.learning = self.exploring = True
        self.done = False  # it froze itself for good; messages do not change that
        self.steps = self.unbeaten = 0
        self._messages = {
            "freeze learning": lambda _: self._switch(learning=False),
            "unfreeze learning": lambda _: self._switch(learning=True),
            "freeze exploring": lambda _: self._switch(exploring=False),
            "unfreeze exploring": lambda _: self._switch(exploring=True),
            "save_policy": lambda name: f"message understood, saved {self.save_policy(name)}",
            "load_policy": lambda name: f"message understood, loaded {self.load_policy(name)}",
            "save": lambda name: f"message understood, saved {self.save(name)}",
            "load": lambda name: f"message understood, loaded {self.load(name)}",
            "stats": lambda _: json.dumps(self.stats()),
            "config": lambda _: json.dumps(self.describe()),
        }

    def agent_init(self, task_spec: str) -> None:
        """Read the task; keep what was learned if there was an earlier run on the same board.

        Raises TaskError for a task that is no Othello or whose board is not this agent's.
        """
        task = read_task(task_spec, self.size)
        if self.task is None:
            self._build(configure(self.options, task.size), task)
        self.size, self.task = task.size, task
        self._begin()

    def _build(self, config: DQNConfig, task: Task) -> None:
        squares = task.size * task.size
        self.config = config
        self.gamma = task.gamma if config.gamma is None else config.gamma
        self.learner = Learner(config, task.size, self._weights_seed)
        self.replay = Replay(config.replay, config.frames, squares)
        self.stack = FrameStack(config.frames, squares)

    def _begin(self) -> None:
        """Forget the last game: it may have been cut off, and then no agent_end came."""
        self.stack.clear()
        self._reward = 0.0
        self._pending: int | None = None  # what was done in replay's newest decision, if that is incomplete

    def agent_start(self, observation: Observation) -> Action:
        """Return the first action of a game."""
        self._begin()
        return self._answer(observation)

    def agent_step(self, reward: float, observation: Observation) -> Action:
        """Return the next action."""
        self._reward += reward
        return self._answer(observation)

    def agent_end(self, reward: float) -> None:
        """Learn how the game ended."""
        self._reward += reward
        if self._pending is not None:
            self.replay.complete(self._pending, self._reward, discount=0.0)
            self._count_unbeaten(self._reward)
        self._begin()

    def agent_cleanup(self) -> None:
        """Forget the game, keep what was learned."""
        self._begin()

    def agent_message(self, message: str) -> str:
        """Obey or answer a message; `help` lists them."""
        return answer(self._messages, message)

    def _answer(self, observation: Observation) -> Action:
        planes = np.asarray(observation.intArray, np.int32)
        squares = len(planes) // 4
        legal = np.flatnonzero(planes[2 * squares : 3 * squares])
        action = Action()
        action.intArray = [self._decide(planes, legal) if len(legal) else PASS]
        return action

    def _decide(self, planes: NDArray[np.int32], legal: NDArray[np.int64]) -> int:
        frame = pack(planes)
        self.stack.push(frame)
        if self.learning:
            self._remember(frame)
            self.steps += 1
            self._learn()
        action = self._choose(legal)
        self._pending = action if self.learning else None
        self._reward = 0.0
        return action

    def _remember(self, frame: Frame) -> None:
        """Complete the last decision, since another one follows, and open this one."""
        if self._pending is not None:
            self.replay.complete(self._pending, self._reward, self.gamma)
        self.replay.append(frame, first=self._pending is None)

    def _learn(self) -> None:
        if self.steps > self.config.warm_up and self.steps % self.config.update_every == 0:
            self.learner.update(self.replay.sample(self.config.batch, self._replay_rng), self._replay_rng)

    def _choose(self, legal: NDArray[np.int64]) -> int:
        if self.exploring and self._explore.random() < self.epsilon:
            return int(legal[int(self._explore.random() * len(legal))])
        network = self.learner.online if self.exploring else self.learner.average
        return best_square(network, self.stack.array(), self.replay.squares)

    @property
    def epsilon(self) -> float:
        """The share of random moves now."""
        return self.config.epsilon(self.steps) if self.exploring else 0.0

    def _count_unbeaten(self, reward: float) -> None:
        """Stop for good after enough games in a row without a loss, where so configured."""
        assert self.task is not None  # noqa: S101  a game follows agent_init
        self.unbeaten = 0 if reward <= self.task.loss else self.unbeaten + 1
        if 0 < self.config.freeze_after_wins <= self.unbeaten:
            log.info("%d games in a row without a loss: learning and exploring end here", self.unbeaten)
            self.done, self.learning, self.exploring = True, False, False

    def _switch(self, *, learning: bool | None = None, exploring: bool | None = None) -> str:
        if exploring is not None:
            self.exploring = exploring and not self.done
        learns = self.learning if learning is None else learning and not self.done
        if learns != self.learning:
            self.learning = learns
            self._pending = None  # what happens from here on is not the outcome of a stored decision
        return f"message understood, learning {self.learning}, exploring {self.exploring}".lower()

    def stats(self) -> dict[str, float]:
        """Return the numbers worth watching."""
        if self.task is None:
            return {}
        return {
            "steps": self.steps,
            "updates": self.learner.updates,
            "replay": len(self.replay),
            "epsilon": self.epsilon,
            **self.learner.numbers,
        }

    def describe(self) -> dict[str, object]:
        """Return the configuration."""
        return {"agent": "dqn", **(asdict(self.config) if self.task else self.options)}

    def save(self, name: str) -> Path:
        """Write all that a resume needs; raises CheckpointError."""
        arrays = self.learner.arrays() | {f"replay.{key}": array for key, array in self.replay.arrays.items()}
        return self._write(name, arrays, self._counters())

    def save_policy(self, name: str) -> Path:
        """Write the network that plays when exploration is frozen; raises CheckpointError."""
        weights = self.learner.average.state_dict()
        return self._write(name, {f"average.{key}": value.numpy() for key, value in weights.items()}, {})

    def load(self, name: str) -> Path:
        """Take up all that `save` wrote; raises CheckpointError and then leaves everything as it was."""
        path, arrays, values = self._read(name)
        if values["config"] != json.loads(json.dumps(asdict(self.config))):
            raise CheckpointError(f"{path} is of an agent with other options: {values['config']}")
        if "appended" not in values:
            raise CheckpointError(f"{path} holds a policy only: load_policy takes it")
        self.learner.restore({key: array for key, array in arrays.items() if not key.startswith("replay.")})
        for key, array in self.replay.arrays.items():
            array[:] = arrays[f"replay.{key}"]
        self._set_counters(values)
        self._begin()
        return path

    def load_policy(self, name: str) -> Path:
        """Play, and learn on, with the network of a checkpoint; raises CheckpointError."""
        path, arrays, _ = self._read(name)
        self.learner.adopt(network_weights(arrays))
        return path

    def _read(self, name: str) -> tuple[Path, checkpoint.Arrays, checkpoint.Values]:
        if self.task is None:
            raise CheckpointError("nothing can be loaded before agent_init")
        path = checkpoint.path_of(self.directory, name)
        arrays, values = checkpoint.load(path)
        if "config" not in values:
            raise CheckpointError(f"{path} is not of a dqn agent")
        if values["size"] != self.size:
            found = f"{values['size']}x{values['size']}"
            raise CheckpointError(f"{path} is for {found} boards, this game is {self.size}x{self.size}")
        return path, arrays, values

    def _write(self, name: str, arrays: checkpoint.Arrays, values: checkpoint.Values) -> Path:
        if self.task is None:
            raise CheckpointError("there is nothing to save before agent_init")
        path = checkpoint.path_of(self.directory, name)
        checkpoint.save(path, arrays, {**values, "size": self.size, "config": asdict(self.config)})
        return path

    def _counters(self) -> checkpoint.Values:
        return {
            "steps": self.steps,
            "unbeaten": self.unbeaten,
            "updates": self.learner.updates,
            "numbers": self.learner.numbers,
            "appended": self.replay.appended,
            "done": self.done,
            "learning": self.learning,
            "exploring": self.exploring,
            "explore": self._explore.bit_generator.state,
            "replay": self._replay_rng.bit_generator.state,
        }

    def _set_counters(self, values: checkpoint.Values) -> None:
        self.steps, self.unbeaten = values["steps"], values["unbeaten"]
        self.done, self.learning, self.exploring = values["done"], values["learning"], values["exploring"]
        self.learner.updates, self.learner.numbers = values["updates"], values["numbers"]
        self.replay.appended = values["appended"]
        self._explore.bit_generator.state = values["explore"]
        self._replay_rng.bit_generator.state = values["replay"]
