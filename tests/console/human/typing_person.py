import io
from collections.abc import Callable

import pytest
from rich.console import Console

from othello_lab.commands.agent import person_agent
from othello_lab.console.terminal import Terminal


class Person:
    """A human agent with the entries of the callback `types`. EOFError ends the entries."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, types: Callable[[], str], size: int | None = None
    ) -> None:
        self._file = io.StringIO()
        self.agent = person_agent(Terminal(Console(file=self._file, width=200)), size)
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
    waiting = iter(entries)

    def entry() -> str:
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    return entry
