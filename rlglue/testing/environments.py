"""Rules that RL-Glue sets every environment, whatever its task: actions are drawn from its ranges."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from rlglue import taskspec
from rlglue.glue import EnvironmentLike
from rlglue.taskspec import Bound, Range, Space, Special, TaskSpec, TaskSpecError
from rlglue.testing.agents import check_answers
from rlglue.testing.rules import BrokenRule, Rule, demand
from rlglue.types import Action, Observation, Reward_observation_terminal

MOST_STEPS: Final = 300
"""Steps of an episode; then it is cut off, since not every task ends."""

_WIDEST: Final = 1_000
"""Numbers without bounds are drawn from minus this to this, or as far from a bound that lies beyond."""


def rules() -> tuple[Rule[EnvironmentLike], ...]:
    """The rules of every environment."""
    return (
        Rule("env_init answers with a task specification", "RL-Glue, task specification", _check_task),
        Rule(
            "An observation has the numbers that OBSERVATIONS announces, each within its range",
            "RL-Glue, task specification",
            _check_observations,
        ),
        Rule(
            "A reward is a number within the range that REWARDS announces",
            "RL-Glue, task specification",
            _check_rewards,
        ),
        Rule(
            "An episode may be cut off without a word; env_start begins the next one",
            "RL-Glue, RL_episode",
            _check_cut_off,
        ),
        Rule(
            "A message may come at any time and is answered with a text, the empty one if need be",
            "RL-Glue, env_message",
            _check_messages,
        ),
        Rule(
            "After env_cleanup another env_init may follow, and answers as the first did",
            "RL-Glue, env_init",
            _check_second_run,
        ),
    )


def task_of(environment: EnvironmentLike) -> TaskSpec:
    """Begin a run and read the task; BrokenRule if it cannot be read."""
    try:
        return taskspec.parse(environment.env_init())
    except TaskSpecError as error:
        raise BrokenRule(str(error)) from None


def draw_action(space: Space, rng: np.random.Generator) -> Action:
    """An action within the ranges of a task, drawn uniformly."""
    action = Action()
    action.intArray = [
        int(rng.integers(int(_low(item)), int(_high(item)), endpoint=True)) for item in _each(space.ints)
    ]
    action.doubleArray = [float(rng.uniform(_low(item), _high(item))) for item in _each(space.doubles)]
    action.charArray = ["a"] * space.charcount
    return action


def play_two_steps(environment: EnvironmentLike) -> None:
    """A short run: a start and two random actions."""
    task = task_of(environment)
    for _ in _play(environment, task, 2):
        pass
    environment.env_cleanup()


def _each(ranges: tuple[Range, ...]) -> Iterator[Range]:
    for item in ranges:
        yield from (item for _ in range(item.count))


def _low(item: Range) -> float:
    if not isinstance(item.low, Special):
        return item.low
    return -_WIDEST if isinstance(item.high, Special) or item.high > -_WIDEST else item.high - 2 * _WIDEST


def _high(item: Range) -> float:
    if not isinstance(item.high, Special):
        return item.high
    return _WIDEST if isinstance(item.low, Special) or item.low < _WIDEST else item.low + 2 * _WIDEST


def _check_task(environment: EnvironmentLike) -> None:
    task_of(environment)
    environment.env_cleanup()


def _play(
    environment: EnvironmentLike, task: TaskSpec, most: int = MOST_STEPS
) -> Iterator[tuple[Observation, Reward_observation_terminal | None]]:
    """An episode of random actions: what is seen, and the step that brought it, None for the start."""
    rng = np.random.default_rng(most)
    yield environment.env_start(), None
    for _ in range(most):
        step = environment.env_step(draw_action(task.actions, rng))
        yield step.o, step
        if step.terminal:
            return


def _check_observations(environment: EnvironmentLike) -> None:
    task = task_of(environment)
    for _ in range(3):
        for number, (seen, _) in enumerate(_play(environment, task)):
            _check_observation(task.observations, seen, f"after {number} steps of an episode ")
    environment.env_cleanup()


def _check_observation(space: Space, seen: Observation, when: str) -> None:
    _check_numbers(space.ints, seen.intArray, f"{when}intArray")
    _check_numbers(space.doubles, seen.doubleArray, f"{when}doubleArray")
    chars = len(seen.charArray)
    demand(chars == space.charcount, f"{when}charArray has {chars} characters; expected {space.charcount}")


def _check_numbers(ranges: tuple[Range, ...], values: ArrayLike, what: str) -> None:
    numbers = np.asarray(values)
    expected = sum(item.count for item in ranges)
    demand(numbers.shape == (expected,), f"{what} has {numbers.size} numbers; expected {expected}")
    start = 0
    for item in ranges:
        part = numbers[start : start + item.count]
        outside = [number for number in part.tolist() if not _within(item.low, number, item.high)]
        demand(not outside, f"{what} has {outside[:1]}; expected {item.low} to {item.high}")
        start += item.count


def _within(low: Bound, number: float, high: Bound) -> bool:
    above, below = isinstance(low, Special) or low <= number, isinstance(high, Special) or number <= high
    return math.isfinite(number) and above and below


def _check_rewards(environment: EnvironmentLike) -> None:
    task = task_of(environment)
    for _ in range(3):
        for _, step in _play(environment, task):
            if step is not None:
                what = f"a reward was {step.r}; expected {task.rewards.low} to {task.rewards.high}"
                demand(_within(task.rewards.low, float(step.r), task.rewards.high), what)
    environment.env_cleanup()


def _check_cut_off(environment: EnvironmentLike) -> None:
    task = task_of(environment)
    for most in (0, 1, 3, 0, MOST_STEPS):
        seen = [observation for observation, _ in _play(environment, task, most)]
        _check_observation(task.observations, seen[0], f"after a start, {most} steps later cut off, ")
    environment.env_cleanup()


def _check_messages(environment: EnvironmentLike) -> None:
    task = task_of(environment)
    for _ in range(2):
        check_answers(environment.env_message)
        for _ in _play(environment, task, 1):
            check_answers(environment.env_message)
    environment.env_cleanup()


def _check_second_run(environment: EnvironmentLike) -> None:
    tasks = []
    for _ in range(2):
        task = task_of(environment)
        tasks.append(str(task))
        for _ in _play(environment, task):
            pass
        environment.env_cleanup()
    demand(tasks[0] == tasks[1], f"the second task was {tasks[1]!r} after {tasks[0]!r}")
