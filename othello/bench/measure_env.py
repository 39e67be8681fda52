"""Speed of the vector environment, beside other libraries if installed (`othello bench env`)."""

import time
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np

import environment.adapters
from environment.adapters.vector import random_actions
from othello.bench import env_libraries as rivals
from othello.bench.game_libraries import Work
from othello.bench.libraries import not_compared
from othello.bench.measure_game import Task, line, measure

UNIT = "steps/s"


def tasks(games: int) -> Iterator[Task]:
    """Yield what is measured."""
    for opponent, others in (
        ("random", rivals.against_random(games)),
        ("corner-greedy", rivals.against_corner_greedy()),
    ):
        yield Task(
            f"against {opponent}, {games} games", UNIT, _ours(games, opponent), others, time.process_time
        )


def _ours(games: int, opponent: str) -> Work:
    envs = gymnasium.make_vec(environment.adapters.ID, games, opponent=opponent)
    rng = np.random.default_rng(0)
    held: list[dict[str, Any]] = [envs.reset(seed=0)[1]]

    def play() -> float:
        *_, held[0] = envs.step(random_actions(held[0]["action_mask"], rng))
        return games

    return play


def report(seconds: float, games: int) -> Iterator[str]:
    """Yield the lines of the table; each figure is measured for this many seconds, in each of the rounds."""
    for task in tasks(games):
        yield line(task, measure(task, seconds))
    yield from not_compared(*rivals.NAMES)
