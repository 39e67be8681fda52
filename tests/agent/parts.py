"""A DQN agent, as many tests here need one."""

from pathlib import Path

from agent.dqn.config import DQNConfig
from agent.dqn.learner import DQNLearner
from agent.dqn.method import DQN
from agent.learning_agent import LearningAgent

DQNAgent = LearningAgent[DQNConfig, DQNLearner]


def dqn_agent(
    options: dict[str, str], seed: int = 0, size: int | None = None, directory: Path | None = None
) -> DQNAgent:
    return LearningAgent(DQN, options, seed, size, directory)
