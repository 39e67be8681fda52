"""Monte-Carlo Q in the catalogue of learning methods. What needs torch is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from agent.learner import Method, Seeds
from agent.mcq.config import MCQConfig, configure
from agent.memory.recorder import Recorder
from agent.memory.transitions import Transitions
from agent.schedule import Schedule
from agent.task import Task

if TYPE_CHECKING:
    from agent.checkpoint import Stored
    from agent.mcq.learner import MCQLearner
    from game.evaluators import Evaluator
    from game.players import Player


def _schedule(config: MCQConfig) -> Schedule:
    return Schedule(epsilon_start=config.epsilon, epsilon_end=config.epsilon)


def _load() -> Callable[[MCQConfig, int, Seeds], MCQLearner]:
    from agent.mcq.learner import MCQLearner

    return MCQLearner


def _recorder(learner: MCQLearner, task: Task) -> Recorder:
    """Without a discount: which turns are discounted is the learner's business."""
    learner.draw = task.draw
    return Recorder(Transitions(learner.take), task.size * task.size, gamma=1.0)


def _read(stored: Stored, size: int) -> MCQConfig:
    from agent.mcq.saving import read_config

    return read_config(stored, size)


def _player(stored: Stored, size: int) -> Player:
    from agent.mcq.seats import MCQPlayer

    return MCQPlayer(stored, size)


def _evaluator(stored: Stored, size: int) -> Evaluator:
    from agent.mcq.seats import mcq_evaluator

    return mcq_evaluator(stored, size)


MCQ: Method[MCQConfig, MCQLearner] = Method(
    name="mcq",
    configure=configure,
    schedule=_schedule,
    load=_load,
    recorder=_recorder,
    read=_read,
    player=_player,
    evaluator=_evaluator,
)
"""Monte-Carlo Q-learning (Sutton and Barto 2018, section 5.4, on-policy, every visit) with a network."""
