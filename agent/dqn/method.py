"""DQN in the catalogue of learning methods. What needs torch is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING

from agent.dqn.config import DQNConfig
from agent.dqn.length import SELFPLAY, following
from agent.dqn.options import configure
from agent.learner import Method
from agent.memory.recorder import Recorder
from agent.schedule import Schedule
from agent.task import Task

if TYPE_CHECKING:
    from agent.checkpoint import Stored
    from agent.dqn.learner import DQNLearner
    from game.evaluators import Evaluator
    from game.players import Player


def _schedule(config: DQNConfig) -> Schedule:
    return Schedule(**{field.name: getattr(config, field.name) for field in fields(Schedule)})


def _load() -> Callable[..., DQNLearner]:
    from agent.dqn.learner import DQNLearner

    return DQNLearner


def _recorder(learner: DQNLearner, task: Task) -> Recorder:
    config = learner.config
    gamma = task.gamma if config.gamma is None else config.gamma
    return Recorder(learner.replay, task.size * task.size, gamma, config.frames, config.negamax)


def _read(stored: Stored, size: int) -> DQNConfig:
    from agent.dqn.saving import read_config

    return read_config(stored, size)


def _player(stored: Stored, size: int) -> Player:
    from agent.dqn.player import NetworkPlayer

    return NetworkPlayer(stored, size)


def _evaluator(stored: Stored, size: int) -> Evaluator:
    from agent.dqn.evaluator import network_evaluator

    return network_evaluator(stored, size)


DQN: Method[DQNConfig, DQNLearner] = Method(
    name="dqn",
    configure=configure,
    schedule=_schedule,
    load=_load,
    recorder=_recorder,
    read=_read,
    player=_player,
    evaluator=_evaluator,
    following=following,
    batched=f"preset={SELFPLAY}",
    devices=True,
)
"""Deep Q-learning (Mnih et al. 2015) and what came after it, each part an option."""
