"""A line on the terminal where a process compiles for long, which a machine does once."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from shutil import get_terminal_size
from typing import Any

from numba.core import event

_SOON = 1.0
"""Seconds of compiling that pass without a word."""
_APART = 5.0
"""Seconds without compiling after which there is another wait."""
_LINE = "compiling the rules for this machine: once, about a minute"
_PARTS = 120
"""About this many functions are compiled for a size of board and a search: 108 on 8x8, 122 beyond."""


class Patience(event.Listener):
    """Tells a person at a terminal, once, why there is a wait: compiling that takes more than a moment."""

    def __init__(self) -> None:
        self._spent = 0.0
        self._begun: list[float] = []
        """When the compilations began that go on now; one asks for others."""
        self._said = False
        self._ended = -inf
        self._waits_since = -inf
        self._parts = 0
        """How many functions were compiled since then."""
        self._shown = ""
        """What stands on the line of the terminal that is written again and again."""
        self.is_followed = False
        """Whether that line says how far it is."""

    @property
    def progress(self) -> str:
        """What a person waits for now, and how far it is; "" where the wait is a moment."""
        now = time.monotonic()
        is_going_on = self._begun or now - self._ended < _SOON
        if not is_going_on or now - self._waits_since < _SOON:
            return ""
        return f"compiling the rules, once: {self._parts} of about {_PARTS} parts"

    @property
    def until(self) -> float:
        """When it last compiled, by `time.monotonic`: now where it does."""
        return time.monotonic() if self._begun else self._ended

    def on_start(self, event: Any) -> None:  # noqa: ANN401  numba's own type
        """Called before each function that is not found on disk is compiled."""
        now = time.monotonic()
        if not self._begun and now - self._ended > _APART:
            self._waits_since, self._parts = now, 0
        self._begun.append(now)
        self._parts += 1
        if self.is_followed:
            self._rewrite(self.progress)
        elif not self._said and self._spent + now - self._begun[0] > _SOON and sys.stderr.isatty():
            self._said = True
            print(_LINE, file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:  # noqa: ANN401  numba's own type
        """Called after it."""
        began = self._begun.pop()
        if not self._begun:
            self._ended = time.monotonic()
            self._spent += self._ended - began
            self._rewrite("")

    def _rewrite(self, line: str) -> None:
        """Have the terminal's line be another one."""
        line = line[: get_terminal_size().columns - 1]
        if line != self._shown and sys.stderr.isatty():
            print(f"\r{' ' * len(self._shown)}\r{line}", end="", file=sys.stderr, flush=True)
            self._shown = line


_HERE = Patience()


def ask_for_patience() -> None:
    """Have this process say so when it compiles for more than a second in all."""
    event.register("numba:compile", _HERE)  # type: ignore[no-untyped-call]  # numba has no types here


def compiled_until() -> float:
    """Return when this process last compiled, by `time.monotonic`; -inf for never."""
    return _HERE.until


def compiling() -> str:
    """Return what is compiled now and how far it is, in one line; "" where nobody waits for that."""
    return _HERE.progress


@contextmanager
def followed() -> Iterator[None]:
    """Have the line on the terminal say how far it is, and go when it is done: for what runs alone there."""
    _HERE.is_followed = True
    try:
        yield
    finally:
        _HERE.is_followed = False
