"""Workers that are processes on this machine."""

import multiprocessing
import signal
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from experiment.workers.shards import DeathError, Result, Work

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
