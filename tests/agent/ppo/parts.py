"""A small PPO agent, and what it plays with, as the tests here need them."""

from pathlib import Path

from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.ppo.learner import PPOLearner
from othello_lab.agent.ppo.method import PPO, PPOConfig
from othello_lab.agent.selfplay.play import Rules
from othello_lab.agent.selfplay.pool import read_pool
from othello_lab.agent.selfplay.training import SelfPlay
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.experiment.workers.pool import Pool
from rlglue.glue import Glue

PPOAgent = LearningAgent[PPOConfig, PPOLearner]
SMALL = {"width": "32", "horizon": "100", "batch": "32"}


def trio(
    directory: Path | None = None, seed: int = 1, opponent: str = "self", **options: str
) -> tuple[Glue, PPOAgent]:
    agent = LearningAgent(PPO, SMALL | options, seed, 4, directory)
    glue = Glue(agent, OthelloEnvironment(EnvironmentConfig(size=4, opponent=opponent, seed=1)))
    glue.RL_init()
    return glue, agent


def selfplay(agent: PPOAgent, pool: Pool, opponents: str = "random=0.3,past=0.1") -> SelfPlay:
    return SelfPlay(agent, Rules(4, random_opening=4), read_pool(opponents, 4), 5, pool.in_order)
