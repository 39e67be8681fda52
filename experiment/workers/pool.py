"""Work in shards on several processes: the same results, in the same order, as in this process alone."""

import multiprocessing
import signal
from collections.abc import Generator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FrameType
from typing import Any, Generic, NamedTuple, Self, TypeVar

from experiment.workers.queue import Course
from experiment.workers.shards import Result, Work

ATTEMPTS = 2
"""A shard whose process dies is done again by another process, this many times in all."""
_STOP_SECONDS = 5.0
"""How long a process has to end the programs that it has started."""

T = TypeVar("T")


class _Order(NamedTuple, Generic[T]):
    """What a process is sent to do; the numbers of shards follow one by one, and after the last None."""

    work: Work[T]


class Pool:
    """Processes that do one work after another, and have to import and compile only once; a context.

    With one job the work is done in this process. Others are started when there is something to do.
    """

    def __init__(self, jobs: int = 1) -> None:
        self._jobs = jobs
        self._workers: list[_Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._stop()

    def in_order(self, work: Work[T], shards: int, files: Sequence[Path] = ()) -> Generator[T, None, None]:
        """See Workers."""
        jobs = min(self._jobs, shards)
        if jobs <= 1:
            yield from work(range(shards))
            return
        done, course = False, Course[T](shards, ATTEMPTS)
        try:
            workers = self._beginning(work, jobs)
            for number in range(shards):
                while number not in course.results:
                    _go_on(course, workers)
                yield course.results.pop(number)
            for worker in workers:
                worker.give(None)
            done = True
        finally:
            if not done:  # they may still be at what nobody waits for any more
                self._stop()

    def _beginning(self, work: Work[T], jobs: int) -> "list[_Worker]":
        """Return this many workers that begin a work."""
        while len(self._workers) < jobs:
            self._workers.append(_Worker())
        for worker in self._workers[:jobs]:
            worker.begin(work)
        return self._workers[:jobs]

    def _stop(self) -> None:
        while self._workers:
            self._workers.pop().stop()


def _go_on(course: Course[Any], workers: "list[_Worker]") -> None:
    """Give shards to those that have none, and take the results that there are; wait for one."""
    for worker in workers:
        # One more to go on with, as long as there are enough for all: near the end the fast ones do more.
        most = 2 if len(course.waiting) >= 2 * len(workers) else 1
        while course.waiting and len(worker.given) < most:
            worker.give(course.waiting.popleft())
    at_work = [worker for worker in workers if worker.given]
    ready = wait([worker.connection for worker in at_work])
    for worker in at_work:
        if worker.connection in ready:
            worker.take_result(course)


class _Worker:
    """A process that does shards of one work after another, and is replaced if it dies."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        # spawn: the same on every system, and safe where the parent has threads.
        context = multiprocessing.get_context("spawn")
        # Any: orders and results, each of the type of its work.
        self.connection: Connection[Any, Any]
        self.connection, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other,), daemon=True)
        self._process.start()
        other.close()  # the child has its own: when that is closed, the end is seen here

    def begin(self, work: Work[Any]) -> None:
        """Have it do shards of this work from now on; the work before is done."""
        self._work = work
        self.given: list[int] = []
        """Shards without a result, in the order in which it does them."""
        self._send(_Order(work))

    def give(self, shard: int | None) -> None:
        """Have it do a shard as well; None: there will be no more of this work."""
        if shard is not None:
            self.given.append(shard)
        self._send(shard)

    def _send(self, message: _Order[Any] | int | None) -> None:
        with suppress(OSError):  # if it has died, that is found out when its result is waited for
            self.connection.send(message)

    def take_result(self, course: Course[Any]) -> None:
        """Take the result of a shard; raise ValueError as the work does, WorkerDiedError."""
        try:
            result = self.connection.recv()
        except (EOFError, OSError):
            lost, code = self.given, self._replace()
            course.lost(lost, f"exit code {code}")
            return
        if isinstance(result, ValueError):
            raise result
        course.results[self.given.pop(0)] = result.value

    def _replace(self) -> int | None:
        """Have another process go on with the work; return the exit code of the one that died."""
        self._process.join(_STOP_SECONDS)
        code = self._process.exitcode
        self.stop()
        self._start()
        self.begin(self._work)
        return code

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


def _do(order: _Order[T], connection: "Connection[Result[T] | ValueError, Any]") -> bool:
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
