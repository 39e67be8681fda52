"""A talk with another program in lines, whichever protocol it speaks."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from game.players.base import Forfeit
from game.players.engine.process import MOST_LINES, LineProcess

START_SECONDS = 30.0
"""How long a program may take for its first answer beyond its time for each: it may load much."""


class Conversation:
    """A running program that is told and asked things. Who talks to it ends it once it has failed."""

    def __init__(self, command: Sequence[str], name: str, seconds: float, folder: Path | None = None) -> None:
        """Start it in a folder; it has `seconds` for each answer. Raises Forfeit, which calls it `name`."""
        self.name = name
        self.seconds = seconds
        try:
            self._process = LineProcess(command, folder)
        except OSError as error:
            raise self.forfeit(f"cannot be started: {error}") from None

    def tell(self, *lines: str) -> None:
        """Send lines that have no answer; raises Forfeit if the program has gone."""
        try:
            for line in lines:
                self._process.send(line)
        except OSError:
            raise self._died(lines[0]) from None

    def ask(self, *lines: str, extra: float = 0.0) -> Iterator[str]:
        """Send lines and return those that come then, of which the caller takes what it needs.

        Raises Forfeit, also while they are taken: for a program that goes, does not stop writing, or is not
        done within its time and `extra` seconds.
        """
        self.tell(*lines)
        return self._answer(lines[-1], extra)

    def hear(self, seconds: float, question: str) -> Iterator[str]:
        """Yield the lines that come within some seconds; raises Forfeit for all but being late."""
        deadline = time.monotonic() + seconds
        for _ in range(MOST_LINES):
            try:
                line = self._process.receive(deadline)
            except TimeoutError:
                return
            if line is None:
                raise self._died(question)
            yield line
        raise self.forfeit(f"does not stop writing: more than {MOST_LINES:,} lines")

    def forfeit(self, why: str) -> Forfeit:
        """Return the Forfeit that says why it cannot go on."""
        return Forfeit(f"{self.name} {why}")

    def close(self) -> None:
        """End the program."""
        self._process.close()

    def _answer(self, question: str, extra: float) -> Iterator[str]:
        last = ""
        for line in self.hear(self.seconds + extra, question):
            yield line
            last = line.strip() or last
        said = f"; the last that it wrote is {last[:60]!r}" if last else ""
        raise self.forfeit(f"gave no answer to {question!r} within {self.seconds + extra:g} s{said}")

    def _died(self, question: str) -> Forfeit:
        return self.forfeit(f"{self._process.how_it_ended()}, instead of an answer to {question!r}")
