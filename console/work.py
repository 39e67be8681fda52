"""Run slow work, such as a player's move, in an interruptible thread."""

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
PACE = 0.4  # Minimum time for a player's move in seconds, so that the preceding move stays visible.
_WAIT = 0.05  # The polling interval in seconds. On some systems, Python handles Ctrl-C only between waits.
_MOST_STOPS = 10  # The maximum number of calls of `stop`. After the last call, the work is abandoned.


@dataclass(frozen=True)
class Failure:
    """The one-line error message of failed work."""

    why: str


@dataclass(frozen=True)
class Work(Generic[Result]):
    """Work that a view runs in a thread or in the foreground."""

    label: str  # The status text during the work, such as `level 3 is thinking`.
    do: Callable[[], Result]
    done: Callable[[Result | Failure], None]  # The callback for the result.
    stop: Callable[[], None] = lambda: None  # A callback that interrupts `do` from another thread.

    def result(self) -> Result | Failure:
        """Return the result of `do`. Convert an exception to a Failure, so that the game can continue."""
        try:
            return self.do()
        except (Forfeit, ValueError) as error:
            return Failure(str(error))
        except Exception as error:
            _LOG.exception("a player failed")
            return Failure(f"{type(error).__name__}: {error}")


Start = Callable[[Work[Any]], None]  # A function that runs work now or in the background.


def interruptible(
    work: Callable[[], Result], stop: Callable[[], None], meanwhile: Callable[[float], object]
) -> Result:
    """Run `work` in a daemon thread and return its result.

    During the run, call `meanwhile` regularly with the elapsed seconds. On an exception such as
    KeyboardInterrupt, call `stop` until the work ends, at most _MOST_STOPS times, and reraise the exception.
    """
    started, future = time.monotonic(), Future[Result]()
    Thread(target=_run, args=(future, work), daemon=True).start()
    try:
        while not wait([future], _WAIT).done:
            meanwhile(time.monotonic() - started)
    except BaseException:  # such as KeyboardInterrupt, or SystemExit from SIGTERM
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
