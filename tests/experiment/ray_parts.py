"""Work to be done elsewhere, and a machine that dies."""

import os
import signal
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from rich.console import Console

from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.ntuple.method import NTUPLE
from othello_lab.agent.selfplay.play import Rules
from othello_lab.agent.selfplay.pool import read_pool
from othello_lab.agent.selfplay.training import SelfPlay
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.experiment.compare.tournament.entrants import entrant
from othello_lab.experiment.compare.tournament.schedule import Plan, play_tournament
from othello_lab.experiment.workers.shards import Work, Workers
from othello_lab.game.openings import standard_openings

T = TypeVar("T")
Cluster: TypeAlias = Any
"""That of ray.cluster_utils, which has no types."""
PROGRAM = """
import os, pathlib, signal, sys
mark = pathlib.Path("mark")
if sys.argv[1:] == ["dies"] and not mark.exists():
    mark.touch()
    os.kill(os.getppid(), signal.SIGKILL)
print("began", flush=True)
sys.stdin.read()
print("saved", flush=True)
raise SystemExit(3)
"""
"""Saves when its input ends; once it kills whoever started it."""


class Killing:
    """Workers of whom a machine dies in the middle of the work."""

    def __init__(self, workers: Workers, cluster: Cluster, after: int) -> None:
        self._workers, self._cluster, self._after = workers, cluster, after

    def in_order(self, work: Work[T], shards: int, files: Sequence[Path] = ()) -> Generator[T, None, None]:
        for number, result in enumerate(self._workers.in_order(work, shards, files)):
            nodes = self._cluster.list_all_nodes()
            if number == self._after and len(nodes) > 1:
                self._cluster.remove_node(nodes[-1], allow_graceful=False)
            yield result


def squares(numbers: Iterable[int], dies: Path | None = None) -> Iterator[int]:
    """Square numbers; on the third the process dies unless there is a mark that it did."""
    for number in numbers:
        if dies and number == 2 and not dies.exists():
            dies.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        yield number**2


def always_dies(numbers: Iterable[int]) -> Iterator[int]:
    os._exit(9)
    yield from numbers


def refuses(numbers: Iterable[int]) -> Iterator[int]:
    yield from (int(f"no number {number}") for number in numbers)


def process_and_node(numbers: Iterable[int]) -> Iterator[tuple[int, str]]:
    import ray

    for _ in numbers:
        yield os.getpid(), ray.get_runtime_context().get_node_id()


def tournament(path: Path, workers: Workers) -> list[str]:
    """The whole database of a tournament."""
    players = [entrant(text, 6) for text in ("random", "greedy", "noisy:positional,share=0.5")]
    plan = Plan(players, 6, standard_openings(6, 12), seed=3)
    play_tournament(plan, path, workers, Console(quiet=True))
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def recorded_games(path: Path) -> int:
    """How many games the database of a tournament has, which may not be there yet."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            (count,) = connection.execute("SELECT count(*) FROM game").fetchone()
            return int(count)
    except sqlite3.OperationalError:
        return 0


def trained(directory: Path, workers: Workers, **options: str) -> dict[str, bytes]:
    """All checkpoints of three rounds of self-play, also against past selves."""
    agent = LearningAgent(NTUPLE, options, 1, 4, directory)
    agent.agent_init(OthelloEnvironment(EnvironmentConfig(size=4, opponent="self")).env_init())
    rounds = SelfPlay(agent, Rules(4, random_opening=2), read_pool("past=0.5", 4), 5, workers.in_order)
    for done in (0, 1100, 2200):
        rounds.play(done, 1100)
    agent.save("end")
    return {path.name: path.read_bytes() for path in directory.iterdir()}
