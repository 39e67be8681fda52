"""A pool of processes that do work in shards: the same results, in the same order, as in this process."""

import multiprocessing
import os
import signal
from collections import Counter, deque
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Any, Self, TypeVar

from othello_lab.experiment.workers.shards import Work, WorkersError

_ATTEMPTS = 2
"""How often a shard is tried if its process dies."""
_AHEAD = 1
"""Shards that a process may have waiting besides the one that it does."""
_STOP_SECONDS = 5.0
"""How long a process has to end the programs that it has started."""

T = TypeVar("T")


class Pool:
    """Processes that do one work after another, and import and compile only once; a context manager.

    The first work starts them. A process that is free takes the next shard, so a slow one does fewer.
    """

    def __init__(self, jobs: int = 1) -> None:
        """Create a pool of this many processes; one job is done in this process."""
        self._jobs = jobs
        self._processes: list[_Process] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._stop()

    def in_order(self, work: Work[T], shards: int) -> Generator[T, None, None]:
        """See Workers; a shard whose process dies is done again once."""
        jobs = min(self._jobs, shards)
        if jobs <= 1:
            yield from work(range(shards))
            return
        is_done = False
        try:
            yield from self._results(work, shards, jobs)
            is_done = True
        finally:
            if not is_done:  # the processes may still be busy with abandoned work
                self._stop()

    def _results(self, work: Work[T], shards: int, jobs: int) -> Iterator[T]:
        waiting, results, deaths = deque(range(shards)), dict[int, T](), Counter[int]()
        while len(self._processes) < jobs:
            self._processes.append(_Process())
        for process in self._processes[:jobs]:
            process.send(work)
        for number in range(shards):
            while number not in results:
                _give(self._processes[:jobs], waiting)
                for process in _ready(self._processes[:jobs]):
                    try:
                        results[process.shards[0]] = process.receive()
                        process.shards.pop(0)
                    except EOFError:
                        self._replace(process, work, waiting, deaths)
            yield results.pop(number)
        for process in self._processes[:jobs]:
            process.send(None)

    def _replace(
        self, process: "_Process", work: Work[Any], waiting: deque[int], deaths: Counter[int]
    ) -> None:
        """Start another process in place of a dead one, whose shards are the next to be done.

        Raises WorkersError if processes have died over the same shard _ATTEMPTS times.
        """
        shard, exit_code = process.shards[0], process.exit_code()
        deaths[shard] += 1
        if deaths[shard] == _ATTEMPTS:
            raise WorkersError(
                f"a worker ended early, {_ATTEMPTS} times over shard {shard}; the last: exit code {exit_code}"
            )
        process.stop()
        waiting.extendleft(reversed(process.shards))
        other = self._processes[self._processes.index(process)] = _Process()
        other.send(work)

    def _stop(self) -> None:
        processes, self._processes = self._processes, []
        for process in processes:
            process.stop()


def _give(processes: "list[_Process]", waiting: deque[int]) -> None:
    """Give shards to processes that need one; near the end none ahead, so that the fast ones do more."""
    for process in processes:
        most = 1 + (_AHEAD if len(waiting) >= 2 * len(processes) else 0)
        while waiting and len(process.shards) < most:
            process.shards.append(waiting.popleft())
            process.send(process.shards[-1])


def _ready(processes: "list[_Process]") -> "list[_Process]":
    """Wait for an answer; return the processes that have one, or have died."""
    ready = wait([process.connection for process in processes if process.shards])
    return [process for process in processes if process.connection in ready]


class _Process:
    """A process of the pool, and its end of the pipe to it."""

    def __init__(self) -> None:
        self.shards: list[int] = []
        """Shards without a result, in the order in which the process does them."""
        # spawn: the same on every system, and safe where the parent has threads.
        context = multiprocessing.get_context("spawn")
        # Any: works, numbers and results.
        self.connection: Connection[Any, Any]
        self.connection, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other, os.environ.get(_SAFE)), daemon=True)
        with _safe_path():
            self._process.start()
        other.close()  # so that recv raises EOFError when the process has ended

    def send(self, message: object) -> None:
        """Send a work, then the numbers of its shards, then None."""
        with suppress(OSError):  # a death is noticed when the result is read
            self.connection.send(message)

    def receive(self) -> Any:  # noqa: ANN401  of any work
        """Return a result; raise the ValueError of the work, EOFError if the process has died."""
        try:
            result = self.connection.recv()
        except OSError:
            raise EOFError from None
        if isinstance(result, ValueError):
            raise result
        return result

    def exit_code(self) -> int | None:
        """Return the exit code of a process that is ending."""
        self._process.join(_STOP_SECONDS)
        return self._process.exitcode

    def stop(self) -> None:
        """End the process if it has not ended by itself."""
        self.connection.close()
        self._process.terminate()
        self._process.join(_STOP_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


_SAFE = "PYTHONSAFEPATH"


@contextmanager
def _safe_path() -> Iterator[None]:
    """Start Python processes that import no modules from the current directory."""
    before = os.environ.get(_SAFE)
    os.environ[_SAFE] = "1"
    try:
        yield
    finally:
        _set_safe_path(before)


def _set_safe_path(value: str | None) -> None:
    if value is None:
        os.environ.pop(_SAFE, None)
    else:
        os.environ[_SAFE] = value


def _serve(connection: "Connection[Any, Any]", safe_path: str | None) -> None:
    """Do one work after another until the other end of the pipe is closed.

    `safe_path` is PYTHONSAFEPATH of the parent: programs that are started here get the same.
    """
    _set_safe_path(safe_path)
    # The terminal sends Ctrl-C to all processes, but the parent decides. SIGTERM raises an exception so
    # that the work ends the programs that it has started.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _exit)
    with connection, suppress(EOFError, ConnectionError):
        while _do(connection.recv(), connection):
            pass
    # An exception while Python itself ends would be printed.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _do(work: Work[Any], connection: "Connection[Any, Any]") -> bool:
    """Do the shards of a work; return False if the work raised a ValueError."""
    try:
        for result in work(iter(connection.recv, None)):
            connection.send(result)
    except ValueError as error:  # a user's mistake; any other exception prints its traceback here
        connection.send(error)
        return False
    return True


def _exit(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)
