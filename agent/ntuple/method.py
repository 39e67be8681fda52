"""The n-tuple network in the catalogue of learning methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from agent.learner import Method, Seeds
from agent.memory.recorder import Recorder
from agent.ntuple.config import NTupleConfig, configure, following
from agent.schedule import Schedule
from agent.task import Task

if TYPE_CHECKING:
    from agent.checkpoint import Stored
    from agent.ntuple.learner import NTupleLearner
    from game.evaluators import Evaluator
    from game.players import Player


def _schedule(config: NTupleConfig) -> Schedule:
    return Schedule(epsilon_start=config.epsilon, epsilon_end=config.epsilon)


def _load() -> Callable[[NTupleConfig, int, Seeds], NTupleLearner]:
    from agent.ntuple.learner import NTupleLearner

    return NTupleLearner


def _recorder(learner: NTupleLearner, task: Task) -> Recorder:
    return Recorder(learner.sink, task.size * task.size, learner.config.gamma)


def _read(stored: Stored, size: int) -> NTupleConfig:
    from agent.ntuple.network import read_config

    return read_config(stored, size)


def _player(stored: Stored, size: int) -> Player:
    from agent.ntuple.network import read_evaluator
    from game.players.one_ply import OnePlyPlayer

    return OnePlyPlayer(read_evaluator(stored, size), results=True)


def _evaluator(stored: Stored, size: int) -> Evaluator:
    from agent.ntuple.network import read_evaluator

    return read_evaluator(stored, size)


NTUPLE: Method[NTupleConfig, NTupleLearner] = Method(
    name="ntuple",
    configure=configure,
    schedule=_schedule,
    load=_load,
    recorder=_recorder,
    read=_read,
    player=_player,
    evaluator=_evaluator,
    following=following,
)
"""An n-tuple network (Lucas 2007; Szubert et al. 2013), taught by TD."""
