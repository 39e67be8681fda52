"""The colours of the board. What they tell is told by shapes, signs or words too."""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final

from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.style import Style

_ANCHORS: Final = ("#00224e", "#2a3f6d", "#575c6d", "#7c7b78", "#a59c74", "#d2c060", "#fee838")
"""Blue to yellow, ever lighter, so that everybody sees it, and in grey (cividis: Nuñez et al. 2018)."""
_STEPS: Final = 24
_LIGHT: Final = 0.45
"""From this lightness on a colour takes black writing."""


@dataclass(frozen=True)
class Palette:
    """What is put on which background, in rich's words; all empty without colours."""

    cloth: tuple[str, str] = ("", "")
    """The squares, by turns."""
    cursor: str = ""
    black: str = ""
    white: str = ""
    legal: str = ""
    on_black: str = ""
    on_white: str = ""
    """Of the dots that mark the last move and the discs that it turned."""

    @property
    def has_colours(self) -> bool:
        """Whether discs can be told apart by their colour."""
        return bool(self.black)


COLOURED: Final = Palette(
    cloth=("#1f7a4d", "#1b6e45"),
    cursor="#f0a000",
    black="#000000",
    white="#ffffff",
    legal="#b5e0a0",
    on_black="#ffb000",
    on_white="#c02000",
)
COLOURLESS: Final = Palette()


@cache
def shade(share: float) -> str:
    """Return the colour of a value, 0 for the worst to 1 for the best, as `#rrggbb`."""
    place = round(min(max(share, 0.0), 1.0) * _STEPS) / _STEPS * (len(_ANCHORS) - 1)
    index = min(int(place), len(_ANCHORS) - 2)
    low, high = list(pairwise(_ANCHORS))[index]
    return _between(low, high, place - index)


def _between(low: str, high: str, share: float) -> str:
    ends = zip(_triplet(low), _triplet(high), strict=True)
    return ColorTriplet(*(round(start + (end - start) * share) for start, end in ends)).hex


def _triplet(colour: str) -> ColorTriplet:
    return Color.parse(colour).get_truecolor()


def ink(colour: str) -> str:
    """Return what to write with on a colour."""
    red, green, blue = _triplet(colour).normalized
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > _LIGHT else "#ffffff"


@cache
def style(colour: str, background: str, *, strong: bool = False, reverse: bool = False) -> Style:
    """Return a style; "" is the terminal's own colour."""
    return Style(color=colour or None, bgcolor=background or None, bold=strong, reverse=reverse)
