"""Environments of RL-Glue for Gymnasium."""

import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env

from environment.adapters.rl_glue import GymnasiumEnvironment, RLGlueEnv
from environment.config import EnvironmentConfig
from environment.othello import OthelloEnvironment
from rlglue.testing.program import Program

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.filterwarnings("ignore:.*(infinity|spec|Box action spaces)")
def test_gymnasium_finds_no_fault() -> None:
    check_env(RLGlueEnv(OthelloEnvironment(EnvironmentConfig(size=4, opponent="random"))))


def test_there_and_back_again_is_the_same_environment() -> None:
    env = RLGlueEnv(GymnasiumEnvironment(gymnasium.make("CartPole-v1")))
    other = gymnasium.make("CartPole-v1")
    assert env.action_space == other.action_space
    (seen, _), (expected, _) = env.reset(seed=4), other.reset(seed=4)
    terminated = False
    while not terminated:
        assert np.allclose(seen, expected)
        seen, reward, terminated, _, _ = env.step(1)
        expected, *result, _, _ = other.step(np.int64(1))
        assert result == [reward, terminated]


def test_a_program_is_an_environment() -> None:
    with Program("environment", [sys.executable, "-m", "environment", "--size", "4"], 60.0) as program:
        env = RLGlueEnv(program.environment)
        assert env.action_space == spaces.Discrete(17, start=-1)
        seen, _ = env.reset(seed=0)
        assert env.observation_space.contains(seen)
        _, reward, terminated, *_ = env.step(0)
        assert (reward, terminated) == (-1.0, True), "a1 is not legal there"
        env.close()
