"""Work that takes time, such as a player's move: how to run it in a thread and how to interrupt it."""

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
"""The shortest time in seconds from a person's move to the answer, so that the person sees the move."""
_WAIT = 0.05
"""Seconds of one wait. On some systems Python notices Ctrl-C only between two waits."""
_MOST_STOPS = 10
"""The number of calls of `stop` before the work is abandoned."""


@dataclass(frozen=True)
class Failure:
    """One-line reason why work failed."""

    why: str


@dataclass(frozen=True)
class Work(Generic[Result]):
    """Work for a view to run, in a thread or in the foreground."""

    label: str
    """A text to show meanwhile, such as `level 3 is thinking`."""
    do: Callable[[], Result]
    done: Callable[[Result | Failure], None]
    """The callback for the result; called in the thread of the view."""
    stop: Callable[[], None] = lambda: None
    """Interrupts `do`; called from another thread."""

    def result(self) -> Result | Failure:
        """Call `do` and return its result; any exception becomes a Failure, so that the game goes on."""
        try:
            return self.do()
        except (Forfeit, ValueError) as error:
            return Failure(str(error))
        except Exception as error:
            _LOG.exception("a player failed")
            return Failure(f"{type(error).__name__}: {error}")


Start = Callable[[Work[Any]], None]
"""Runs a task, at once or in the background."""


def paced(work: Callable[[], Result], seconds: float) -> Result:
    """Do the work and return its result, but not before `seconds` have passed."""
    due = time.monotonic() + seconds
    result = work()
    time.sleep(max(0.0, due - time.monotonic()))
    return result


def interruptible(
    work: Callable[[], Result], stop: Callable[[], None], meanwhile: Callable[[float], object]
) -> Result:
    """Run `work` in a daemon thread and return its result.

    During the work, `meanwhile` is called regularly with the seconds so far. On Ctrl-C or another exception,
    `stop` is called until the work ends, at most _MOST_STOPS times; then the exception is raised.
    """
    started, future = time.monotonic(), Future[Result]()
    Thread(target=_run, args=(future, work), daemon=True).start()
    try:
        while not wait([future], _WAIT).done:
            meanwhile(time.monotonic() - started)
    except BaseException:  # such as Ctrl-C, or the SystemExit that SIGTERM raises
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
