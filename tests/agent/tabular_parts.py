"""The state and the values of a position in the table of a tabular learner."""

import numpy as np

from othello_lab.agent.tabular.learner import TabularLearner
from othello_lab.agent.tabular.table import State
from othello_lab.game import Board, observation


def state_of(learner: TabularLearner, board: Board) -> State:
    planes = observation.encode(board, board.turn).astype(np.uint8).reshape(1, 4, 16)
    return learner.table.find(planes)[0]


def values(learner: TabularLearner, board: Board) -> list[float]:
    """The values of the legal moves."""
    found: list[float] = learner.table.values(state_of(learner, board)).tolist()
    return found
