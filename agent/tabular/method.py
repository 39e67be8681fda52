"""Tabular Q-learning in the catalogue of learning methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.learner import Method
from agent.schedule import Schedule
from agent.tabular.config import SIZE, TabularConfig

if TYPE_CHECKING:
    from agent.tabular.learner import TabularLearner


def _schedule(config: TabularConfig) -> Schedule:
    """Random moves are the agent's; those that are least known the learner chooses itself."""
    epsilon = config.epsilon if config.explore == "random" else 0.0
    return Schedule(epsilon_start=epsilon, epsilon_end=epsilon)


TABULAR: Method[TabularConfig, TabularLearner] = Method(
    name="tabular",
    config=TabularConfig,
    learner="agent.tabular.learner:TabularLearner",
    policy="agent.tabular.policy:TablePolicy",
    schedule=_schedule,
    largest=SIZE,
)
"""Q-learning in a table (Watkins 1989)."""
