"""The room that text takes in a picture, and the names of players in it: in lines, or short."""

import re
from collections.abc import Iterator
from typing import Final

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from rlglue.messages import shortened

_POINTS = 72
"""Of an inch."""
_FITTED = 1.06
"""As much wider letters can be in a PNG, where they are fitted to its dots."""
SHORT: Final = 24
"""Characters of a short name, which is the same wherever a name has to be short."""
_LINE: Final = 40
_PARTS: Final = re.compile(r"\[?[^,:=\[\]/ ]*[,:=\]/ ]*")
"""A name is broken behind such a sign or before a bracket."""
_WORDS: Final = re.compile(r"[^-]*-*")
"""Where a line has no room for a part of it, behind a hyphen."""


def width_of(text: str, size: float, weight: str = "normal") -> float:
    """Return how wide the widest line of a text can be, in inches, at a size in points; `$` is no formula."""
    font = FontProperties(size=size, weight=weight)
    lines = text.split("\n")
    widths = [text_to_path.get_text_width_height_descent(line, font, False)[0] for line in lines]
    return _FITTED * max(widths) / _POINTS


def lines_of(text: str, size: float, room: float, weight: str = "normal") -> str:
    """Return a text in lines that are at most `room` inches wide; a word is broken that alone is wider."""
    lines = [""]
    for part in (part for word in text.split() for part in _pieces(word, size, room, weight)):
        longer = f"{lines[-1]} {part}".strip()
        if lines[-1] and width_of(longer, size, weight) > room:
            lines.append(part)
        else:
            lines[-1] = longer
    return "\n".join(lines)


def _pieces(word: str, size: float, room: float, weight: str) -> list[str]:
    """Return a word in parts that are narrow enough."""
    if len(word) < 2 or width_of(word, size, weight) <= room:
        return [word]
    half = len(word) // 2
    return [part for own in (word[:half], word[half:]) for part in _pieces(own, size, room, weight)]


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
