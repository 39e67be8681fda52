"""A tabular agent with its environment in one process."""

from pathlib import Path

import numpy as np

from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.tabular.learner import TabularLearner
from othello_lab.agent.tabular.method import TABULAR, TabularConfig
from othello_lab.agent.tabular.table import State
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game import Board, observation
from rlglue.glue import Glue

TabularAgent = LearningAgent[TabularConfig, TabularLearner]


def tabular(
    directory: Path | None = None, opponent: str = "self", seed: int = 1, **options: str
) -> tuple[Glue, TabularAgent]:
    agent = LearningAgent(TABULAR, options, seed, 4, directory)
    glue = Glue(agent, OthelloEnvironment(EnvironmentConfig(size=4, opponent=opponent, seed=seed)))
    glue.RL_init()
    return glue, agent


def state_of(learner: TabularLearner, board: Board) -> State:
    planes = observation.encode(board, board.turn).astype(np.uint8).reshape(1, 4, 16)
    return learner.table.find(planes)[0]


def values(learner: TabularLearner, board: Board) -> list[float]:
    """The values of the legal moves."""
    found: list[float] = learner.table.values(state_of(learner, board)).tolist()
    return found
