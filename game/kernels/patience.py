"""A line on the terminal where a process compiles for long, which a machine does once."""

import sys
import time
from math import inf
from typing import Any

from numba.core import event

_SOON = 1.0
"""Seconds of compiling that pass without a word."""
_LINE = "compiling the rules for this machine: once, about a minute"


class Patience(event.Listener):
    """Tells a person at a terminal, once, why there is a wait: compiling that takes more than a moment."""

    def __init__(self) -> None:
        self._spent = 0.0
        self._begun: list[float] = []
        """When the compilations began that go on now; one asks for others."""
        self._said = False
        self._ended = -inf

    @property
    def until(self) -> float:
        """When it last compiled, by `time.monotonic`: now where it does."""
        return time.monotonic() if self._begun else self._ended

    def on_start(self, event: Any) -> None:  # noqa: ANN401  numba's own type
        """Called before each function that is not found on disk is compiled."""
        now = time.monotonic()
        self._begun.append(now)
        if not self._said and self._spent + now - self._begun[0] > _SOON and sys.stderr.isatty():
            self._said = True
            print(_LINE, file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:  # noqa: ANN401  numba's own type
        """Called after it."""
        began = self._begun.pop()
        if not self._begun:
            self._ended = time.monotonic()
            self._spent += self._ended - began


_HERE = Patience()


def ask_for_patience() -> None:
    """Have this process say so when it compiles for more than a second in all."""
    event.register("numba:compile", _HERE)  # type: ignore[no-untyped-call]  # numba has no types here


def compiled_until() -> float:
    """Return when this process last compiled, by `time.monotonic`; -inf for never."""
    return _HERE.until
