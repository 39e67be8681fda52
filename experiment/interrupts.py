"""Ctrl-C and SIGTERM: the first asks to stop at the next good moment, the second stops at once."""

import signal
from collections.abc import Callable
from types import FrameType
from typing import Any, Self


class Interrupts:
    """While this context lasts, an interrupt during `patient` work only sets `requested`.

    At other times, and when it comes a second time, it raises KeyboardInterrupt.
    """

    def __init__(self, on_request: Callable[[], None] = lambda: None) -> None:
        self.requested = False
        self.patient = False
        self.on_request = on_request
        # Any: a function, a constant or None, whatever signal() answers and takes again.
        self._previous: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._previous[number] = signal.signal(number, self._interrupt)
        return self

    def __exit__(self, *exception: object) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.requested or not self.patient:
            raise KeyboardInterrupt
        self.requested = True
        self.on_request()
