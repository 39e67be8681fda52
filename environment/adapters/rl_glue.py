"""Bridges between RL-Glue and Gymnasium, both ways, for any environment whose values are numbers."""

import json
from collections.abc import Iterable
from itertools import groupby
from typing import Any

import gymnasium
import numpy as np
from gymnasium import Space, spaces
from numpy.typing import ArrayLike, NDArray

from rlglue import messages, taskspec
from rlglue.glue import EnvironmentLike
from rlglue.taskspec import Bound, Range, Special, TaskSpec
from rlglue.types import Action, Observation, Reward_observation_terminal, RL_Abstract_Type


class WrongNumbersError(ValueError):
    """An action or an observation that does not have the numbers that its space asks for."""


def ranges_of(space: Space[Any]) -> taskspec.Space:
    """Return a space of numbers as the task specification tells it; raise ValueError for any other space.

    Discrete, MultiDiscrete, MultiBinary and Boxes of whole numbers are ints, other Boxes doubles.
    """
    bounds = groupby(_bounds(space))
    found = tuple(Range(_bound(low), _bound(high), len([*equal])) for (low, high), equal in bounds)
    return taskspec.Space(ints=found) if _is_whole(space) else taskspec.Space(doubles=found)


def space_of(ranges: taskspec.Space) -> Space[Any]:
    """Return ranges as a space: one int as Discrete, other ints and doubles as a Box of one dimension.

    Raises ValueError where there are both, none, or chars.
    """
    if ranges.charcount or bool(ranges.ints) == bool(ranges.doubles):
        raise ValueError(f"{str(ranges) or 'nothing'!r} is no space of ints alone or of doubles alone")
    single = ranges.ints[0] if ranges.int_count == 1 else None
    if single and isinstance(single.low, int) and isinstance(single.high, int):
        return spaces.Discrete(single.high - single.low + 1, start=single.low)
    numbers = [item for item in ranges.ints or ranges.doubles for _ in range(item.count)]
    dtype = np.int32 if ranges.ints else np.float64
    return spaces.Box(_limits(numbers, -1, dtype), _limits(numbers, 1, dtype), dtype=dtype)


def write_value(value: ArrayLike, space: Space[Any], into: RL_Abstract_Type) -> None:
    """Put a value of a space into an action or an observation.

    Raises WrongNumbersError for whole numbers beyond those of RL-Glue, of 32 bits.
    """
    numbers = np.asarray(value).ravel()
    if _is_whole(space):
        into.intArray = numbers.astype(np.int32)
        if not np.array_equal(into.intArray, numbers):
            raise WrongNumbersError(f"{numbers.tolist()} does not fit into numbers of 32 bits")
    else:
        into.doubleArray = numbers.astype(np.float64)


def read_value(source: RL_Abstract_Type, space: Space[Any]) -> Any:  # noqa: ANN401  whatever is in the space
    """Return the value of a space that an action or an observation holds.

    Raises WrongNumbersError for another count of numbers, and for whole ones that are not in the space.
    """
    numbers: NDArray[Any] = np.asarray(source.intArray if _is_whole(space) else source.doubleArray)
    shape, dtype = space.shape or (), space.dtype
    if numbers.size != np.prod(shape, dtype=int):
        raise WrongNumbersError(f"there are {numbers.size} numbers in {source}, expected those of {space}")
    value = numbers.reshape(shape).astype(dtype)
    if _is_whole(space) and not (space.contains(value) and np.array_equal(value.ravel(), numbers)):
        raise WrongNumbersError(f"{numbers.tolist()} is not in {space}")
    return dtype.type(value) if isinstance(space, spaces.Discrete) and dtype else value


def _bounds(space: Space[Any]) -> Iterable[tuple[float, float]]:
    """Return the lowest and the highest value of each number of a space."""
    if isinstance(space, spaces.Discrete):
        return [(int(space.start), int(space.start + space.n - 1))]
    if isinstance(space, spaces.MultiDiscrete):
        first = space.start.ravel()
        return zip(first.tolist(), (first + space.nvec.ravel() - 1).tolist(), strict=True)
    if isinstance(space, spaces.MultiBinary):
        return [(0, 1)] * int(np.prod(space.shape))
    if isinstance(space, spaces.Box):
        return zip(space.low.ravel().tolist(), space.high.ravel().tolist(), strict=True)
    raise ValueError(
        f"RL-Glue cannot tell of {space}: expected Discrete, MultiDiscrete, MultiBinary or Box, such as from "
        "gymnasium.wrappers.FlattenObservation"
    )


def _is_whole(space: Space[Any]) -> bool:
    return not (isinstance(space, spaces.Box) and space.dtype.kind == "f")


def _bound(number: float) -> Bound:
    if np.isinf(number):
        return Special.POSINF if number > 0 else Special.NEGINF
    return number


def _limits(numbers: list[Range], side: int, dtype: type[np.generic]) -> NDArray[Any]:
    """Return the lower (-1) or upper (1) bounds; without one it is infinite, or the widest of an int."""
    widest = float(np.iinfo(np.int32).max) if dtype is np.int32 else np.inf
    bounds = [item.low if side < 0 else item.high for item in numbers]
    return np.array([side * widest if isinstance(bound, Special) else bound for bound in bounds], dtype)


class RLGlueEnv(gymnasium.Env[Any, Any]):
    """An environment object, or a program's (`rlglue.testing.program`), driven by Gymnasium's calls.

    Spaces come from the task specification: one int is Discrete, more are a Box of int32, doubles a Box of
    float64. `reset(seed=N)` sends the messages `seed N` and `episode 0`, which an environment may or may not
    understand. An end is always `terminated`: RL-Glue knows of no other. Raises TaskSpecError, and ValueError
    for a task with chars or with both ints and doubles.
    """

    def __init__(self, environment: EnvironmentLike) -> None:
        self._environment = environment
        task = taskspec.parse(environment.env_init())
        self.observation_space = space_of(task.observations)
        self.action_space = space_of(task.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; there are no options."""
        super().reset(seed=seed)
        if seed is not None:
            self._environment.env_message(f"seed {seed}")
            self._environment.env_message("episode 0")  # ours draws each episode from the seed and its number
        seen = self._environment.env_start()
        return read_value(seen, self.observation_space), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:  # noqa: ANN401  of its space
        """Apply an action."""
        sent = Action()
        write_value(action, self.action_space, sent)
        step = self._environment.env_step(sent)
        return read_value(step.o, self.observation_space), float(step.r), bool(step.terminal), False, {}

    def close(self) -> None:
        """Tell the environment that the run is over."""
        self._environment.env_cleanup()


class GymnasiumEnvironment:
    """Serves an environment whose observations and actions are numbers; ValueError for other spaces.

    RL-Glue has one flag for the end of an episode: a truncated one ends like any other, with what is seen and
    won then, and the message `stats` says that it was truncated. A step after the end answers the same
    observation, terminal, with reward 0. Messages: `seed N` for the next start, `stats`, `help`.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], seed: int | None = None, discount: float = 0.99) -> None:
        self._env, self._seed = env, seed
        observations, actions = (ranges_of(space) for space in (env.observation_space, env.action_space))
        name = env.spec.id if env.spec else type(env.unwrapped).__name__
        self._task = TaskSpec("episodic", discount, observations, actions, extra=f"gymnasium {name}")
        self._last = Reward_observation_terminal()
        self._stats = {"episode": -1, "steps": 0, "terminated": False, "truncated": False}

    def env_init(self) -> str:
        """Return the task specification; rewards have no known range."""
        return str(self._task)

    def env_start(self) -> Observation:
        """Begin an episode."""
        seen, _ = self._env.reset(seed=self._seed)
        self._seed = None
        self._stats |= {"episode": self._stats["episode"] + 1, "steps": 0}
        return self._keep(seen, 0.0, terminated=False, truncated=False).o

    def env_step(self, action: Action) -> Reward_observation_terminal:
        """Apply an action; raise WrongNumbersError for one that is not in the action space."""
        if self._last.terminal:
            return Reward_observation_terminal(0.0, self._last.o, True)
        value = read_value(action, self._env.action_space)
        seen, reward, terminated, truncated, _ = self._env.step(value)
        self._stats["steps"] += 1
        return self._keep(seen, float(reward), terminated=bool(terminated), truncated=bool(truncated))

    def env_cleanup(self) -> None:
        """Another run may follow, so nothing is released: who made the environment closes it."""

    def env_message(self, message: str) -> str:
        """Carry out or answer a message; `help` lists them."""
        handlers = {"seed": self._set_seed, "stats": lambda _: json.dumps(self._stats)}
        return messages.answer(handlers, message, "environment")

    def _set_seed(self, text: str) -> str:
        self._seed = messages.natural(text, messages.LARGEST_SEED)
        return f"message understood, the next episode begins with seed {self._seed}"

    def _keep(self, seen: ArrayLike, reward: float, **ended: bool) -> Reward_observation_terminal:
        shown = Observation()
        write_value(seen, self._env.observation_space, shown)
        self._stats |= ended
        self._last = Reward_observation_terminal(reward, shown, any(ended.values()))
        return self._last
