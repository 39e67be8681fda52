"""Work that takes a while, such as a player's move: what is done with its result, and how it is ended."""

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


@dataclass(frozen=True)
class Failure:
    """Why nothing comes of a piece of work, in one line."""

    why: str


@dataclass(frozen=True)
class Work(Generic[Result]):
    """Something to be done by whoever shows the game: in a thread, or while the person waits."""

    what: str
    """What is waited for, such as `level:3 is thinking`."""
    do: Callable[[], Result]
    done: Callable[[Result | Failure], None]
    """Takes the result, in the thread of whoever shows the game."""
    stop: Callable[[], None] = lambda: None
    """Has it end soon, from another thread."""

    def result(self) -> Result | Failure:
        """Do it; whatever a player raises, also a stranger's, becomes a Failure: the game goes on."""
        try:
            return self.do()
        except (Forfeit, ValueError) as error:
            return Failure(str(error))
        except Exception as error:
            _LOG.exception("a player failed")
            return Failure(f"{type(error).__name__}: {error}")


PACE = 0.4
"""Seconds for which one sees one's own move at least, before a player answers it."""


def paced(work: Callable[[], Result], seconds: float) -> Result:
    """Return what comes of it, not before this many seconds."""
    due = time.monotonic() + seconds
    result = work()
    time.sleep(max(0.0, due - time.monotonic()))
    return result


Start = Callable[[Work[Any]], None]
"""Has a piece of work done, now or soon."""


# Python hears Ctrl-C between two waits, on some systems only then.
_WAIT = 0.05
_WAITS_TO_END = 10
"""How often work is told to stop and waited for, before it is left alone: not all of it listens."""
_MINUTE = 60.0


def interruptible(
    work: Callable[[], Result], stop: Callable[[], None], meanwhile: Callable[[float], object]
) -> Result:
    """Return work(); call `meanwhile` with the seconds so far now and then, and `stop` at an interrupt.

    Work that does not stop soon goes on in its thread, which ends with the program: nobody waits for it.
    """
    started, future = time.monotonic(), Future[Result]()
    Thread(target=_fulfil, args=(future, work), daemon=True).start()
    try:
        while not wait([future], _WAIT).done:
            meanwhile(time.monotonic() - started)
    except BaseException:  # Ctrl-C, or the exit that SIGTERM is
        _end(future, stop)
        raise
    return future.result()


def _fulfil(future: Future[Result], work: Callable[[], Result]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:  # whoever asked for the result gets it
        future.set_exception(error)


def _end(future: Future[Result], stop: Callable[[], None]) -> None:
    for _ in range(_WAITS_TO_END):
        stop()
        if wait([future], _WAIT).done:
            return


def each_minute(report: Callable[[float], None]) -> Callable[[float], None]:
    """Return a `meanwhile` that calls `report` with the seconds of each full minute."""
    minutes = 0

    def meanwhile(seconds: float) -> None:
        nonlocal minutes
        if seconds // _MINUTE > minutes:
            minutes = int(seconds // _MINUTE)
            report(minutes * _MINUTE)

    return meanwhile
