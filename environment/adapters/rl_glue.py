"""`GymnasiumEnvironment` turns a Gymnasium environment into an RL-Glue environment."""

import json
from collections.abc import Iterable
from itertools import groupby
from typing import Any

import gymnasium
import numpy as np
from gymnasium import Space, spaces
from numpy.typing import ArrayLike, NDArray

from rlglue import messages, taskspec
from rlglue.taskspec import Bound, Range, Special, TaskSpec
from rlglue.types import Action, Observation, Reward_observation_terminal, RL_Abstract_Type


class WrongNumbersError(ValueError):
    """An action or an observation that is not in its space."""


def ranges_of(space: Space[Any]) -> taskspec.Space:
    """Return the ranges of a space: ints, or doubles for a float Box. Raises ValueError for other spaces."""
    bounds = groupby(_bounds(space))
    ranges = tuple(Range(_bound(low), _bound(high), len([*equal])) for (low, high), equal in bounds)
    return taskspec.Space(ints=ranges) if _is_whole(space) else taskspec.Space(doubles=ranges)


def write_value(value: ArrayLike, space: Space[Any], into: RL_Abstract_Type) -> None:
    """Write a value of `space` into an action or observation. Raises WrongNumbersError beyond int32."""
    numbers = np.asarray(value).ravel()
    if _is_whole(space):
        into.intArray = numbers.astype(np.int32)
        if not np.array_equal(into.intArray, numbers):
            raise WrongNumbersError(f"{numbers.tolist()} does not fit into numbers of 32 bits")
    else:
        into.doubleArray = numbers.astype(np.float64)


def read_value(source: RL_Abstract_Type, space: Space[Any]) -> Any:  # noqa: ANN401  any value of the space
    """Read a value of `space` from an action or observation. Raises WrongNumbersError for other values."""
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


class GymnasiumEnvironment:
    """A Gymnasium environment as an environment of RL-Glue. Raises ValueError if a space is not numeric.

    The terminal flag of RL-Glue is also set if an episode is truncated. The answer to the message `stats`
    distinguishes truncation from termination. The message `seed N` sets the seed of the next episode.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], seed: int | None = None, discount: float = 0.99) -> None:
        self._env, self._seed = env, seed
        observations, actions = (ranges_of(space) for space in (env.observation_space, env.action_space))
        name = env.spec.id if env.spec else type(env.unwrapped).__name__
        self._task = TaskSpec("episodic", discount, observations, actions, extra=f"gymnasium {name}")
        self._last = Reward_observation_terminal()
        self._stats = {"episode": -1, "steps": 0, "terminated": False, "truncated": False}

    def env_init(self) -> str:
        """Return the task specification, which does not contain the range of rewards."""
        return str(self._task)

    def env_start(self) -> Observation:
        """Begin an episode."""
        value, _ = self._env.reset(seed=self._seed)
        self._seed = None
        self._stats |= {"episode": self._stats["episode"] + 1, "steps": 0}
        return self._answer(value, 0.0, terminated=False, truncated=False).o

    def env_step(self, action: Action) -> Reward_observation_terminal:
        """Apply an action. Raises WrongNumbersError for an action outside the action space."""
        if self._last.terminal:  # after the end, the observation stays the same
            return Reward_observation_terminal(0.0, self._last.o, True)
        value, reward, terminated, truncated, _ = self._env.step(read_value(action, self._env.action_space))
        self._stats["steps"] += 1
        return self._answer(value, float(reward), terminated=bool(terminated), truncated=bool(truncated))

    def env_cleanup(self) -> None:
        """No-op, because another run may follow."""

    def env_message(self, message: str) -> str:
        """Return the answer to a message. The message `help` lists all messages."""
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
