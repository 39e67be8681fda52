"""Run work that takes time, such as a player's move, in a thread that can be interrupted."""

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
# The shortest time in seconds from a person's move to the answer, so that the person sees the move.
PACE = 0.4
# The length of one wait, in seconds. On some systems, Python notices Ctrl-C only between two waits.
_WAIT = 0.05
_MOST_STOPS = 10  # The largest number of calls of `stop`, after which the program does not wait for the work.


@dataclass(frozen=True)
class Failure:
    """The reason why work failed, in one line."""

    why: str


@dataclass(frozen=True)
class Work(Generic[Result]):
    """Work that a view runs in a thread or in the foreground."""

    label: str  # The text that a view shows meanwhile, such as `level 3 is thinking`.
    do: Callable[[], Result]
    # The callback that receives the result. The thread of the view calls it.
    done: Callable[[Result | Failure], None]
    stop: Callable[[], None] = lambda: None  # A callback that interrupts `do`. Another thread calls it.

    def result(self) -> Result | Failure:
        """Call `do` and return its result. An exception becomes a Failure, so that the game can continue."""
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

    The callback `meanwhile` is called regularly with the seconds since the start. After an exception such as
    Ctrl-C, `stop` is called until the work ends, at most _MOST_STOPS times. Then the exception is raised.
    """
    started, future = time.monotonic(), Future[Result]()
    Thread(target=_run, args=(future, work), daemon=True).start()
    try:
        while not wait([future], _WAIT).done:
            meanwhile(time.monotonic() - started)
    except BaseException:  # for example Ctrl-C, or SystemExit from SIGTERM
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
