"""A person who types what a function says, and what it saw."""

import io
from collections.abc import Callable

import pytest
from rich.console import Console

from othello_lab.console.human_agent import HumanAgent
from othello_lab.console.terminal import Terminal


class Person:
    """A human agent whose entries come from `types`; EOFError is the end of them."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, types: Callable[[], str], size: int | None = None
    ) -> None:
        self._file = io.StringIO()
        self.agent = HumanAgent(Terminal(Console(file=self._file, width=200)), size)
        self.asked = 0

        def entry(prompt: str) -> str:
            self._file.write(prompt)
            self.asked += 1
            return types()

        monkeypatch.setattr("builtins.input", entry)

    @property
    def saw(self) -> str:
        return self._file.getvalue()


def typed(*entries: str) -> Callable[[], str]:
    """Return what types these entries, and ends."""
    waiting = iter(entries)

    def entry() -> str:
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    return entry
