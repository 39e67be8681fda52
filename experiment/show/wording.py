"""Wording of numbers, counts and names, wherever they are shown."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from rlglue.messages import truncate_middle

_SPACE = "\u00a0"
"""One at which no line is broken."""
SHORT: Final = 24
"""Characters of a short name, which is the same wherever a name has to be short."""
_LINE: Final = 40
_PARTS: Final = re.compile(r"\[?[^,:=\[\]/ ]*[,:=\]/ ]*")
"""A name is broken behind such a sign or before a bracket."""
_WORDS: Final = re.compile(r"[^-]*-*")
"""Where a line has no room for a part of it, behind a hyphen."""


def percent(share: float) -> str:
    """Return a share, 0 to 1, as a percentage."""
    return f"{100 * share:.1f}{_SPACE}%"


def between(low: float, high: float) -> str:
    """Return an interval of shares as percentages."""
    return f"{100 * low:.1f} to {100 * high:.1f}{_SPACE}%"


def share(value: float, digits: int = 2) -> str:
    """Return a share, such as .95 or 1.00."""
    return f"{value:.{digits}f}".removeprefix("0")


def begun_from(openings: Sequence[str]) -> str:
    """Return where games began, which are transcripts: `20 openings`, or `the standard start`."""
    return plural(len(openings), "opening") if any(openings) else "the standard start"


def plural(count: int, what: str) -> str:
    """Return a count with what is counted: `1 game`, `2 games`."""
    return f"{count:,} {what}{'s' * (count != 1)}"


def ordinal(number: int) -> str:
    """Return a place, such as `1st`, `2nd`, `11th`."""
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if 10 < number % 100 < 14 else ends.get(number % 10, 'th')}"


def wrapped(name: str, most: int = 3) -> str:
    """Return a name in at most `most` lines of 40 characters; one that is longer loses its middle."""
    lines = [""]
    for part in _parts(name):
        if lines[-1] and len(lines[-1]) + len(part) > _LINE:
            lines.append("")
        lines[-1] += part
    if len(lines) > most or max(map(len, lines)) > _LINE:
        cut = truncate_middle(name, most * _LINE)
        lines = [cut[at : at + _LINE] for at in range(0, len(cut), _LINE)]
    return "\n".join(line.strip() for line in lines)


def _parts(name: str) -> Iterator[str]:
    for part in _PARTS.findall(name):
        yield from [part] if len(part) <= _LINE else _WORDS.findall(part)
