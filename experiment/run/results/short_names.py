"""Short names of players for print, from their registry texts."""

import re
from collections.abc import Mapping

from game.notation import printable
from game.players import catalogue as registry

SUFFIX = ".safetensors"
"""Of a checkpoint."""
_FOLDERS = re.compile(r"(?<=[:=\[])([A-Za-z]:)?[^:=,\[]*[/\\]")


def label(text: str) -> str:
    """Return what to call a player: its `name=`, if it has one, else its registry text."""
    return registry.parse(text).options.get("name", text)


def told_name(config: Mapping[str, object]) -> str:
    """Return what an agent calls itself in its answer to `config`: its text, or its name; "" for neither."""
    name = config.get("text") or config.get("agent")
    return printable(name) if isinstance(name, str) else ""


def short_name(text: str) -> str:
    """Return a registry text without the folders of a path, such as `trained:final`."""
    return _FOLDERS.sub("", text).removesuffix(SUFFIX)
