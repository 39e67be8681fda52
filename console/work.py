"""Work that takes a while, such as a player's move: its result, and how to interrupt it."""

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from threading import Thread
from typing import Any, Generic, TypeVar

from othello_lab.game.players.player import Forfeit

_LOG = logging.getLogger(__name__)
Result = TypeVar("Result")
PACE = 0.4
"""Seconds for which a person's own move stays on the board, at least, before a player answers it."""
_WAIT = 0.05
"""Seconds of one wait: Python notices Ctrl-C between two waits, on some systems only then."""
_MOST_STOPS = 10
"""The number of calls of `stop` before the work is left alone."""
_MINUTE = 60.0


@dataclass(frozen=True)
class Failure:
    """One-line reason why work failed."""

    why: str


@dataclass(frozen=True)
class Work(Generic[Result]):
    """Work for a view to run, in a thread or while the person waits."""

    label: str
    """What the person waits for, such as `level 3 is thinking`."""
    do: Callable[[], Result]
    done: Callable[[Result | Failure], None]
    """Takes the result, in the thread of the view."""
    stop: Callable[[], None] = lambda: None
    """Interrupts it from another thread."""

    def result(self) -> Result | Failure:
        """Do it; any error of a player becomes a Failure, since the game goes on."""
        try:
            return self.do()
        except (Forfeit, ValueError) as error:
            return Failure(str(error))
        except Exception as error:
            _LOG.exception("a player failed")
            return Failure(f"{type(error).__name__}: {error}")


Start = Callable[[Work[Any]], None]
"""Runs work, now or soon."""


def paced(work: Callable[[], Result], seconds: float) -> Result:
    """Return the result of work after this many seconds at least."""
    due = time.monotonic() + seconds
    result = work()
    time.sleep(max(0.0, due - time.monotonic()))
    return result


def interruptible(
    work: Callable[[], Result], stop: Callable[[], None], meanwhile: Callable[[float], object]
) -> Result:
    """Return work(); call `meanwhile` with the seconds so far now and then, and `stop` at an interrupt.

    Work that does not stop soon goes on in its daemon thread.
    """
    started, future = time.monotonic(), Future[Result]()
    Thread(target=_run, args=(future, work), daemon=True).start()
    try:
        while not wait([future], _WAIT).done:
            meanwhile(time.monotonic() - started)
    except BaseException:  # Ctrl-C, or the exit that SIGTERM is
        for _ in range(_MOST_STOPS):
            stop()
            if wait([future], _WAIT).done:
                break
        raise
    return future.result()


def _run(future: Future[Result], work: Callable[[], Result]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:
        future.set_exception(error)


def each_minute(report: Callable[[float], None]) -> Callable[[float], None]:
    """Return a `meanwhile` that calls `report` with the seconds of each full minute."""
    minutes = 0

    def meanwhile(seconds: float) -> None:
        nonlocal minutes
        if seconds // _MINUTE > minutes:
            minutes = int(seconds // _MINUTE)
            report(minutes * _MINUTE)

    return meanwhile
