"""A pool of workers that do work in shards: the same results, in the same order, as in this process alone.

A transport starts workers and carries shards and results: processes here, or those of a Ray cluster. What is
done in which order, and what happens when a worker dies, is decided here.
"""

import multiprocessing
import signal
from collections import Counter, deque
from collections.abc import Generator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FrameType
from typing import Any, Generic, NamedTuple, Self, TypeVar

from othello_lab.experiment.workers.shards import DeathError, Result, Transport, Work, Worker, WorkerDiedError

_STOP_SECONDS = 5.0
"""How long a process has to end the programs that it has started."""


class _Order(NamedTuple):
    """What a process is sent to do; the numbers of shards follow one by one, and after the last None."""

    work: Work[Any]


class Processes:
    """Starts processes, and sends to them through pipes; see Transport."""

    attempts, ahead = 2, 1

    def start(self) -> "_Process":
        """See Transport."""
        return _Process()

    def order(self, work: Work[Any], files: Sequence[Path]) -> _Order:
        """See Transport; files are where they are."""
        return _Order(work)

    def wait(self, busy: "Sequence[_Process]") -> "Sequence[_Process]":
        """See Transport."""
        ready = wait([worker.connection for worker in busy])
        return [worker for worker in busy if worker.connection in ready]

    def stop(self, workers: "Sequence[_Process]") -> None:
        """See Transport."""
        for worker in workers:
            worker.stop()


class _Process:
    """A process as it is seen from here; see Worker."""

    is_ready = True

    def __init__(self) -> None:
        self.given: list[int] = []
        # spawn: the same on every system, and safe where the parent has threads.
        context = multiprocessing.get_context("spawn")
        # Any: orders and results, each of the type of its work.
        self.connection: Connection[Any, Any]
        self.connection, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other,), daemon=True)
        self._process.start()
        other.close()  # the child has its own: when that is closed, the end is seen here

    def give(self, message: _Order | int | None) -> None:
        """See Worker; also sends the order of a work."""
        with suppress(OSError):  # if it has died, that is found out when its result is waited for
            self.connection.send(message)

    begin = give

    def take(self) -> Result[Any] | ValueError:
        """See Worker."""
        try:
            answer: Result[Any] | ValueError = self.connection.recv()
        except (EOFError, OSError):
            self._process.join(_STOP_SECONDS)
            code = self._process.exitcode
            self.stop()
            raise DeathError(f"exit code {code}") from None
        return answer

    def stop(self) -> None:
        """End the process if it has not ended by itself."""
        self.connection.close()
        self._process.terminate()
        self._process.join(_STOP_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


def _serve(connection: "Connection[Any, Any]") -> None:
    """Carry out orders until the other end is closed."""
    # The terminal's Ctrl-C goes to all of us, but the parent decides. Its SIGTERM has to pass by the work,
    # which may have programs to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    # The parent has ended then, or does not wait any more.
    with connection, suppress(EOFError, ConnectionError):
        while _do(connection.recv(), connection):
            pass
    # There is nothing left to end, and an exception while Python itself ends would be printed.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _do(order: _Order, connection: "Connection[Result[Any] | ValueError, Any]") -> bool:
    """Do the shards of a work, and tell whether that was possible; else the parent goes on without us."""
    try:
        for result in order.work(iter(connection.recv, None)):
            connection.send(Result(result))
    except ValueError as error:  # what the user can have caused; all else prints its traceback here
        connection.send(error)
        return False
    return True


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)


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
