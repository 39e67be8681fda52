"""Run programs, several at once. Each writes a log; it saves and ends when its standard input closes."""

import os
import subprocess
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from othello_lab.game.players.process import away_from_terminal

_POLL_SECONDS = 0.1
_ONE_THREAD = {"OMP_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Order:
    """A program to run."""

    name: str
    command: Callable[[], Sequence[str]]
    """Return the command line; it may be different if the program continues from a checkpoint."""
    log: Path
    """The file to which the output is appended."""


@dataclass(frozen=True)
class Ended:
    """A program that has ended."""

    name: str
    status: int
    """The exit status; -N if signal N killed the program."""
    seconds: float


Running: TypeAlias = Generator[None, None, Ended]
"""A running program. The generator yields until the program ends; closing the generator kills the program."""
Run: TypeAlias = Callable[[Order, Callable[[], bool]], Running]
"""A function that runs a program. Once the second argument returns True, the program saves and ends."""


def run_here(order: Order, stop: Callable[[], bool]) -> Running:
    """Run a program on this machine."""
    begin = time.monotonic()
    with order.log.open("ab") as output:
        process = subprocess.Popen(  # noqa: S603  our own command, without a shell
            order.command(),
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, **_ONE_THREAD},
            **away_from_terminal(),
        )
    assert process.stdin  # noqa: S101  a pipe
    try:
        while (status := process.poll()) is None:
            if stop():
                process.stdin.close()
            yield
        return Ended(order.name, status, time.monotonic() - begin)
    finally:
        process.stdin.close()
        process.kill()
        process.wait()


def run_all(
    orders: Sequence[Order], limit: int, stop: Callable[[], bool], run: Run = run_here
) -> Generator[Ended, None, None]:
    """Run programs, at most `limit` at once; yield an Ended for each.

    No more programs start once `stop` returns True.
    """
    pending, running = deque(orders), list[Running]()
    try:
        while running or (pending and not stop()):
            while pending and len(running) < limit and not stop():
                running.append(run(pending.popleft(), stop))
            for program in [*running]:
                try:
                    next(program)
                except StopIteration as end:
                    running.remove(program)
                    yield end.value
            time.sleep(_POLL_SECONDS)
    finally:
        for program in running:
            program.close()
