"""A watch over what a command on a Ray cluster cannot do without: the head, and Ray on this machine.

Without the head Ray waits for a minute; without Ray on this machine it ends the process at once and says
nothing. So a thread looks for both, and a process of its own speaks if Ray has ended this one.
"""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from threading import Event, Thread
from typing import Final, Self

from othello_lab.game.players.engine.process import away_from_terminal
from rlglue.errors import GlueError
from rlglue.net.address import parse_address
from rlglue.net.transport import connect

HOW_TO_GO_ON: Final = "start it again; what was written stays"
_LOOK_SECONDS: Final = 1.0
_PATIENCE: Final = 10.0
"""Seconds that head or machine may be out of reach."""
_GRACE: Final = 20.0
"""Seconds that the command then has to end by itself."""
_LAST_LOOKS: Final = 4
"""Of the speaker: what has just been killed may answer a moment longer."""
_GOODBYE: Final = b"goodbye"
_SHOW_CURSOR: Final = "\x1b[?25h\n"
"""For a terminal on which a bar was drawn."""


class Watch:
    """Looks whether the head and Ray on this machine are there, from begin() on; a context."""

    def __init__(self) -> None:
        self.lost: str | None = None
        """What is gone, and what to do: a line."""
        self._over = Event()
        self._speaker: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._over.set()
        if self._speaker:
            with suppress(OSError):
                self._speaker.communicate(_GOODBYE)

    def begin(self, head: str, here: str) -> None:
        """Look at these two addresses, HOST:PORT, from now on."""
        self._addresses = head, here
        words = [sys.executable, "-P", "-m", __name__, *self._addresses]
        self._speaker = subprocess.Popen(words, stdin=subprocess.PIPE, **away_from_terminal())  # noqa: S603  ours
        Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        while not self.lost and not self._over.wait(_LOOK_SECONDS):
            self.lost = _missing(self._addresses, _PATIENCE)
        if self.lost and not self._over.wait(_GRACE):
            os._exit(1)  # it waits for Ray; the speaker says why


def _missing(addresses: Sequence[str], patience: float) -> str | None:
    """Return a line about the first of the two where nobody answers, None where somebody does at both."""
    what = "the Ray cluster's head,", "Ray on this machine,"
    for name, address in zip(what, addresses, strict=True):
        try:
            connect(*parse_address(address), patience).close()
        except GlueError:
            return f"{name} {address}, is gone: {HOW_TO_GO_ON}"
    return None


def _speak(addresses: Sequence[str]) -> None:
    """Wait for the end of the command that has started this, and say what is gone if it said no goodbye."""
    if sys.stdin.buffer.read() == _GOODBYE:
        return
    for _ in range(_LAST_LOOKS):
        if line := _missing(addresses, 0):
            cursor = _SHOW_CURSOR if sys.stderr.isatty() else ""
            print(f"{cursor}Error: {line}", file=sys.stderr)
            return
        time.sleep(_LOOK_SECONDS)


if __name__ == "__main__":
    _speak(sys.argv[1:])
