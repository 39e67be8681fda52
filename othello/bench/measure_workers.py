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
from typing import Any, NamedTuple

from agent import learners
from agent.learning_agent import LearningAgent
from agent.selfplay.play import Finished, Rules
from agent.selfplay.pool import read_pool
from agent.selfplay.rounds import SHARD, for_batches
from agent.selfplay.shares import STANDARD
from agent.selfplay.training import SelfPlay
from environment.config import EnvironmentConfig
from environment.othello import OthelloEnvironment
from experiment.workers.shards import Workers
from game.registry import parse
from othello.bench.workers_model import Costs, table


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
        agent = LearningAgent[Any, Any](learners.find(spec.name), spec.options, 1, size, folder)
        agent.agent_init(OthelloEnvironment(EnvironmentConfig(size=size, opponent="self")).env_init())
        self._selfplay = SelfPlay(agent, Rules(size), read_pool(STANDARD, size), 0, self._in_order)
        self._done = 0
        self._playing = self._needed = 0.0
        self._processor = 0.0
        self.order_bytes = self.result_bytes = 0

    def play(self, workers: Workers, games: int) -> Round:
        self._workers = workers
        self._selfplay.play(self._done, games)
        self._done += games
        return Round(
            games / self._playing, games / self._needed, (time.process_time() - self._processor) / games
        )

    def _in_order(
        self, work: Callable[[Iterable[int]], Iterator[Finished]], shards: int, files: Sequence[Path]
    ) -> list[Finished]:
        begin, own = time.perf_counter(), time.process_time()
        timed = list(self._workers.in_order(partial(_timed, work), shards, files))
        self._playing, own = time.perf_counter() - begin, time.process_time() - own
        self._needed = _needed(own, timed)
        played = [each.finished for each in timed]
        self.order_bytes, self.result_bytes = len(pickle.dumps(work)), len(pickle.dumps(played[0]))
        self._processor = time.process_time()
        return played


class _Timed(NamedTuple):
    """A shard, and what it took."""

    finished: Finished
    process: tuple[str, int]
    seconds: float
    """Of processor time."""


def _timed(work: Callable[[Iterable[int]], Iterator[Finished]], numbers: Iterable[int]) -> Iterator[_Timed]:
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
        for _ in range(rounds):
            alone.append(play.play(one, SHARD * shards))
            together.append(play.play(several[0], SHARD * shards * several[1]))
    for what in ("games_a_second", "on_free_processors"):
        one_alone, all_of_them = ([getattr(each, what) for each in found] for found in (alone, together))
        yield from _compared(what.replace("_", " "), one_alone, several[1], all_of_them)
    learning = statistics.median(each.learning for each in alone + together)
    yield f"learning: {1e3 * learning:.3f} ms of processor time a game"
    back = play.result_bytes / SHARD
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
