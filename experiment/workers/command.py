"""The command line of a child process."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from game.players.engine.process import command_words


@dataclass(frozen=True)
class Command:
    """How a child is started."""

    words: Sequence[str]
    said: str
    """The command as a person would write it."""


class CommandError(ValueError):
    """A command line that cannot be started."""


def split_command(text: str) -> list[str]:
    """Split a command line; raise CommandError if it is none or its program does not exist."""
    try:
        return command_words(text, [search_path()])
    except ValueError as error:
        raise CommandError(str(error)) from None


def search_path() -> str:
    """Return PATH with this Python's folder first, so that `python` has our packages."""
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
