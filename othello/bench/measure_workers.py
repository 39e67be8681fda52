"""Rounds of self-play by one worker and by several, and a model of many (`othello bench workers`)."""

import pickle
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
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
        self._playing = 0.0
        self._processor = 0.0
        self.order_bytes = self.result_bytes = 0

    def play(self, workers: Workers, games: int) -> Round:
        self._workers = workers
        self._selfplay.play(self._done, games)
        self._done += games
        return Round(games / self._playing, (time.process_time() - self._processor) / games)

    def _in_order(
        self, work: Callable[[Iterable[int]], Iterator[Finished]], shards: int, files: Sequence[Path]
    ) -> list[Finished]:
        begin = time.perf_counter()
        played = list(self._workers.in_order(work, shards, files))
        self._playing = time.perf_counter() - begin
        self.order_bytes, self.result_bytes = len(pickle.dumps(work)), len(pickle.dumps(played[0]))
        self._processor = time.process_time()
        return played


def report(
    text: str, size: int, one: Workers, several: tuple[Workers, int], rounds: int, shards: int
) -> Iterator[str]:
    """Yield lines: what was measured in rounds of so many shards a worker, and what the model says."""
    with TemporaryDirectory() as folder:
        play = _Rounds(text, size, Path(folder))
        play.play(one, SHARD)  # imports, compiles, fills caches
        play.play(several[0], SHARD * several[1])
        alone, together = list[Round](), list[Round]()
        for _ in range(rounds):
            alone.append(play.play(one, SHARD * shards))
            together.append(play.play(several[0], SHARD * shards * several[1]))
    yield f"1 worker   {_median(alone):,.0f} games a second"
    ratios = sorted(b.games_a_second / a.games_a_second for a, b in zip(alone, together, strict=True))
    between = f"median of {rounds} pairs, {ratios[0]:.2f} to {ratios[-1]:.2f}"
    yield f"{several[1]} workers  {_median(together):,.0f}: {statistics.median(ratios):.2f} times ({between})"
    learning = statistics.median(each.learning for each in alone + together)
    yield f"learning   {1e3 * learning:.3f} ms of processor time a game"
    back = play.result_bytes / SHARD
    yield f"bytes      {play.order_bytes:,} to each machine a round, {back:,.0f} a game back"
    yield ""
    yield from table(Costs(1 / _median(alone), learning, play.order_bytes, back))


def _median(rounds: list[Round]) -> float:
    return statistics.median(each.games_a_second for each in rounds)
