"""DQNAgent: what RL-Glue asks of an agent, answered by a Q-network that learns."""

import copy
import json
import logging
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from agent import checkpoint
from agent.checkpoint import CheckpointError
from agent.dqn import saving
from agent.dqn.config import DQNConfig, configure
from agent.dqn.learner import Learner
from agent.dqn.length import LENGTH, following
from agent.dqn.network import best_square
from agent.dqn.updates import Updates
from agent.memory.priorities import make_replay
from agent.memory.recorder import Recorder
from agent.memory.replay import Replay
from agent.task import Task, read_task
from game.notation import PASS
from rlglue.messages import answer
from rlglue.types import Action, Observation

log = logging.getLogger("agent")


class DQNAgent:
    """Learns from every step unless frozen: see, remember, start to learn every so often, act.

    An update runs beside the play. Its outcome is taken at the next update, when a game starts, and before
    whatever asks for it (freezing, saving): what the agent does depends on the configuration and never on how
    fast anybody is. Until then a copy of the network plays.
    """

    def __init__(
        self, options: dict[str, str], seed: int = 0, size: int | None = None, directory: Path | None = None
    ) -> None:
        """`options` are those of `configure`; `size`, if given, must be the task's. Raises ValueError."""
        configure(options, size or 8)  # a wrong option is told now, not when a game starts
        self.options, self.size, self.directory = options, size, directory
        self._episodes = LENGTH
        explore, replay, weights = np.random.SeedSequence(seed).spawn(3)
        self.explore_rng, self.replay_rng = np.random.default_rng(explore), np.random.default_rng(replay)
        self._weights_seed = int(weights.generate_state(1)[0])
        self.task: Task | None = None
        self.learning = self.exploring = True
        self.done = False  # it froze itself for good; messages do not change that
        self.steps = self.games = self.unbeaten = 0
        self._messages = {
            "freeze learning": lambda _: self._switch(learning=False),
            "unfreeze learning": lambda _: self._switch(learning=True),
            "freeze exploring": lambda _: self._switch(exploring=False),
            "unfreeze exploring": lambda _: self._switch(exploring=True),
            "save_policy": lambda name: f"message understood, saved {self.save_policy(name)}",
            "load_policy": lambda name: f"message understood, loaded {self.load_policy(name)}",
            "save": lambda name: f"message understood, saved {self.save(name)}",
            "load": lambda name: f"message understood, loaded {self.load(name)}",
            "remove": lambda name: f"message understood, removed {checkpoint.remove(self._path(name))}",
            "stats": lambda _: json.dumps(self.stats()),
            "config": lambda _: json.dumps(self.describe()),
            "episodes": self._plan_for,
        }

    def agent_init(self, task_spec: str) -> None:
        """Read the task; keep what was learned if there was an earlier run on the same board.

        Raises TaskError for a task that is no Othello or whose board is not this agent's.
        """
        task = read_task(task_spec, self.size)
        if self.task is None:
            self._build(configure(self.options, task.size, self._episodes), task)
        elif self.config.gamma is None:
            self.gamma = task.gamma
            self.recorder.gamma = task.gamma
        self.size, self.task = task.size, task
        self._begin()

    def _build(self, config: DQNConfig, task: Task) -> None:
        self.config, self.gamma = config, task.gamma if config.gamma is None else config.gamma
        self.adopt(Learner(config, task.size, self._weights_seed), make_replay(config, task.size))

    def adopt(self, learner: Learner, replay: Replay) -> None:
        """Go on with this learner and this memory; the game so far is forgotten."""
        if self.task:
            self._updates.collect()
        self.learner, self.replay = learner, replay
        self._updates: Updates = Updates(self.config, learner, replay, self.replay_rng)
        self.recorder: Recorder = Recorder(replay, self.gamma, self.config.negamax)
        self.recorder.store(self.learning)
        self._actor = copy.deepcopy(learner.online)

    def _begin(self) -> None:
        """Forget the last game: it may have been cut off, and then no agent_end came."""
        self.recorder.begin()
        self._publish()

    def _plan_for(self, episodes: str) -> str:
        """Make the schedules for a run of so many games, but only before the first of them."""
        if self.steps or self.games:
            return "message understood, the schedules stay as they began"
        configure({**self.options, "episodes": episodes}, self.size or 8)
        self._episodes = int(episodes)
        if self.task:
            self.config = configure(self.options, self.task.size, self._episodes)
        return f"message understood, schedules for {episodes} games unless they are given"

    def agent_start(self, observation: Observation) -> Action:
        """Return the first action of a game."""
        self._begin()
        return self._answer(observation)

    def agent_step(self, reward: float, observation: Observation) -> Action:
        """Return the next action."""
        self.recorder.reward(reward)
        return self._answer(observation)

    def agent_end(self, reward: float) -> None:
        """Learn how the game ended."""
        self.recorder.reward(reward)
        against_itself = self.recorder.has_two_sides
        total = self.recorder.end()
        if self.learning:
            self.games += 1
            self._tick("games", self.games)
        if total is not None and not against_itself:
            self._count_unbeaten(total)

    def agent_cleanup(self) -> None:
        """Forget the game, keep what was learned; before the first agent_init there is neither."""
        if self.task is not None:
            self._begin()

    def agent_message(self, message: str) -> str:
        """Obey or answer a message; `help` lists them."""
        return answer(self._messages, message, "agent")

    def _answer(self, observation: Observation) -> Action:
        planes = np.asarray(observation.intArray, np.int32)
        self.recorder.see(planes)
        squares = self.replay.squares
        legal = np.flatnonzero(planes[2 * squares : 3 * squares])
        action = Action()
        action.intArray = [self._decide(planes, legal) if len(legal) else PASS]
        return action

    def _decide(self, planes: NDArray[np.int32], legal: NDArray[np.int64]) -> int:
        stack = self.recorder.decide(planes)
        if self.learning:
            self.steps += 1
            self._tick("steps", self.steps)
        action = self._choose(stack, legal)
        self.recorder.act(action)
        return action

    def _tick(self, clock: str, tick: int) -> None:
        """Take the outcome of the last update and start the next one, if it is time for that."""
        config = self.config
        if clock == config.clock and tick > config.warm_up and tick % config.update_every == 0:
            self._publish()
            self._updates.start()

    @torch.no_grad()
    def _publish(self) -> None:
        """Play with what has been learned so far, from here on."""
        self._updates.collect()
        source = self.learner.online if self.exploring else self.learner.average
        torch._foreach_copy_(list(self._actor.parameters()), list(source.parameters()))

    def _choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64]) -> int:
        if self.exploring and self.explore_rng.random() < self.epsilon:
            return int(legal[int(self.explore_rng.random() * len(legal))])
        return best_square(self._actor, stack, self.replay.squares, self.config.symmetric_play)

    @property
    def epsilon(self) -> float:
        """The share of random moves now."""
        if not self.exploring:
            return 0.0
        epsilon = self.config.epsilon(self.steps if self.config.clock == "steps" else self.games)
        opening = 0 < self.recorder.decisions <= self.config.opening_moves
        return max(epsilon, self.config.opening_epsilon) if opening else epsilon

    @property
    def schedules(self) -> dict[str, Any]:
        """What the length of the run has made of the configuration; a checkpoint brings its own."""
        return {name: getattr(self.config, name) for name in following(self.options)}

    def _count_unbeaten(self, reward: float) -> None:
        """Stop for good after enough games in a row without a loss, where so configured."""
        assert self.task is not None  # noqa: S101  a game follows agent_init
        self.unbeaten = 0 if reward <= self.task.loss else self.unbeaten + 1
        if 0 < self.config.freeze_after_wins <= self.unbeaten:
            log.info("%d games in a row without a loss: learning and exploring end here", self.unbeaten)
            self.done = True
            self._switch(learning=False, exploring=False)

    def _switch(self, *, learning: bool | None = None, exploring: bool | None = None) -> str:
        if exploring is not None:
            self.exploring = exploring and not self.done
        if learning is not None:
            self.learning = learning and not self.done
        if self.task:
            self.recorder.store(self.learning)
            self._publish()
        return f"message understood, learning {self.learning}, exploring {self.exploring}".lower()

    def stats(self) -> dict[str, float]:
        """Return the numbers worth watching, and what is frozen."""
        state = {"learning": self.learning, "exploring": self.exploring}
        if self.task is None:
            return {**state}
        self._updates.wait()
        counts = {"steps": self.steps, "updates": self.learner.updates, "replay": len(self.replay)}
        return {**state, **counts, "epsilon": self.epsilon, **self.learner.numbers}

    def describe(self) -> dict[str, object]:
        """Return the configuration."""
        return {"agent": "dqn", **(asdict(self.config) if self.task else self.options)}

    def save(self, name: str) -> Path:
        """Write all that a resume needs; raises CheckpointError."""
        path = self._path(name)
        self._updates.collect()
        checkpoint.save(path, saving.KIND, *saving.everything(self))
        return path

    def save_policy(self, name: str) -> Path:
        """Write the network that plays when exploration is frozen; raises CheckpointError."""
        path = self._path(name)
        self._updates.wait()
        checkpoint.save(path, saving.KIND, *saving.policy(self))
        return path

    def load(self, name: str) -> Path:
        """Take up all that `save` wrote; raises CheckpointError and then leaves everything as it was."""
        path = self._path(name)
        saving.restore(self, path)
        self._begin()
        return path

    def load_policy(self, name: str) -> Path:
        """Play, and learn on, with the network of a checkpoint; raises CheckpointError."""
        path = self._path(name)
        self._updates.collect()
        saving.take_policy(self, path)
        self._publish()
        return path

    def _path(self, name: str) -> Path:
        if self.task is None:
            raise CheckpointError("nothing can be saved or loaded before agent_init")
        return checkpoint.path_of(self.directory, name)
