"""Tabular Q-learning in the catalogue of learning methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.learner import Method
from agent.memory.recorder import Recorder
from agent.schedule import Schedule
from agent.tabular.config import TabularConfig, configure
from agent.tabular.learner import TabularLearner
from agent.tabular.player import TablePlayer, table_evaluator
from agent.tabular.saving import read_config
from agent.tabular.table import SIZE, SQUARES

if TYPE_CHECKING:
    from agent.task import Task


def _schedule(config: TabularConfig) -> Schedule:
    """Random moves are the agent's; those that are least known the learner chooses itself."""
    epsilon = config.epsilon if config.explore == "random" else 0.0
    return Schedule(epsilon_start=epsilon, epsilon_end=epsilon)


def _recorder(learner: TabularLearner, task: Task) -> Recorder:
    gamma = learner.config.gamma
    return Recorder(learner.sink, SQUARES, task.gamma if gamma is None else gamma)


TABULAR = Method(
    name="tabular",
    configure=configure,
    schedule=_schedule,
    load=lambda: TabularLearner,
    recorder=_recorder,
    read=read_config,
    player=TablePlayer,
    evaluator=table_evaluator,
    largest=SIZE,
)
"""Q-learning in a table (Watkins 1989)."""
