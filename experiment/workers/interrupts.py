"""Handle Ctrl-C, SIGTERM and SIGHUP.

The first signal requests a graceful stop. The second signal ends the program at once.
"""

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any, Self

from rlglue.scripts import of_signal

ONE_SIGNAL_SECONDS = 1.0  # Debounce time: equal signals within it count once. `timeout` and shells send two.
_HANGUP = getattr(signal, "SIGHUP", None)  # Windows does not have SIGHUP
_OUTPUTS = (1, 2)


def exit_status(stop: KeyboardInterrupt) -> int:
    """Return the shell's exit code after an interrupt, such as 130 for Ctrl-C or 143 for SIGTERM."""
    return of_signal(stop.args[0] if stop.args else signal.SIGINT)


class Stopped(Exception):  # noqa: N818  not an error: an interrupt asked to stop
    """An interrupt stopped the training or an evaluation. A stopped evaluation has no result."""


class Interrupts:
    """A context manager. If `patient`, the first interrupt only sets `requested` and calls `on_request`.

    Every other interrupt raises KeyboardInterrupt with the number of the signal.
    """

    def __init__(self) -> None:
        self.requested = False
        self.patient = False
        self.on_request: Callable[[], None] = lambda: None
        self.log: Path | None = None  # The log file for output after the terminal closes (SIGHUP).
        self.exit_status = 0  # The exit code of the process, nonzero after an interrupt.
        self._counted: dict[int, float] = {}
        self._on_terminal: list[int] = []
        # The previous handlers. signal() returns and accepts a function, a constant or None.
        self._previous: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is not threading.main_thread():  # only the main thread gets signals
            return self
        self._on_terminal = [file for file in _OUTPUTS if os.isatty(file)]
        for number in (signal.SIGINT, signal.SIGTERM):
            self._previous[number] = signal.signal(number, self._interrupt)
        if _HANGUP and signal.getsignal(_HANGUP) != signal.SIG_IGN:  # `nohup` ignores SIGHUP
            self._previous[_HANGUP] = signal.signal(_HANGUP, self._interrupt)
        return self

    def __exit__(self, *exception: object) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if now < self._counted.get(number, -ONE_SIGNAL_SECONDS) + ONE_SIGNAL_SECONDS:
            return
        self._counted[number] = now
        if number == _HANGUP:
            self._leave_terminal()
        stop = KeyboardInterrupt(number)
        self.exit_status = self.exit_status or exit_status(stop)
        if self.requested or not self.patient:
            raise stop
        self.requested = True
        self.on_request()

    def _leave_terminal(self) -> None:
        """Log that the terminal closed, and redirect later output to the log."""
        with suppress(OSError):  # a missing log must not end the run
            file = os.open(self.log or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            # `logging` could deadlock, because the signal may have interrupted one of its writes.
            os.write(file, f"{time.strftime('%H:%M:%S')} the terminal was closed (SIGHUP)\n".encode())
            for output in self._on_terminal:
                os.dup2(file, output)
            os.close(file)
