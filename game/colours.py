"""The colours of a board and of what its moves are worth: one set for pictures, pages and terminals.

All are texts such as `#4f8a6c`. What a colour tells is told by a shape, a sign or a word too.
"""

from typing import Final

CLOTH: Final = "#4f8a6c"
"""A square: black and white discs and dark rings stand out on it."""
CLOTH_BESIDE: Final = "#457c60"
"""Every second square where there are no lines between squares."""
LINES: Final = "#2f5a45"
BLACK: Final = "#111111"
WHITE: Final = "#fdfdfd"
LEGAL: Final = "#12251c"
"""Where the side to move may move."""
MARK: Final = "#d55e00"
"""The last move, the discs that it turned over, a frame around a move: seen on both discs by everybody."""
_WORTH: Final = ("#00224e", "#2a3f6d", "#575c6d", "#7c7b78", "#a59c74", "#d2c060", "#fee838")
"""Blue to yellow, ever lighter, so that everybody sees it, and in grey (cividis: Nuñez et al. 2018)."""
_LIGHT: Final = 0.45
"""From this lightness on a colour takes black writing."""

_Channels = tuple[int, ...]


def worth(share: float) -> str:
    """Return the colour of a value, 0 for the worst to 1 for the best."""
    place = min(max(share, 0.0), 1.0) * (len(_WORTH) - 1)
    index = min(int(place), len(_WORTH) - 2)
    low, high = channels(_WORTH[index]), channels(_WORTH[index + 1])
    mixed = (round(a + (b - a) * (place - index)) for a, b in zip(low, high, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def ink(colour: str) -> str:
    """Return what to write with on a colour: black or white."""
    red, green, blue = channels(colour)
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 255 * _LIGHT else "#ffffff"


def channels(colour: str) -> _Channels:
    """Return red, green and blue of a colour, 0 to 255."""
    return tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))
