"""Rounds of self-play by one worker and by several, and a model of many (`othello bench workers`)."""

import os
import pickle
import platform
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from othello_lab.agent.learner import find_method
from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.selfplay.play import Rules
from othello_lab.agent.selfplay.pool import STANDARD, read_pool
from othello_lab.agent.selfplay.round import SHARD
from othello_lab.agent.selfplay.training import SelfPlay, for_batches
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.experiment.workers.shards import Workers
from othello_lab.game.registry import parse

WORKERS: Final = (1, 2, 10, 100, 1000)
_A_MACHINE: Final = 16
"""Workers; they share one copy of the weights."""
_NETWORK: Final = 1.25e9
"""Bytes a second in and out of the machine that learns: 10 Gb/s."""
_SHARD_SECONDS: Final = 0.001
"""Of the process that learns, to give out a shard and to take its result."""


class Round(NamedTuple):
    """What a round cost."""

    games_a_second: float
    """While it was played."""
    on_free_processors: float
    """The same if nobody else used them: by the processor time of the busiest worker and of this process."""
    learning: float
    """Seconds of processor time a game."""


class _Rounds:
    """Plays rounds of self-play with workers that change, and looks at the clock."""

    def __init__(self, text: str, size: int, folder: Path) -> None:
        spec = parse(for_batches(text))
        agent = LearningAgent[Any, Any](find_method(spec.name), spec.options, 1, size, folder)
        agent.agent_init(OthelloEnvironment(EnvironmentConfig(size=size, opponent="self")).env_init())
        self._selfplay = SelfPlay(agent, Rules(size), read_pool(STANDARD, size), 0, self._in_order)
        self._done = 0
        self._playing = self._needed = 0.0
        self._processor = 0.0
        self.order_bytes, self.result_bytes = 0, 0.0
        """Of an order, and of the results of a game."""
        self.parts: int = getattr(agent.config, "parts", 1)

    def play(self, workers: Workers, games: int) -> Round:
        self._workers, self._games = workers, games
        self._selfplay.play(self._done, games)
        self._done += games
        return Round(
            games / self._playing, games / self._needed, (time.process_time() - self._processor) / games
        )

    def _in_order(
        self, work: Callable[[Iterable[int]], Iterator[Any]], shards: int, files: Sequence[Path]
    ) -> list[Any]:
        begin, own = time.perf_counter(), time.process_time()
        timed = list(self._workers.in_order(partial(_timed, work), shards, files))
        self._playing, own = time.perf_counter() - begin, time.process_time() - own
        self._needed = _needed(own, timed)
        played = [each.finished for each in timed]
        self.order_bytes = len(pickle.dumps(work))
        self.result_bytes = len(pickle.dumps(played[0])) * shards / self._games
        self._processor = time.process_time()
        return played


class _Timed(NamedTuple):
    """A shard, and what it took."""

    finished: Any
    process: tuple[str, int]
    seconds: float
    """Of processor time."""


def _timed(work: Callable[[Iterable[int]], Iterator[Any]], numbers: Iterable[int]) -> Iterator[_Timed]:
    begin = time.process_time()
    for finished in work(numbers):
        yield _Timed(finished, _this_process(), time.process_time() - begin)
        begin = time.process_time()


def _this_process() -> tuple[str, int]:
    return platform.node(), os.getpid()


def _needed(own: float, timed: list[_Timed]) -> float:
    """Return the seconds that it takes if each process has a processor: own ones, then the busiest."""
    spent = defaultdict[tuple[str, int], float](float)
    for each in timed:
        spent[each.process] += each.seconds
    spent[_this_process()] = 0.0  # which is in `own`
    return own + max(spent.values())


def report(
    text: str, size: int, one: Workers, several: tuple[Workers, int], rounds: int, shards: int
) -> Iterator[str]:
    """Yield lines: what was measured in rounds of this many shards a worker, and what the model says."""
    with TemporaryDirectory() as folder:
        play = _Rounds(text, size, Path(folder))
        play.play(one, SHARD)  # imports, compiles, fills caches
        play.play(several[0], SHARD * several[1])
        alone, together = list[Round](), list[Round]()
        # A part of a round is worth less to a worker the smaller it is: rounds in parts have one size.
        games = SHARD * shards * (several[1] if play.parts > 1 else 1)
        for _ in range(rounds):
            alone.append(play.play(one, games))
            together.append(play.play(several[0], SHARD * shards * several[1]))
    for what in ("games_a_second", "on_free_processors"):
        one_alone, all_of_them = ([getattr(each, what) for each in found] for found in (alone, together))
        yield from _compared(what.replace("_", " "), one_alone, several[1], all_of_them)
    learning = statistics.median(each.learning for each in alone + together)
    what = "putting parts together" if play.parts > 1 else "learning"
    yield f"{what}: {1e3 * learning:.3f} ms of processor time a game"
    back = play.result_bytes
    yield f"bytes: {play.order_bytes:,} to each machine a round, {back:,.0f} a game back"
    yield ""
    alone_free = statistics.median(each.on_free_processors for each in alone)
    yield from table(Costs(1 / alone_free, learning, play.order_bytes, back))


def _compared(what: str, alone: list[float], workers: int, together: list[float]) -> Iterator[str]:
    """Yield a line about games a second of one worker and of several, and their ratio in pairs of rounds."""
    ratios = sorted(b / a for a, b in zip(alone, together, strict=True))
    times = f"{statistics.median(ratios):.2f} times"
    between = f"{ratios[0]:.2f} to {ratios[-1]:.2f}, {len(ratios)} pairs"
    one, several = statistics.median(alone), statistics.median(together)
    yield f"{what}: 1 worker {one:,.0f}, {workers} workers {several:,.0f}, {times} ({between})"


class Costs(NamedTuple):
    """What one game costs, in seconds and bytes."""

    playing: float
    learning: float
    order_bytes: float
    """To each machine, once a round."""
    result_bytes: float


class Share(NamedTuple):
    """The seconds of a round in which each worker plays a shard, one after the other."""

    playing: float
    learning: float
    network: float
    sharing: float

    @property
    def total(self) -> float:
        """The whole round."""
        return sum(self)


def model(costs: Costs, workers: int) -> Share:
    """Return how long a round of SHARD games a worker takes: they play at the same time, all else waits."""
    games, machines = SHARD * workers, -(-workers // _A_MACHINE)
    sent = machines * costs.order_bytes + games * costs.result_bytes
    return Share(SHARD * costs.playing, games * costs.learning, sent / _NETWORK, workers * _SHARD_SECONDS)


def table(costs: Costs) -> Iterator[str]:
    """Yield lines: for each number of workers games a second, and which share of the time goes where."""
    yield "model: a round is 512 games a worker, 16 workers a machine, 10 Gb/s to the one that learns"
    yield "workers    games/s    times   playing  learning  network  sharing out"
    alone = SHARD / model(costs, 1).total
    for workers in WORKERS:
        share = model(costs, workers)
        speed = SHARD * workers / share.total
        parts = "".join(f"{part / share.total:>9.0%} " for part in share)
        yield f"{workers:>7,} {speed:>10,.0f} {speed / alone:>8.2f} {parts}"
