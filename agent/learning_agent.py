"""`LearningAgent`, the RL-Glue agent of all learning methods."""

import json
import logging
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import CheckpointError, Count, Values
from othello_lab.agent.learner import Method, Options, Seeds
from othello_lab.agent.memory.recorder import Recorder
from othello_lab.agent.options import read_length
from othello_lab.agent.task import Task, TaskError, check_request, read_position, read_task
from othello_lab.game.notation import PASS
from rlglue.messages import answer
from rlglue.types import Action, Observation

log = logging.getLogger("agent")


class Saved(msgspec.Struct):
    """The agent's values in a full checkpoint, without the learner's values."""

    steps: Count
    games: Count
    unbeaten: Count
    done: bool
    learning: bool
    exploring: bool
    explore: dict[str, Any]  # The state of the generator that draws random moves.


# The attributes of the agent in a checkpoint, stored without conversion.
_COUNTERS = tuple(name for name in Saved.__struct_fields__ if name != "explore")


class LearningAgent:
    """An RL-Glue agent with a learner. It makes random moves, counts games, and saves and loads."""

    recorder: Recorder
    learner: Any  # The `Learner`. The first `agent_init` makes it.

    def __init__(
        self,
        method: Method,
        options: Options,
        seed: int = 0,
        size: int | None = None,
        directory: Path | None = None,
        device: str = "cpu",
    ) -> None:
        """`size` is the board size, or None for any size. Raises ValueError for a wrong option."""
        self.method, self.options, self.size, self.directory = method, options, size, directory
        self.task: Task | None = None
        self.plan_for(None)  # checks the options before a game starts
        self._make = method.load(self.config, device)
        explore, draws, weights = np.random.SeedSequence(seed).spawn(3)
        self._explore_rng, self._seeds = np.random.default_rng(explore), Seeds(draws, weights)
        self.learning = self.exploring = True
        self._in_episode = False
        self.done = False  # True after `freeze_after_wins` games. Then no message can unfreeze the agent.
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
            "episodes": self._set_episodes,
            "seed": lambda _: "message understood, the seed stays that of --seed",
        }

    def plan_for(self, episodes: int | None) -> None:
        """Set the schedules for a run of `episodes` games. A ValueError changes nothing."""
        self.config = self.method.configure(self.options, self.size or 8, episodes)
        self._schedule, self._episodes = self.method.schedule(self.config), episodes
        if self.task:
            self.learner.config = self.config

    def agent_init(self, task_spec: str) -> None:
        """Read the task. A second call keeps what the learner has learned. Raises TaskError."""
        task = read_task(task_spec, self.size, self.method.largest)
        self.size = task.size
        if self.task is None:
            try:
                self.plan_for(self._episodes)
                self.learner = self._make(self.config, task.size, self._seeds)
            except ValueError as error:
                raise TaskError(f"this agent does not play on {task.size}x{task.size}: {error}") from None
        self.task = task
        self._record(task)

    def _record(self, task: Task) -> None:
        self.recorder = self.learner.recorder(task)
        self.recorder.store(self.learning)
        self._begin()

    def _begin(self) -> None:
        """Forget the last game, which may have stopped without `agent_end`."""
        self._in_episode = False
        self.recorder.begin()
        self.learner.begin(best=not self.exploring)

    def _set_episodes(self, episodes: str) -> str:
        """Set the schedules for a run of `episodes` games. A no-op after learning has begun."""
        if self.steps or self.games:
            return "message understood, the schedules stay as they began"
        self.plan_for(read_length(episodes))
        return f"message understood, schedules for {episodes} games unless they are given"

    def agent_start(self, observation: Observation) -> Action:
        """Return the first action of a game. An invalid call raises RequestError and changes nothing."""
        planes = read_position(observation, check_request(self.task).size)
        self._begin()
        self._in_episode = True
        return self._act(planes)

    def agent_step(self, reward: float, observation: Observation) -> Action:
        """Return the next action. An invalid call raises RequestError and changes nothing."""
        task = check_request(self.task, reward)
        checked = self.method.finds_legal_moves or not self._in_episode
        planes = read_position(observation, task.size, checked)
        self.recorder.reward(reward)
        return self._act(planes)

    def agent_end(self, reward: float) -> None:
        """Learn from the end of a game. An invalid call raises RequestError and changes nothing."""
        task = check_request(self.task, reward)
        self.recorder.reward(reward)
        is_selfplay = self.recorder.has_two_sides
        total = self.recorder.end()
        self._in_episode = False
        if self.learning:
            self.games += 1
            self.learner.end(self.games)
        if total is not None and not is_selfplay:
            self._count_unbeaten(task.is_lost(total))

    def agent_cleanup(self) -> None:
        """Forget the current game, but not what the learner has learned."""
        if self.task is not None:
            self._begin()

    def agent_message(self, message: str) -> str:
        """Handle a message and return the answer. The message `help` lists all messages."""
        return answer(self._messages, message, "agent")

    def _act(self, planes: NDArray[np.int32]) -> Action:
        self.recorder.see(planes)
        legal = np.flatnonzero(planes.reshape(4, -1)[2])
        action = Action()
        action.intArray = [self._decide(planes, legal) if len(legal) else PASS]
        return action

    def _decide(self, planes: NDArray[np.int32], legal: NDArray[np.int64]) -> int:
        stack = self.recorder.decide(planes)
        if self.learning:
            self.steps += 1
            self.learner.step(self.steps)
        if self.exploring and self._explore_rng.random() < self.epsilon:
            action = int(legal[int(self._explore_rng.random() * len(legal))])
        else:
            action = self.learner.choose(stack, legal, self._explore_rng)
        self.recorder.act(action)
        return action

    @property
    def epsilon(self) -> float:
        """The current probability of a random move."""
        if not self.exploring:
            return 0.0
        schedule = self._schedule
        epsilon = schedule.epsilon(self.steps if schedule.clock == "steps" else self.games)
        opening = 0 < self.recorder.decisions <= schedule.opening_moves
        return max(epsilon, schedule.opening_epsilon) if opening else epsilon

    def _count_unbeaten(self, lost: bool) -> None:
        self.unbeaten = 0 if lost else self.unbeaten + 1
        if 0 < self._schedule.freeze_after_wins <= self.unbeaten:
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
            self.learner.begin(best=not self.exploring)
        return f"message understood, learning {self.learning}, exploring {self.exploring}".lower()

    def stats(self) -> dict[str, float]:
        """Return numbers for the log. `learning` and `exploring` are False while they are frozen."""
        stats: dict[str, float] = {"learning": self.learning, "exploring": self.exploring}
        if self.task:
            stats |= {"steps": self.steps, "epsilon": self.epsilon, **self.learner.numbers}
        return stats

    def describe(self) -> dict[str, object]:
        """Return the configuration, or only the user's options before the first `agent_init`."""
        config = (
            {"text": self.method.text(self.options), **asdict(self.config)} if self.task else self.options
        )
        return {"agent": self.method.name, **config}

    def save(self, name: str) -> Path:
        """Write a full checkpoint for resuming. Raises CheckpointError on failure."""
        path = self._path(name)
        arrays, values = self.learner.state()
        values |= {counter: getattr(self, counter) for counter in _COUNTERS}
        values["explore"] = self._explore_rng.bit_generator.state
        checkpoint.save(path, self.method.name, arrays, {**values, **self._identity()})
        return path

    def save_policy(self, name: str) -> Path:
        """Write the policy that plays while exploring is frozen. Raises CheckpointError on failure."""
        path = self._path(name)
        checkpoint.save(path, self.method.name, self.learner.policy(), self._identity())
        return path

    def _identity(self) -> Values:
        return {"size": self.size, "config": asdict(self.config)}

    def load(self, name: str) -> Path:
        """Restore the state that `save` wrote. A CheckpointError changes nothing."""
        stored, task = checkpoint.load(self._path(name), self.method.name), self._task()
        self.method.open(stored, task.size)  # checks the arrays of the policy
        config = checkpoint.config_of(stored, task.size, type(self.config))
        follow = {name: getattr(self.config, name) for name in self.method.follows_length(self.options)}
        if replace(config, **follow) != self.config:
            options = checkpoint.differences(config, self.config)
            raise CheckpointError(f"{stored.path} is of an agent with other options: {options}")
        if "explore" not in stored.values:
            raise CheckpointError(f"{stored.path} holds a policy only: load_policy takes it")
        saved = checkpoint.typed(stored.path, stored.values, Saved)
        explore = checkpoint.generator(stored.path, saved.explore)
        learner = self._make(config, task.size, self._seeds)
        learner.restore(stored)
        self.config, self._schedule = config, self.method.schedule(config)
        self._explore_rng, self.learner = explore, learner
        for counter in _COUNTERS:
            setattr(self, counter, getattr(saved, counter))
        self._record(task)
        return stored.path

    def load_policy(self, name: str) -> Path:
        """Replace the policy with the policy of a checkpoint, and continue to learn from it."""
        stored = checkpoint.load(self._path(name), self.method.name)
        self.learner.take_policy(self.method.open(stored, self._task().size))
        self._begin()
        return stored.path

    def _path(self, name: str) -> Path:
        self._task()
        return checkpoint.path_of(self.directory, name)

    def _task(self) -> Task:
        if self.task is None:
            raise CheckpointError("nothing can be saved or loaded before agent_init")
        return self.task
