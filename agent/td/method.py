"""TD(lambda) in the catalogue of learning methods. What needs torch is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from agent.learner import Method, Seeds
from agent.memory.recorder import Recorder
from agent.schedule import Schedule
from agent.task import Task
from agent.td.config import TDConfig, configure

if TYPE_CHECKING:
    from agent.checkpoint import Stored
    from agent.td.learner import TDLearner
    from game.evaluators import Evaluator
    from game.players import Player


def _schedule(config: TDConfig) -> Schedule:
    return Schedule(epsilon_start=config.epsilon, epsilon_end=config.epsilon)


def _load() -> Callable[[TDConfig, int, Seeds], TDLearner]:
    from agent.td.learner import TDLearner

    return TDLearner


def _recorder(learner: TDLearner, task: Task) -> Recorder:
    return Recorder(learner.sink, task.size * task.size, learner.config.gamma)


def _read(stored: Stored, size: int) -> TDConfig:
    from agent.td.saving import read_config

    return read_config(stored, size)


def _player(stored: Stored, size: int) -> Player:
    from agent.td.evaluator import ValueEvaluator
    from agent.td.player import ValuePlayer
    from agent.td.saving import read_values

    return ValuePlayer(ValueEvaluator(read_values(stored, size)))


def _evaluator(stored: Stored, size: int) -> Evaluator:
    from agent.td.evaluator import ValueEvaluator
    from agent.td.saving import read_values

    return ValueEvaluator(read_values(stored, size))


TD: Method[TDConfig, TDLearner] = Method(
    name="td",
    configure=configure,
    schedule=_schedule,
    load=_load,
    recorder=_recorder,
    read=_read,
    player=_player,
    evaluator=_evaluator,
)
"""TD(lambda) on afterstates."""
