"""The Go Text Protocol, version 2, from the side that asks; Othello programs speak it too."""

import time
from collections.abc import Sequence

from game.players.base import Forfeit
from game.players.engine.process import MOST_LINES, LineProcess

START_SECONDS = 30.0
"""How long a program may take for its first answer beyond its time for each: it may load much."""


class RefusalError(Exception):
    """The program answered `?`: it understood, but does not want to. The text says why."""


class GtpClient:
    """A running program that answers one command at a time."""

    def __init__(self, command: Sequence[str], name: str, seconds: float) -> None:
        """Start it; it has `seconds` for each answer. Raises Forfeit, which calls it `name`."""
        self.name = name
        self._seconds = seconds
        self._extra = START_SECONDS
        try:
            self._process = LineProcess(command)
        except OSError as error:
            raise Forfeit(f"{name} cannot be started: {error}") from None

    def ask(self, command: str) -> str:
        """Return the answer to a command; raises RefusalError.

        A program that is too late, gone or talks rubbish is ended and forfeits: raises Forfeit.
        """
        try:
            status, answer = self._converse(command)
        except BaseException:  # also KeyboardInterrupt: an answer that comes later would be taken for another
            self.close()
            raise
        self._extra = 0.0
        if status == "?":
            raise RefusalError(answer)
        return answer

    def close(self) -> None:
        """End the program."""
        self._process.close()

    def _converse(self, command: str) -> tuple[str, str]:
        deadline = time.monotonic() + self._seconds + self._extra
        try:
            self._process.send(command)
            lines = self._answer(deadline)
        except TimeoutError:
            raise Forfeit(f"{self.name} gave no answer to {command!r} within {self._seconds:g} s") from None
        except OSError:
            raise self._died(command) from None
        if lines is None:
            raise self._died(command)
        status, text = lines[0][:1], "\n".join([lines[0][1:].strip(), *lines[1:]])
        if status not in ("=", "?"):
            raise Forfeit(f"{self.name} answered rubbish to {command!r}: {lines[0][:60]!r}")
        return status, text

    def _answer(self, deadline: float) -> list[str] | None:
        """Return the lines up to the blank one that ends an answer; None if the program went before."""
        lines: list[str] = []
        for _ in range(MOST_LINES):
            line = self._process.receive(deadline)
            if line is None:
                return None
            if line.strip():
                lines.append(line)
                if lines[0][0] not in "=?":
                    return lines  # rubbish: what follows may never end
            elif lines:
                return lines
        raise Forfeit(f"{self.name} does not stop writing: more than {MOST_LINES:,} lines")

    def _died(self, command: str) -> Forfeit:
        return Forfeit(f"{self.name} {self._process.how_it_ended()}, instead of an answer to {command!r}")
