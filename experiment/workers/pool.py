"""Work in shards by several workers: the same results, in the same order, as in this process alone.

A transport starts workers and carries shards and results: processes here, or those of a Ray cluster. What is
done in which order, and what happens when a worker dies, is decided here.
"""

from collections import Counter, deque
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from experiment.workers.processes import Processes
from experiment.workers.shards import DeathError, Transport, Work, Worker, WorkerDiedError

T = TypeVar("T")


class Pool:
    """Workers that do one work after another, and have to import and compile only once; a context.

    They are started when there is something to do. Shards are given to whoever is free, so a slow one does
    fewer.
    """

    def __init__(self, jobs: int = 1, transport: Transport | None = None) -> None:
        """Without a transport the workers are processes here; one job is done in this process."""
        self._jobs = jobs
        self._transport: Transport = transport or Processes()
        self._workers: list[Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._stop()

    def in_order(self, work: Work[T], shards: int, files: Sequence[Path] = ()) -> Generator[T, None, None]:
        """See Workers."""
        if min(self._jobs, shards) <= 1 and isinstance(self._transport, Processes):
            yield from work(range(shards))
            return
        done, course = False, _Course[T](shards, self._transport.attempts)
        try:
            order = self._transport.order(work, files)
            workers = self._beginning(order, min(self._jobs, shards))
            for number in range(shards):
                while number not in course.results:
                    self._go_on(course, workers, order)
                yield course.results.pop(number)
            for worker in workers:
                worker.give(None)
            done = True
        finally:
            if not done:  # they may still be at what nobody waits for any more
                self._stop()

    def _beginning(self, order: Any, jobs: int) -> list[Worker]:  # noqa: ANN401  the transport's own
        """Return this many workers that begin a work."""
        while len(self._workers) < jobs:
            self._workers.append(self._transport.start())
        self._workers.sort(key=lambda worker: not worker.is_ready)
        for worker in self._workers[:jobs]:
            worker.begin(order)
        return self._workers[:jobs]

    def _go_on(self, course: "_Course[Any]", workers: list[Worker], order: Any) -> None:  # noqa: ANN401  the same
        """Give shards to those that have none, and take the results that there are; wait for one."""
        for worker in workers:
            # More to go on with, as long as there are enough for all: near the end the fast ones do more.
            most = 1 + (self._transport.ahead if len(course.waiting) >= 2 * len(workers) else 0)
            while worker.is_ready and course.waiting and len(worker.given) < most:
                worker.given.append(course.waiting.popleft())
                worker.give(worker.given[-1])
        for worker in self._transport.wait([each for each in workers if each.given or not each.is_ready]):
            try:
                course.take(worker)
            except DeathError as death:
                another = self._transport.start()
                for group in (workers, self._workers):
                    group[group.index(worker)] = another
                another.begin(order)
                course.lost(worker.given, str(death))

    def _stop(self) -> None:
        workers, self._workers = self._workers, []
        self._transport.stop(workers)


class _Course(Generic[T]):
    """Shards on their way from `waiting` by some worker to `results`."""

    def __init__(self, shards: int, attempts: int) -> None:
        self.waiting = deque(range(shards))
        self.results: dict[int, T] = {}
        self._attempts = attempts
        self._deaths = Counter[int | None]()

    def take(self, worker: Worker) -> None:
        """Take what has come from a worker; raise ValueError as the work does, DeathError."""
        result = worker.take()
        if isinstance(result, ValueError):
            raise result
        if result:
            self.results[worker.given.pop(0)] = result.value

    def lost(self, shards: Sequence[int], reason: str) -> None:
        """Have shards done by others, since their worker has died over the first; none: it had not begun.

        Raises WorkerDiedError where that has happened too often.
        """
        first = next(iter(shards), None)
        self._deaths[first] += 1
        if self._deaths[first] == self._attempts:
            where = "at its beginning" if first is None else f"over shard {first}"
            raise WorkerDiedError(f"a worker ended early, {self._attempts} times {where}; the last: {reason}")
        self.waiting.extendleft(reversed(shards))
