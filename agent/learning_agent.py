"""LearningAgent: what RL-Glue asks of an agent, answered for every learning method in the same way."""

import json
import logging
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import CheckpointError, Count, Stored, Values, differences, generator, typed
from othello_lab.agent.learner import Learner, Method, Options, Seeds
from othello_lab.agent.memory.recorder import Recorder
from othello_lab.agent.options import read_length
from othello_lab.agent.task import Task, check_request, fitting, read_position, read_task
from othello_lab.game.notation import PASS
from rlglue.messages import answer
from rlglue.types import Action, Observation

log = logging.getLogger("agent")
C = TypeVar("C")
L = TypeVar("L", bound=Learner)


class LearningAgent(Generic[C, L]):
    """Plays, explores, has its learner learn unless frozen, counts, saves and loads."""

    recorder: Recorder

    def __init__(
        self,
        method: Method[C, L],
        options: Options,
        seed: int = 0,
        size: int | None = None,
        directory: Path | None = None,
        device: str = "cpu",
    ) -> None:
        """`options` are those of the method; `size`, if given, must be the task's. Raises ValueError."""
        self.method, self.options, self.size, self.directory = method, options, size, directory
        self.task: Task | None = None
        self.plan_for(None)  # a wrong option is told now, not when a game starts
        self._make = method.load(device)
        explore, *own = np.random.SeedSequence(seed).spawn(3)
        self._explore_rng, self._seeds = np.random.default_rng(explore), Seeds(*own)
        self.learning = self.exploring = True
        self._in_episode = False
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
            "seed": lambda _: "message understood, the seed stays that of --seed",
        }

    def plan_for(self, episodes: int | None) -> None:
        """Have what follows the length of the run go by this many games; ValueError changes nothing."""
        self.config = self.method.configure(self.options, self.size or 8, episodes)
        self._schedule, self._episodes = self.method.schedule(self.config), episodes
        if self.task:
            self.learner.config = self.config

    def agent_init(self, task_spec: str) -> None:
        """Read the task; keep what was learned if there was an earlier run on the same board.

        Raises TaskError for a task that is no Othello or whose board is not this agent's or not for it.
        """
        task = read_task(task_spec, self.size, self.method.largest)
        self.size = task.size
        if self.task is None:
            with fitting(task.size):
                self.plan_for(self._episodes)
                self.learner = self._make(self.config, task.size, self._seeds)
        self.task = task
        self._record(task)

    def _record(self, task: Task) -> None:
        """Record games for the learner from here on."""
        self.recorder = self.learner.recorder(task)
        self.recorder.store(self.learning)
        self._begin()

    def _begin(self) -> None:
        """Forget the last game: it may have been cut off, and then no agent_end came."""
        self._in_episode = False
        self.recorder.begin()
        self.learner.begin(best=not self.exploring)

    def _plan_for(self, episodes: str) -> str:
        """Make the schedules for a run of this many games, but only before the first of them."""
        if self.steps or self.games:
            return "message understood, the schedules stay as they began"
        self.plan_for(read_length(episodes))
        return f"message understood, schedules for {episodes} games unless they are given"

    def agent_start(self, observation: Observation) -> Action:
        """Return the first action of a game; raises RequestError, as all three do, and changes nothing."""
        planes = read_position(observation, check_request(self.task).size)
        self._begin()
        self._in_episode = True
        return self._answer(planes)

    def agent_step(self, reward: float, observation: Observation) -> Action:
        """Return the next action."""
        task = check_request(self.task, reward)
        checked = self.method.finds_legal_moves or not self._in_episode
        planes = read_position(observation, task.size, checked)
        self.recorder.reward(reward)
        return self._answer(planes)

    def agent_end(self, reward: float) -> None:
        """Learn how the game ended."""
        task = check_request(self.task, reward)
        self.recorder.reward(reward)
        against_itself = self.recorder.has_two_sides
        total = self.recorder.end()
        self._in_episode = False
        if self.learning:
            self.games += 1
            self.learner.end(self.games)
        if total is not None and not against_itself:
            self._count_unbeaten(task.is_lost(total))

    def agent_cleanup(self) -> None:
        """Forget the game, keep what was learned; before the first agent_init there is neither."""
        if self.task is not None:
            self._begin()

    def agent_message(self, message: str) -> str:
        """Obey or answer a message; `help` lists them."""
        return answer(self._messages, message, "agent")

    def _answer(self, planes: NDArray[np.int32]) -> Action:
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
        action = self._choose(stack, legal)
        self.recorder.act(action)
        return action

    def _choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64]) -> int:
        if self.exploring and self._explore_rng.random() < self.epsilon:
            return int(legal[int(self._explore_rng.random() * len(legal))])
        return self.learner.choose(stack, legal, self._explore_rng)

    @property
    def epsilon(self) -> float:
        """The share of random moves now."""
        if not self.exploring:
            return 0.0
        schedule = self._schedule
        epsilon = schedule.epsilon(self.steps if schedule.clock == "steps" else self.games)
        opening = 0 < self.recorder.decisions <= schedule.opening_moves
        return max(epsilon, schedule.opening_epsilon) if opening else epsilon

    def _count_unbeaten(self, lost: bool) -> None:
        """Stop for good after enough games in a row without a loss, where so configured."""
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
        """Return the numbers worth watching, and what is frozen."""
        told: dict[str, float] = {"learning": self.learning, "exploring": self.exploring}
        if self.task:
            told |= {"steps": self.steps, "epsilon": self.epsilon, **self.learner.numbers}
        return told

    def describe(self) -> dict[str, object]:
        """Return the configuration; once the task is known, all of it and the text that names the agent."""
        own = {"text": self.method.text(self.options), **asdict(self.config)} if self.task else self.options  # type: ignore[call-overload]  # a dataclass
        return {"agent": self.method.name, **own}

    def save(self, name: str) -> Path:
        """Write all that a resume needs; raises CheckpointError."""
        path = self._path(name)
        arrays, values = self.learner.state()
        own: Values = {counter: getattr(self, counter) for counter in COUNTERS}
        own["explore"] = self._explore_rng.bit_generator.state
        checkpoint.save(path, self.method.name, arrays, {**values, **own, **self._identity()})
        return path

    def save_policy(self, name: str) -> Path:
        """Write what plays when exploring is frozen; raises CheckpointError."""
        path = self._path(name)
        checkpoint.save(path, self.method.name, self.learner.policy(), self._identity())
        return path

    def _identity(self) -> Values:
        return {"size": self.size, "config": asdict(self.config)}  # type: ignore[call-overload]  # a dataclass

    def load(self, name: str) -> Path:
        """Become all that `save` wrote; raises CheckpointError and then leaves everything as it was."""
        stored = checkpoint.load(self._path(name), self.method.name)
        self._restore(stored, self._task())
        return stored.path

    def _restore(self, stored: Stored, task: Task) -> None:
        config = self.method.read(stored, task.size).config
        check_config(stored.path, config, self.config, self.method.following(self.options))
        saved, explore = own_values(stored)
        learner = self._make(config, task.size, self._seeds)
        learner.restore(stored)
        self.config, self._schedule = config, self.method.schedule(config)
        self._explore_rng, self.learner = explore, learner
        for name in COUNTERS:
            setattr(self, name, getattr(saved, name))
        self._record(task)

    def load_policy(self, name: str) -> Path:
        """Play, and learn on, with the policy of a checkpoint; raises CheckpointError."""
        stored = checkpoint.load(self._path(name), self.method.name)
        self.learner.take_policy(self.method.read(stored, self._task().size))
        self._begin()
        return stored.path

    def _path(self, name: str) -> Path:
        self._task()
        return checkpoint.path_of(self.directory, name)

    def _task(self) -> Task:
        if self.task is None:
            raise CheckpointError("nothing can be saved or loaded before agent_init")
        return self.task


class Saved(msgspec.Struct):
    """The agent's own values in a checkpoint that holds all that a resume needs."""

    steps: Count
    games: Count
    unbeaten: Count
    done: bool
    learning: bool
    exploring: bool
    explore: dict[str, Any]
    """The random state that moves are explored with."""


COUNTERS = tuple(name for name in Saved.__struct_fields__ if name != "explore")
"""The agent's fields that are saved as they are."""
_POLICY = {"size", "config"}
"""All values of a checkpoint that holds a policy only."""


def own_values(stored: Stored) -> tuple[Saved, np.random.Generator]:
    """Return the agent's own values and what it explores with; raises CheckpointError."""
    if stored.values.keys() <= _POLICY:
        raise CheckpointError(f"{stored.path} holds a policy only: load_policy takes it")
    saved = typed(stored.path, stored.values, Saved)
    return saved, generator(stored.path, saved.explore)


def check_config(path: Path, found: C, own: C, following: Iterable[str]) -> None:
    """Raise CheckpointError if a configuration of a checkpoint is not the agent's own.

    What follows the length of the run may differ.
    """
    follow = {name: getattr(own, name) for name in following}
    if replace(found, **follow) != own:  # type: ignore[type-var]  # a dataclass
        raise CheckpointError(f"{path} is of an agent with other options: {differences(found, own)}")
