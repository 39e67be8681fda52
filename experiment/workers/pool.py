"""Work in shards on several processes: the same results, in the same order, as in this process alone."""

import multiprocessing
import signal
from collections.abc import Generator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any, Generic, NamedTuple, Self, TypeVar

from experiment.workers.shards import Result, Work, WorkerDiedError

ATTEMPTS = 2
"""A shard whose process dies is done again by another process, so many times in all."""
_STOP_SECONDS = 5.0
"""How long a process has to end the programs that it has started."""

T = TypeVar("T")


class _Order(NamedTuple, Generic[T]):
    """What a process is sent to do."""

    work: Work[T]
    shards: range


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
        workers = min(self._jobs, shards)
        if workers <= 1:
            yield from work(range(shards))
            return
        done = False
        try:
            self._give(work, shards, workers)
            for number in range(shards):
                yield self._workers[number % workers].result()
            done = True
        finally:
            if not done:  # they may still be at what nobody waits for any more
                self._stop()

    def _give(self, work: Work[T], shards: int, workers: int) -> None:
        while len(self._workers) < workers:
            self._workers.append(_Worker())
        for first, worker in enumerate(self._workers[:workers]):
            worker.give(work, range(first, shards, workers))

    def _stop(self) -> None:
        while self._workers:
            self._workers.pop().stop()


class _Worker:
    """A process that does some shards of each work, and is replaced if it dies."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        # spawn: the same on every system, and safe where the parent has threads.
        context = multiprocessing.get_context("spawn")
        # Any: orders and results, each of the type of its work.
        self._connection: Connection[Any, Any]
        self._connection, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other,), daemon=True)
        self._process.start()
        other.close()  # the child has its own: when that is closed, the end is seen here

    def give(self, work: Work[Any], shards: range) -> None:
        """Have it do these shards of a work; the work before is done."""
        self._work = work
        self._left = shards
        """Those without a result."""
        self._send()

    def _send(self) -> None:
        with suppress(OSError):  # if it has died, that is found out when its result is waited for
            self._connection.send(_Order(self._work, self._left))

    def result(self) -> Any:  # noqa: ANN401  of the type of the work that it was given
        """Return the next result."""
        code = None
        for _ in range(ATTEMPTS):
            try:
                result = self._connection.recv()
            except (EOFError, OSError):
                code = self._replace()
                continue
            if isinstance(result, ValueError):
                raise result
            self._left = self._left[1:]
            return result.value
        raise WorkerDiedError(
            f"a process ended early, with exit code {code}, {ATTEMPTS} times over shard {self._left[0]}"
        )

    def _replace(self) -> int | None:
        """Have another process do what is left; return the exit code of the one that died."""
        self._process.join(_STOP_SECONDS)
        code = self._process.exitcode
        self.stop()
        self._start()
        self._send()
        return code

    def stop(self) -> None:
        """End the process if it has not ended by itself."""
        self._connection.close()
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
        while True:
            _do(connection.recv(), connection)
    # There is nothing left to end, and an exception while Python itself ends would be printed.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _do(order: _Order[T], results: "Connection[Result[T] | ValueError, Any]") -> None:
    try:
        for result in order.work(order.shards):
            results.send(Result(result))
    except ValueError as error:  # what the user can have caused; all else prints its traceback here
        results.send(error)


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)
