"""Adapters in both directions between RL-Glue and Gymnasium, for all environments with numeric values."""

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
    """An action or an observation does not fit its space."""


def ranges_of(space: Space[Any]) -> taskspec.Space:
    """Return the ranges of a Gymnasium space, for a task specification.

    Discrete, MultiDiscrete, MultiBinary and integer Boxes become ints. Floating-point Boxes become doubles.
    Raises ValueError for any other space.
    """
    bounds = groupby(_bounds(space))
    ranges = tuple(Range(_bound(low), _bound(high), len([*equal])) for (low, high), equal in bounds)
    return taskspec.Space(ints=ranges) if _is_whole(space) else taskspec.Space(doubles=ranges)


def space_of(ranges: taskspec.Space) -> Space[Any]:
    """Return the Gymnasium space of some ranges: Discrete for a single bounded int, else a flat Box.

    Raises ValueError for chars, for both ints and doubles, and if there are no numbers.
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
    """Write a value of a space into an action or an observation.

    Raises WrongNumbersError for whole numbers outside the range of int32, which RL-Glue needs.
    """
    numbers = np.asarray(value).ravel()
    if _is_whole(space):
        into.intArray = numbers.astype(np.int32)
        if not np.array_equal(into.intArray, numbers):
            raise WrongNumbersError(f"{numbers.tolist()} does not fit into numbers of 32 bits")
    else:
        into.doubleArray = numbers.astype(np.float64)


def read_value(source: RL_Abstract_Type, space: Space[Any]) -> Any:  # noqa: ANN401  any value of the space
    """Return the value of an action or an observation in its space.

    Raises WrongNumbersError for a wrong count of numbers, and for whole numbers outside the space.
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
    """Return the lower and upper bound of each number of a space."""
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
        f"RL-Glue does not support {space}: expected Discrete, MultiDiscrete, MultiBinary or Box, such as "
        "from gymnasium.wrappers.FlattenObservation"
    )


def _is_whole(space: Space[Any]) -> bool:
    return not (isinstance(space, spaces.Box) and space.dtype.kind == "f")


def _bound(number: float) -> Bound:
    if np.isinf(number):
        return Special.POSINF if number > 0 else Special.NEGINF
    return number


def _limits(numbers: list[Range], side: int, dtype: type[np.generic]) -> NDArray[Any]:
    """Return the lower (side -1) or upper (side 1) bounds. No bound becomes infinity or the largest int32."""
    widest = float(np.iinfo(np.int32).max) if dtype is np.int32 else np.inf
    bounds = [item.low if side < 0 else item.high for item in numbers]
    return np.array([side * widest if isinstance(bound, Special) else bound for bound in bounds], dtype)


class RLGlueEnv(gymnasium.Env[Any, Any]):
    """An RL-Glue environment in Gymnasium. It may be another program (`rlglue.testing.program`).

    The task specification gives the spaces: Discrete for one int, a Box of int32 for several ints, a Box of
    float64 for doubles. `reset(seed=N)` sends the messages `seed N` and `episode 0`, which an environment may
    ignore. Each episode ends as `terminated`: RL-Glue has no truncation. Raises TaskSpecError for an invalid
    task specification, and ValueError for a task with chars or with both ints and doubles.
    """

    def __init__(self, environment: EnvironmentLike) -> None:
        self._environment = environment
        task = taskspec.parse(environment.env_init())
        self.observation_space = space_of(task.observations)
        self.action_space = space_of(task.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode. `options` are ignored."""
        super().reset(seed=seed)
        if seed is not None:
            self._environment.env_message(f"seed {seed}")
            self._environment.env_message("episode 0")  # Othello draws each episode from seed and index
        state = self._environment.env_start()
        return read_value(state, self.observation_space), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:  # noqa: ANN401  any action
        """Apply an action."""
        glue_action = Action()
        write_value(action, self.action_space, glue_action)
        step = self._environment.env_step(glue_action)
        return read_value(step.o, self.observation_space), float(step.r), bool(step.terminal), False, {}

    def close(self) -> None:
        """End the run of the environment."""
        self._environment.env_cleanup()


class GymnasiumEnvironment:
    """A Gymnasium environment with numeric spaces, in RL-Glue. Raises ValueError for other spaces.

    RL-Glue has one flag for the end of an episode, so a truncated episode ends like any other. The answer to
    the message `stats` has `truncated`. A step after the end returns the last observation, terminal, with
    reward 0. The messages are `seed N` for the next start, `stats` and `help`.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], seed: int | None = None, discount: float = 0.99) -> None:
        self._env, self._seed = env, seed
        observations, actions = (ranges_of(space) for space in (env.observation_space, env.action_space))
        name = env.spec.id if env.spec else type(env.unwrapped).__name__
        self._task = TaskSpec("episodic", discount, observations, actions, extra=f"gymnasium {name}")
        self._last = Reward_observation_terminal()
        self._stats = {"episode": -1, "steps": 0, "terminated": False, "truncated": False}

    def env_init(self) -> str:
        """Return the task specification. It gives no range of rewards."""
        return str(self._task)

    def env_start(self) -> Observation:
        """Begin an episode."""
        value, _ = self._env.reset(seed=self._seed)
        self._seed = None
        self._stats |= {"episode": self._stats["episode"] + 1, "steps": 0}
        return self._answer(value, 0.0, terminated=False, truncated=False).o

    def env_step(self, action: Action) -> Reward_observation_terminal:
        """Apply an action. Raises WrongNumbersError for an action outside the action space."""
        if self._last.terminal:
            return Reward_observation_terminal(0.0, self._last.o, True)
        value, reward, terminated, truncated, _ = self._env.step(read_value(action, self._env.action_space))
        self._stats["steps"] += 1
        return self._answer(value, float(reward), terminated=bool(terminated), truncated=bool(truncated))

    def env_cleanup(self) -> None:
        """Do nothing: another run may follow. The caller closes the Gymnasium environment."""

    def env_message(self, message: str) -> str:
        """Carry out a message and return the answer. The message `help` lists all messages."""
        handlers = {"seed": self._set_seed, "stats": lambda _: json.dumps(self._stats)}
        return messages.answer(handlers, message, "environment")

    def _set_seed(self, text: str) -> str:
        self._seed = messages.natural(text, messages.LARGEST_SEED)
        return f"message understood, the next episode begins with seed {self._seed}"

    def _answer(self, value: ArrayLike, reward: float, **ended: bool) -> Reward_observation_terminal:
        state = Observation()
        write_value(value, self._env.observation_space, state)
        self._stats |= ended
        self._last = Reward_observation_terminal(reward, state, any(ended.values()))
        return self._last
