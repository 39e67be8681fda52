"""The rules of RL-Glue as checks. The docstring of a check is the rule, with its source in brackets."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rlglue import taskspec
from rlglue.errors import GlueError
from rlglue.glue import AgentLike, EnvironmentLike, Glue
from rlglue.taskspec import Range, Space, Special, TaskSpec, TaskSpecError
from rlglue.types import Action, Observation, Reward_observation_terminal

# Messages for tests. Every agent and environment must answer each message with a text or None.
MESSAGES: Final = ("", "no such message", "freeze learning", "unfreeze learning", "Zug 7: ä€𝄞", "x" * 5_000)
# The maximum number of steps of an episode, because some tasks never end.
MOST_STEPS: Final = 300
_EPISODES: Final = 3
_WIDEST: Final = 1_000  # A number without bounds is drawn from -_WIDEST to _WIDEST.

# A function that raises BrokenRule if its arguments break the rule in its docstring.
Check: TypeAlias = Callable[..., None]


class BrokenRule(AssertionError):
    """A rule is broken. The message states the observed behaviour."""


class NoReply(BrokenRule):
    """A program did not answer in time."""


class Finding(NamedTuple):
    """The result of checking one rule."""

    rule: str
    broken: str | None  # The observed violation of the rule, or None if the rule is obeyed.

    def __str__(self) -> str:
        return f"ok      {self.rule}" if self.broken is None else f"BROKEN  {self.rule}: {self.broken}"


def demand(condition: bool, observed: str) -> None:
    """Raise BrokenRule with the message `observed` if `condition` is False."""
    if not condition:
        raise BrokenRule(observed)


def findings(checks: Iterable[Check], *parts: object) -> Iterator[Finding]:
    """Call each check with `parts`, and yield a result for each rule. A missing reply ends the checks."""
    for check in checks:
        rule = " ".join((check.__doc__ or "").split()).removesuffix(".")
        try:
            check(*parts)
        except NoReply as error:
            yield Finding(rule, str(error))
            return
        except (BrokenRule, GlueError) as error:
            yield Finding(rule, " ".join(str(error).split()))
        else:
            yield Finding(rule, None)


# Agents. The task of the environment must suit the agent.


def check_cut_off_agent(agent: AgentLike, environment: EnvironmentLike) -> None:
    """An episode may be cut off without agent_end; agent_start then begins another (RL-Glue, RL_episode)."""
    run_episodes(agent, environment, (3, 0, 1, 2, 0))


def check_agent_messages(agent: AgentLike, environment: EnvironmentLike) -> None:
    """A message may come at any time; the answer is a text, which may be empty (RL-Glue, agent_message)."""
    run_episodes(agent, environment, (0, 2, 0), lambda: _check_answers(agent.agent_message))


def check_second_agent_init(agent: AgentLike, environment: EnvironmentLike) -> None:
    """After agent_cleanup another agent_init may follow (RL-Glue, agent_init)."""
    for _ in range(2):
        run_episodes(agent, environment, (0, 0, 0))


# The checks of an agent in an environment.
AGENT_CHECKS: Final[tuple[Check, ...]] = (check_cut_off_agent, check_agent_messages, check_second_agent_init)


def run_episodes(
    agent: AgentLike,
    environment: EnvironmentLike,
    limits: Sequence[int],
    between: Callable[[], None] = lambda: None,
) -> None:
    """Run an episode for each action limit (0: none). Call `between` before, between and after episodes."""
    glue = Glue(agent, environment)
    glue.RL_init()
    for limit in limits:
        between()
        glue.RL_episode(limit)
    between()
    glue.RL_cleanup()


def _check_answers(send: Callable[[str], str | None]) -> None:
    for message in MESSAGES:
        answer = send(message)
        demand(isinstance(answer, str | None), f"{message[:20]!r} was answered with {answer!r}")


# Environments. The actions are drawn from the ranges of the task specification.


def in_run(check: Callable[[EnvironmentLike, TaskSpec], None]) -> Callable[[EnvironmentLike], None]:
    """Decorate a check of an environment, so that it runs between env_init and env_cleanup."""

    @wraps(check)
    def run(environment: EnvironmentLike) -> None:
        check(environment, task_of(environment))
        environment.env_cleanup()

    return run


def task_of(environment: EnvironmentLike) -> TaskSpec:
    """Call env_init and return the task. Raises BrokenRule if the task specification is wrong."""
    try:
        return taskspec.parse(environment.env_init())
    except TaskSpecError as error:
        raise BrokenRule(str(error)) from None


def play_two_steps(environment: EnvironmentLike) -> None:
    """Make a run with one episode of at most two random actions."""
    list(_play(environment, task_of(environment), 2))
    environment.env_cleanup()


def draw_action(space: Space, rng: np.random.Generator) -> Action:
    """Draw each number of an action uniformly from its range."""
    action = Action()
    low, high = _bounds(space.ints).astype(int)
    action.intArray = rng.integers(low, high, endpoint=True)
    action.doubleArray = rng.uniform(*_bounds(space.doubles))
    action.charArray = ["a"] * space.charcount
    return action


def _bounds(ranges: Sequence[Range]) -> NDArray[np.float64]:
    """Return finite lower and upper bounds of all numbers, float64 [2, numbers]."""
    low, high = _limits(ranges)
    finite_low = np.where(np.isinf(low), np.minimum(-_WIDEST, high - 2 * _WIDEST), low)
    return np.stack([finite_low, np.where(np.isinf(high), np.maximum(_WIDEST, low + 2 * _WIDEST), high)])


def _limits(ranges: Sequence[Range]) -> NDArray[np.float64]:
    """Return the lower and upper limits of all numbers, float64 [2, numbers]. A missing limit is infinite."""
    lows = [(-math.inf if isinstance(item.low, Special) else item.low, item.count) for item in ranges]
    highs = [(math.inf if isinstance(item.high, Special) else item.high, item.count) for item in ranges]
    return np.array([[limit for limit, count in side for _ in range(count)] for side in (lows, highs)], float)


def _play(
    environment: EnvironmentLike, task: TaskSpec, most: int = MOST_STEPS
) -> Iterator[tuple[Observation, Reward_observation_terminal | None]]:
    """Play random actions, and yield each observation and its step. The first observation has no step."""
    rng = np.random.default_rng(most)
    yield environment.env_start(), None
    for _ in range(most):
        step = environment.env_step(draw_action(task.actions, rng))
        yield step.o, step
        if step.terminal:
            return


@in_run
def check_task(environment: EnvironmentLike, task: TaskSpec) -> None:
    """env_init answers with a task specification (RL-Glue, task specification)."""


@in_run
def check_observations(environment: EnvironmentLike, task: TaskSpec) -> None:
    """An observation has the numbers that OBSERVATIONS announces, in range (RL-Glue, task specification)."""
    for _ in range(_EPISODES):
        for steps, (observation, _) in enumerate(_play(environment, task)):
            _check_observation(task.observations, observation, f"after {steps} steps of an episode ")


def _check_observation(space: Space, observation: Observation, when: str) -> None:
    _check_numbers(space.ints, observation.intArray, f"{when}intArray")
    _check_numbers(space.doubles, observation.doubleArray, f"{when}doubleArray")
    chars = len(observation.charArray)
    demand(chars == space.charcount, f"{when}charArray has {chars} characters; expected {space.charcount}")


def _check_numbers(ranges: Sequence[Range], values: ArrayLike, what: str) -> None:
    numbers, (low, high) = np.asarray(values), _limits(ranges)
    demand(numbers.shape == low.shape, f"{what} has {numbers.size} numbers; expected {low.size}")
    outside = np.flatnonzero(~(np.isfinite(numbers) & (low <= numbers) & (numbers <= high)))[:1]
    demand(not outside.size, f"{what} has {numbers[outside]}; expected {low[outside]} to {high[outside]}")


@in_run
def check_rewards(environment: EnvironmentLike, task: TaskSpec) -> None:
    """A reward is a number within the range that REWARDS announces (RL-Glue, task specification)."""
    for _ in range(_EPISODES):
        for _, step in _play(environment, task):
            if step is not None:
                _check_numbers([task.rewards], [step.r], "a reward")


@in_run
def check_cut_off(environment: EnvironmentLike, task: TaskSpec) -> None:
    """An episode may be cut off without a message; env_start then begins the next (RL-Glue, RL_episode)."""
    for most in (0, 1, 3, 0, MOST_STEPS):
        first, *_ = _play(environment, task, most)
        _check_observation(task.observations, first[0], f"after a start, {most} steps later cut off, ")


@in_run
def check_messages(environment: EnvironmentLike, task: TaskSpec) -> None:
    """A message may come at any time; the answer is a text, which may be empty (RL-Glue, env_message)."""
    for _ in range(2):
        _check_answers(environment.env_message)
        for _ in _play(environment, task, 1):
            _check_answers(environment.env_message)


@in_run
def check_second_env_init(environment: EnvironmentLike, task: TaskSpec) -> None:
    """After env_cleanup another env_init may follow, with the same answer (RL-Glue, env_init)."""
    list(_play(environment, task))
    environment.env_cleanup()
    again = task_of(environment)
    list(_play(environment, again))
    demand(again == task, f"the second task was {str(again)!r} after {str(task)!r}")


# The checks of an environment. If the first rule is broken, the other rules cannot be checked.
ENVIRONMENT_CHECKS: Final[tuple[Check, ...]] = (
    *(check_task, check_observations, check_rewards, check_cut_off, check_messages, check_second_env_init),
)
