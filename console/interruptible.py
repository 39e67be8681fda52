"""Long compiled work that Ctrl-C can end: the work runs in a thread, the waiting in this one."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

Result = TypeVar("Result")
# Python hears Ctrl-C between two waits, on some systems only then.
_WAIT = 0.05
_MINUTE = 60.0


def interruptible(
    work: Callable[[], Result], stop: Callable[[], None], meanwhile: Callable[[float], object]
) -> Result:
    """Return work(); call `meanwhile` with the seconds so far now and then, and `stop` at an interrupt."""
    started = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        try:
            while not wait([future], _WAIT).done:
                meanwhile(time.monotonic() - started)
        except BaseException:  # Ctrl-C, or the exit that SIGTERM is
            while not wait([future], _WAIT).done:
                stop()
            raise
        return future.result()


def each_minute(report: Callable[[float], None]) -> Callable[[float], None]:
    """Return a `meanwhile` that calls `report` with the seconds of each full minute."""
    minutes = 0

    def meanwhile(seconds: float) -> None:
        nonlocal minutes
        if seconds // _MINUTE > minutes:
            minutes = int(seconds // _MINUTE)
            report(minutes * _MINUTE)

    return meanwhile
