"""Programs as processes, a few at once: each writes a log, and saves and ends when its input ends."""

import os
import subprocess
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from othello_lab.game.players.engine.process import away_from_terminal

_LOOK_SECONDS = 0.1
_ONE_THREAD = {"OMP_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Order:
    """A program that is to be run."""

    name: str
    words: Callable[[], Sequence[str]]
    """Returns its command line as it is now: a program that goes on may have another."""
    log: Path
    """Where its output goes."""


@dataclass(frozen=True)
class Ended:
    """A program that has ended."""

    name: str
    status: int
    """The exit status; negative: the signal that killed it."""
    seconds: float


class Program(Protocol):
    """A program in progress, here or elsewhere."""

    def ended(self) -> Ended | None:
        """Return how it ended, None while it runs."""

    def ask_to_stop(self) -> None:
        """Have it save and end."""

    def close(self) -> None:
        """End it if it has not ended by itself."""


class Process:
    """A program in progress on this machine."""

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
    """Run programs, at most `limit` at once, and yield each when it has ended.

    Once `stop` answers true no more are started and the running are asked to save and end.
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
