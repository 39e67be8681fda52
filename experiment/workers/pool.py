"""Work in shards on several processes: the same results, in the same order, as in this process alone."""

import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from types import FrameType
from typing import Generic, NamedTuple, TypeAlias, TypeVar

ATTEMPTS = 2
"""A shard whose process dies is done again by another process, so many times in all."""
_STOP_SECONDS = 5.0
"""How long a process has to end the programs that it has started."""

T = TypeVar("T")
Work: TypeAlias = Callable[[Iterable[int]], Iterator[T]]
"""Does the shards with the given numbers one after another and yields the result of each.

A result depends on its number alone. Work and results are pickled where there are several processes.
"""


class _Result(NamedTuple, Generic[T]):
    """What a process sends for each shard."""

    value: T


class WorkerDiedError(RuntimeError):
    """A process ended before its work did, and so did those that repeated it."""


def in_order(work: Work[T], shards: int, jobs: int = 1) -> Generator[T, None, None]:
    """Do the shards 0 to `shards` - 1 on `jobs` processes and yield their results in that order.

    A ValueError that the work raises is raised here; raises WorkerDiedError.
    """
    jobs = min(jobs, shards)
    if jobs <= 1:
        yield from work(range(shards))
        return
    workers: list[_Worker[T]] = []
    try:
        for first in range(jobs):
            workers.append(_Worker(work, range(first, shards, jobs)))
        for number in range(shards):
            yield workers[number % jobs].result()
    finally:
        for worker in workers:
            worker.stop()


class _Worker(Generic[T]):
    """A process that does some shards, and is replaced if it dies."""

    def __init__(self, work: Work[T], shards: range) -> None:
        self._work = work
        self._left = shards
        """Those without a result."""
        self._start()

    def _start(self) -> None:
        # spawn: the same on every system, and safe where the parent has threads.
        context = multiprocessing.get_context("spawn")
        self._results: Connection[None, _Result[T] | ValueError]
        self._results, sender = context.Pipe(duplex=False)
        self._process = context.Process(target=_do, args=(self._work, self._left, sender), daemon=True)
        self._process.start()
        sender.close()  # the child has its own: when that is closed, the end is seen here

    def result(self) -> T:
        """Return the next result."""
        code = None
        for _ in range(ATTEMPTS):
            try:
                result = self._results.recv()
            except EOFError:
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
        """Start another process for what is left; return the exit code of the one that died."""
        self._process.join(_STOP_SECONDS)
        code = self._process.exitcode
        self.stop()
        self._start()
        return code

    def stop(self) -> None:
        """End the process if it has not ended by itself."""
        self._results.close()
        self._process.terminate()
        self._process.join(_STOP_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


def _do(work: Work[T], shards: range, results: "Connection[_Result[T] | ValueError, None]") -> None:
    # The terminal's Ctrl-C goes to all of us, but the parent decides. Its SIGTERM has to pass by the work,
    # which may have programs to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    with results, suppress(BrokenPipeError):
        try:
            for result in work(shards):
                results.send(_Result(result))
        except ValueError as error:  # what the user can have caused; all else prints its traceback here
            results.send(error)


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)
