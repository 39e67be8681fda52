"""Long compiled work that Ctrl-C can end: the work runs in a thread, the waiting in this one."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

Result = TypeVar("Result")
# Python hears Ctrl-C between two waits, on some systems only then.
_WAIT = 0.2
_REPORT = 60.0


def interruptible(
    work: Callable[[], Result], stop: Callable[[], None], still_working: Callable[[float], None]
) -> Result:
    """Return work(); call `still_working` with the seconds so far once a minute, `stop` at an interrupt."""
    started = time.monotonic()
    due = _REPORT
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        try:
            while not wait([future], _WAIT).done:
                if time.monotonic() - started >= due:
                    still_working(due)
                    due += _REPORT
        except KeyboardInterrupt:
            stop()
            raise
        return future.result()
