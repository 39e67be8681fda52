"""A small AlphaZero agent, and what it plays with, as the tests here need them."""

from pathlib import Path

import numpy as np

from othello_lab.agent.alphazero.learner import AlphaZeroLearner
from othello_lab.agent.alphazero.method import ALPHAZERO, AlphaZeroConfig, configure
from othello_lab.agent.learner import Seeds
from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from rlglue.glue import Glue

AlphaZeroAgent = LearningAgent[AlphaZeroConfig, AlphaZeroLearner]
SMALL = {"width": "32", "blocks": "1", "simulations": "4", "solve": "3", "batch": "32", "memory": "500"}


def learner(**options: str) -> AlphaZeroLearner:
    seeds = Seeds(np.random.SeedSequence(1), np.random.SeedSequence(2))
    return AlphaZeroLearner(configure(SMALL | options, 4), 4, seeds)


def trio(
    directory: Path | None = None, seed: int = 1, opponent: str = "self", **options: str
) -> tuple[Glue, AlphaZeroAgent]:
    agent = LearningAgent(ALPHAZERO, SMALL | options, seed, 4, directory)
    glue = Glue(agent, OthelloEnvironment(EnvironmentConfig(size=4, opponent=opponent, seed=1)))
    glue.RL_init()
    return glue, agent
