"""A line on stderr where a process compiles for long, which a machine does once."""

import sys
import time
from typing import Any

from numba.core import event

_SOON = 1.0
"""Seconds of compiling that pass without a word."""
_LINE = "compiling the rules for this machine: once, about a minute"


class _Patience(event.Listener):
    """Says once that the wait has a reason, as soon as compiling goes on for longer than a moment."""

    def __init__(self) -> None:
        self._began: float | None = None
        self._said = False

    def on_start(self, event: Any) -> None:  # noqa: ANN401  numba's own type
        """Called before each function that is not found on disk is compiled."""
        self._began = self._began or time.monotonic()
        if not self._said and time.monotonic() - self._began > _SOON:
            self._said = True
            print(_LINE, file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:  # noqa: ANN401  numba's own type
        """Called after it."""


def ask_for_patience() -> None:
    """Have this process say so when it compiles for more than a second."""
    event.register("numba:compile", _Patience())  # type: ignore[no-untyped-call]  # numba has no types here
