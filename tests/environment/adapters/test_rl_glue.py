import json
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

from othello_lab.environment.adapters.rl_glue import (
    GymnasiumEnvironment,
    WrongNumbersError,
    ranges_of,
    read_value,
    write_value,
)
from rlglue import taskspec
from rlglue.glue import EnvironmentLike, Glue
from rlglue.testing.program import Program
from rlglue.testing.rules import ENVIRONMENT_CHECKS, findings
from rlglue.types import Action

EXAMPLES = Path(__file__).parents[3] / "examples"
SERVE = [sys.executable, "-m", "othello_lab", "gymnasium"]


def served(name: str, **values: Any) -> GymnasiumEnvironment:  # noqa: ANN401  whatever a test sets
    return GymnasiumEnvironment(gymnasium.make(name, **values), seed=0)


def action(*values: float, ints: bool = True) -> Action:
    made = Action()
    if ints:
        made.intArray = list(values)
    else:
        made.doubleArray = list(values)
    return made


@pytest.mark.parametrize(
    "name",
    ["CartPole-v1", "Pendulum-v1", "FrozenLake-v1", "othello_lab.environment.adapters:OthelloLab/Othello-v0"],
)
def test_it_keeps_the_rules_of_rl_glue(name: str) -> None:
    environment: EnvironmentLike = served(name)
    assert not [finding for finding in findings(ENVIRONMENT_CHECKS, environment) if finding.broken]


def test_the_task_is_that_of_the_spaces() -> None:
    assert served("CartPole-v1").env_init() == (
        "VERSION RL-Glue-3.0 PROBLEMTYPE episodic DISCOUNTFACTOR 0.99 OBSERVATIONS DOUBLES "
        "(-4.800000190734863 4.800000190734863) (NEGINF POSINF) (-0.41887903213500977 0.41887903213500977) "
        "(NEGINF POSINF) ACTIONS INTS (0 1) REWARDS (UNSPEC UNSPEC) EXTRA gymnasium CartPole-v1"
    )
    assert "ACTIONS DOUBLES (-2.0 2.0)" in served("Pendulum-v1").env_init()


def test_episodes_are_those_of_the_environment_itself() -> None:
    env, other = served("Pendulum-v1"), gymnasium.make("Pendulum-v1")
    env.env_init()
    assert env.env_message("seed 5") == "message understood, the next episode begins with seed 5"
    assert np.allclose(env.env_start().doubleArray, other.reset(seed=5)[0])
    for push in (-1.5, 0.0, 2.0):
        step, (seen, reward, *_) = env.env_step(action(push, ints=False)), other.step(np.array([push]))
        assert np.allclose(step.o.doubleArray, seen)
        assert step.r == pytest.approx(reward)
    assert np.allclose(env.env_start().doubleArray, other.reset()[0])


def test_a_truncated_episode_ends_and_says_so() -> None:
    env = served("CartPole-v1", max_episode_steps=3)
    env.env_init()
    env.env_start()
    assert [env.env_step(action(push)).terminal for push in (0, 1, 0)] == [False, False, True]
    expected = {"episode": 0, "steps": 3, "terminated": False, "truncated": True}
    assert json.loads(env.env_message("stats")) == expected
    assert (env.env_step(action(1)).r, env.env_step(action(1)).terminal) == (0.0, True)
    env.env_start()
    assert json.loads(env.env_message("stats")) == expected | {"episode": 1, "steps": 0, "truncated": False}


@pytest.mark.parametrize("wrong", [action(), action(2), action(0, 1), action(0.5, ints=False)])
def test_an_action_that_is_none_is_an_error(wrong: Action) -> None:
    env = served("CartPole-v1")
    env.env_init()
    env.env_start()
    with pytest.raises(WrongNumbersError, match=r"Discrete\(2\)"):
        env.env_step(wrong)


@pytest.mark.parametrize(
    "space",
    [
        spaces.Discrete(5, start=-1),
        spaces.Box(-2.5, 3.0, (4,), np.float64),
        spaces.Box(np.array([0, -7], np.int32), np.array([9, 7], np.int32), dtype=np.int32),
    ],
    ids=str,
)
def test_spaces_go_into_a_task_and_back(space: spaces.Space[object]) -> None:
    told = f"VERSION RL-Glue-3.0 PROBLEMTYPE episodic DISCOUNTFACTOR 1 OBSERVATIONS {ranges_of(space)} "
    taskspec.parse(f"{told} ACTIONS INTS (0 1) REWARDS (0 1) EXTRA")
    value, sent = space.sample(), Action()
    write_value(np.asarray(value), space, sent)
    assert np.array_equal(read_value(Action.from_buffer(sent.to_bytes()), space), np.asarray(value))


@pytest.mark.parametrize(
    ("space", "numbers"),
    [
        (spaces.MultiBinary(4), [256, 0, 0, 0]),
        (spaces.MultiBinary(4), [257, 0, 0, 0]),
        (spaces.Box(0, 255, (1,), np.uint8), [-1]),
        (spaces.Box(0, 255, (1,), np.uint8), [300]),
    ],
)
def test_numbers_beyond_those_of_a_space_are_refused(space: spaces.Space[Any], numbers: list[int]) -> None:
    action = Action()
    action.intArray = numbers
    with pytest.raises(WrongNumbersError, match="is not in"):
        read_value(action, space)


def test_spaces_and_numbers_beyond_those_of_rl_glue_are_refused() -> None:
    with pytest.raises(WrongNumbersError, match="32 bits"):
        write_value(np.array([1 << 40]), spaces.Box(0, 1 << 50, (1,), np.int64), Action())
    with pytest.raises(ValueError, match=r"RL-Glue does not support Dict.*FlattenObservation"):
        ranges_of(spaces.Dict(one=spaces.Discrete(2)))


@pytest.mark.slow
def test_an_agent_of_2009_learns_cartpole_over_tcp() -> None:
    with (
        Program("environment", [*SERVE, "CartPole-v1", "--seed", "1"], 60.0) as environment,
        Program("agent", [sys.executable, str(EXAMPLES / "cartpole_agent.py")], 60.0) as agent,
    ):
        glue, steps = Glue(agent.agent, environment.environment), []
        glue.RL_init()
        for _ in range(80):
            glue.RL_episode()
            steps.append(glue.RL_return())
        glue.RL_cleanup()
    assert np.mean(steps[-30:]) > 55, "random pushes last 22 on average"
