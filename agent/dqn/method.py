"""DQN in the catalogue of learning methods."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from agent.dqn.config import DQNConfig
from agent.dqn.length import SELFPLAY, following
from agent.dqn.options import configure
from agent.learner import Method
from agent.schedule import Schedule

if TYPE_CHECKING:
    from agent.dqn.learner import DQNLearner


def _schedule(config: DQNConfig) -> Schedule:
    return Schedule(**{field.name: getattr(config, field.name) for field in fields(Schedule)})


DQN: Method[DQNConfig, DQNLearner] = Method(
    name="dqn",
    config=DQNConfig,
    learner="agent.dqn.learner:DQNLearner",
    policy="agent.dqn.policy:DQNPolicy",
    from_texts=configure,
    schedule=_schedule,
    following=following,
    batched=f"preset={SELFPLAY}",
    devices=True,
)
"""Deep Q-learning (Mnih et al. 2015) and what came after it, each part an option."""
