"""Programs as players, as a registry text names them: command line, folder, time, name."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from othello_lab.game.launching import check_may_start
from othello_lab.game.players.engine.process import command_words
from othello_lab.game.registry import RegistryError, Spec

SECONDS = 10.0
"""The time for each answer, unless told otherwise."""
OPTIONS = {
    "time": f"seconds for each of its answers, then it forfeits ({SECONDS:g})",
    "cwd": "the folder that it runs in (the one that you are in)",
    "name": "what to call it (the program's name)",
}


class Launch(NamedTuple):
    """How a program is started, and what it is told apart by."""

    command: Sequence[str]
    folder: Path | None = None
    """The one that it runs in, None for that of this process."""
    seconds: float = SECONDS
    """The time that it has for each answer."""
    name: str = ""
    """What to call it; "" is not said."""


def launch_of(spec: Spec, places: Sequence[str], example: str) -> Launch:
    """Return what a text says; raise RegistryError, UntrustedError. The program is looked for in `places`."""
    check_may_start(spec.text)
    folder = _folder(spec)
    try:
        command = split_command(spec.argument or "", places, example, folder)
    except ValueError as error:
        raise RegistryError(f"{spec.name}: {error}") from None
    return Launch(command, folder, _seconds(spec), spec.options.get("name", ""))


def split_command(text: str, places: Sequence[str], example: str, folder: Path | None = None) -> list[str]:
    """Split a command line; raise ValueError if it is none or the program does not exist.

    With a folder to run in, the program may also lie there, and a path to it begins there.
    """
    if not text.strip():
        raise ValueError(f"name the program, such as {example}")
    if folder is None:
        return command_words(text, [*places])
    return command_words(text, [*places, os.fspath(folder)], os.fspath(folder))


def _folder(spec: Spec) -> Path | None:
    if (text := spec.options.get("cwd")) is None:
        return None
    folder = Path(text).expanduser().absolute()
    if not text or not folder.is_dir():
        raise RegistryError(f"{spec.name}: cwd is {text!r}, expected a folder that exists")
    return folder


def _seconds(spec: Spec) -> float:
    text = spec.options.get("time", f"{SECONDS:g}")
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]+)?", text, re.ASCII) or float(text) == 0:
        raise RegistryError(f"{spec.name}: time is {text!r}, expected seconds for each answer, above 0")
    return float(text)
