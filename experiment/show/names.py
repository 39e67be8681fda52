"""Names of players and runs in pictures: in full, in lines, where there is room, else short."""

import re
from collections.abc import Iterator
from typing import Final

from rlglue.messages import shortened

SHORT: Final = 24
"""Characters of a short name, which is the same wherever a name has to be short."""
_LINE: Final = 40
_PARTS: Final = re.compile(r"\[?[^,:=\[\]/ ]*[,:=\]/ ]*")
"""A name is broken behind such a sign or before a bracket."""
_WORDS: Final = re.compile(r"[^-]*-*")
"""Where a line has no room for a part of it, behind a hyphen."""


def short(name: str) -> str:
    """Return a name as it is written where there is no room for more."""
    return shortened(name, SHORT)


def wrapped(name: str, most: int = 3) -> str:
    """Return a name in at most `most` lines of 40 characters; one that is longer loses its middle."""
    lines = [""]
    for part in _parts(name):
        if lines[-1] and len(lines[-1]) + len(part) > _LINE:
            lines.append("")
        lines[-1] += part
    if len(lines) > most or max(map(len, lines)) > _LINE:
        cut = shortened(name, most * _LINE)
        lines = [cut[at : at + _LINE] for at in range(0, len(cut), _LINE)]
    return "\n".join(line.strip() for line in lines)


def _parts(name: str) -> Iterator[str]:
    for part in _PARTS.findall(name):
        yield from [part] if len(part) <= _LINE else _WORDS.findall(part)
