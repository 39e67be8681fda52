"""Long compiled work that Ctrl-C can end: the work runs in a thread, the waiting in this one."""

import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from typing import TypeVar

Result = TypeVar("Result")
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
