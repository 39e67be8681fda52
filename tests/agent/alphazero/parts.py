"""A small AlphaZero agent, and what it plays with, as the tests here need them."""

from pathlib import Path

import numpy as np

from othello_lab.agent.alphazero.learner import AlphaZeroLearner
from othello_lab.agent.alphazero.method import ALPHAZERO, AlphaZeroConfig, configure
from othello_lab.agent.learner import Seeds
from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.selfplay.play import Rules
from othello_lab.agent.selfplay.pool import read_pool
from othello_lab.agent.selfplay.training import SelfPlay
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.experiment.workers.pool import Pool
from rlglue.glue import Glue

AlphaZeroAgent = LearningAgent[AlphaZeroConfig, AlphaZeroLearner]
SMALL = {"width": "32", "blocks": "1", "simulations": "4", "solve": "3", "batch": "32", "memory": "500"}


def learner(**options: str) -> AlphaZeroLearner:
    seeds = Seeds(np.random.SeedSequence(1), np.random.SeedSequence(2))
    return AlphaZeroLearner(configure(SMALL | options, 4), 4, seeds)


def trio(
    directory: Path | None = None, seed: int = 1, opponent: str = "self", size: int = 4, **options: str
) -> tuple[Glue, AlphaZeroAgent]:
    agent = LearningAgent(ALPHAZERO, SMALL | options, seed, size, directory)
    glue = Glue(agent, OthelloEnvironment(EnvironmentConfig(size=size, opponent=opponent, seed=1)))
    glue.RL_init()
    return glue, agent


def selfplay(agent: AlphaZeroAgent, pool: Pool, opponents: str = "random=0.3,past=0.1") -> SelfPlay:
    return SelfPlay(agent, Rules(4, random_opening=4), read_pool(opponents, 4), 5, pool.in_order)
