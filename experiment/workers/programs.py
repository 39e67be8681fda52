"""Programs, a few at once: each writes a log, and saves and ends when its standard input is closed."""

import os
import subprocess
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from othello_lab.game.players.engines.process import away_from_terminal

_LOOK_SECONDS = 0.1
_ONE_THREAD = {"OMP_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Order:
    """A program to run."""

    name: str
    words: Callable[[], Sequence[str]]
    """Return the command line; that of a program that goes on from a checkpoint may differ from the first."""
    log: Path
    """The file that the output is appended to."""


@dataclass(frozen=True)
class Ended:
    """A program that has ended."""

    name: str
    status: int
    """The exit status; negative: the signal that killed it."""
    seconds: float


class Program(Protocol):
    """A running program, here or on another machine."""

    def ended(self) -> Ended | None:
        """Return how the program ended, None while it runs."""

    def ask_to_stop(self) -> None:
        """Ask the program to save and end; calling it again does nothing."""

    def close(self) -> None:
        """End the program if it has not ended by itself."""


class Process:
    """A program that runs on this machine."""

    def __init__(self, order: Order) -> None:
        self._name = order.name
        self._begin = time.monotonic()
        with order.log.open("ab") as output:
            self._process = subprocess.Popen(  # noqa: S603  our own command, without a shell
                order.words(),
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **_ONE_THREAD},
                **away_from_terminal(),
            )

    def ended(self) -> Ended | None:
        """See Program."""
        status = self._process.poll()
        return None if status is None else Ended(self._name, status, time.monotonic() - self._begin)

    def ask_to_stop(self) -> None:
        """See Program."""
        assert self._process.stdin  # noqa: S101  given above
        self._process.stdin.close()

    def close(self) -> None:
        """See Program."""
        self.ask_to_stop()
        self._process.kill()
        self._process.wait()


Start: TypeAlias = Callable[[Order], Program]
"""Starts a program somewhere."""


def run_all(
    orders: Sequence[Order], limit: int, stop: Callable[[], bool], start: Start = Process
) -> Generator[Ended, None, None]:
    """Run programs, at most `limit` at once, and yield how each ended.

    Once `stop` returns True no more programs start, and those that run are asked to save and end.
    """
    pending, running = deque(orders), list[Program]()
    try:
        while running or (pending and not stop()):
            while pending and len(running) < limit and not stop():
                running.append(start(pending.popleft()))
            if stop():
                for process in running:
                    process.ask_to_stop()
            for process in running[:]:
                if ended := process.ended():
                    process.close()
                    running.remove(process)
                    yield ended
            time.sleep(_LOOK_SECONDS)
    finally:
        for process in running:
            process.close()
