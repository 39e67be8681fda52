"""The registry text of another program: `engine:gtp-rhino -l 1`."""

import os
import re
from pathlib import Path

from game import command_line
from game.players.base import Player
from game.players.engine.connecting import PROTOCOLS
from game.players.engine.nboard import DEPTH
from game.players.engine.player import SECONDS, EnginePlayer
from game.registry import Entry, RegistryError, Spec

# Where the file system standard puts them; the superuser's PATH leaves them out.
_GAMES = ("/usr/games", "/usr/local/games")
_DEEPEST = 100


def split_command(text: str, folder: Path | None = None) -> list[str]:
    """Split the command line of an engine; raise ValueError if it is none or the program does not exist.

    With a folder to run in, the program may also lie there, and a path to it begins there.
    """
    if not text.strip():
        raise ValueError("name the program, such as engine:gtp-rhino -l 1")
    places = [os.environ.get("PATH", os.defpath), *_GAMES]
    if folder is None:
        return command_line.split_command(text, places)
    return command_line.split_command(text, [*places, str(folder)], str(folder))


def make_engine(spec: Spec, size: int) -> Player:
    """Return the player that a registry text names; raise RegistryError. The program is not started yet."""
    folder = _folder(spec)
    try:
        command = split_command(spec.argument or "", folder)
    except ValueError as error:
        raise RegistryError(f"{spec.name}: {error}") from None
    name = spec.options.get("name", "")
    return EnginePlayer(command, _seconds(spec), name, _protocol(spec), _depth(spec), folder)


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


def _protocol(spec: Spec) -> str | None:
    protocol = spec.options.get("protocol")
    if protocol not in (None, *PROTOCOLS):
        raise RegistryError(f"{spec.name}: protocol is {protocol!r}, expected {' or '.join(PROTOCOLS)}")
    return protocol


def _depth(spec: Spec) -> int | None:
    if "depth" not in spec.options:
        return None
    if _protocol(spec) == "gtp":
        raise RegistryError(f"{spec.name}: GTP has no words for a depth: leave out depth=")
    return spec.whole("depth", DEPTH, 1, _DEEPEST)


ENTRIES: dict[str, Entry[Player]] = {
    "engine": Entry(
        make_engine,
        "a program that speaks GTP or NBoard, such as engine:gtp-rhino -l 1",
        argument="COMMAND",
        options={
            "protocol": f"{' or '.join(PROTOCOLS)} (found out by its answers)",
            "depth": f"plies to look ahead, where it speaks NBoard ({DEPTH})",
            "time": f"seconds for each of its answers, then it forfeits ({SECONDS:g})",
            "cwd": "the folder that it runs in (the one that you are in)",
            "name": "what to call it (the program's name)",
        },
        harmless=lambda spec, size: False,
        starts_program=True,
    ),
}
