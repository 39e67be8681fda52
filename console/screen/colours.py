"""The colours of the board. What they tell is told by shapes, signs or words too."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from rich.style import Style

from game.colours import BLACK, CLOTH, CLOTH_BESIDE, LEGAL, MARK, WHITE, worth

_STEPS: Final = 24


@dataclass(frozen=True)
class Palette:
    """What is put on which background, in rich's words; all empty without colours."""

    cloth: tuple[str, str] = ("", "")
    """The squares, by turns."""
    cursor: str = ""
    black: str = ""
    white: str = ""
    legal: str = ""
    mark: str = ""
    """Of the dots that mark the last move and the discs that it turned."""
    values: tuple[str, ...] = ()
    """Of squares by what their moves are worth, the worst first; () for all between blue and yellow."""

    @property
    def has_colours(self) -> bool:
        """Whether discs can be told apart by their colour."""
        return bool(self.black)


COLOURED: Final = Palette(
    cloth=(CLOTH, CLOTH_BESIDE),
    cursor="#f0a000",
    black=BLACK,
    white=WHITE,
    legal=LEGAL,
    mark=MARK,
)
SIXTEEN: Final = Palette(
    cloth=("#555555", "#555555"),
    cursor="#00aaaa",
    black="#000000",
    white="#ffffff",
    legal="#55ff55",
    mark="#ff5555",
    values=("#0000aa", "#aaaaaa", "#ffff55"),
)
"""For terminals of 16 colours, all of them theirs: on grey black and white are seen better than on green."""
COLOURLESS: Final = Palette()


def shade(share: float, palette: Palette = COLOURED) -> str:
    """Return the colour of a value, 0 for the worst to 1 for the best; a screen needs a few alone."""
    if palette.values:
        return palette.values[round(share * (len(palette.values) - 1))]
    return worth(round(share * _STEPS) / _STEPS)


@cache
def style(colour: str, background: str, *, strong: bool = False, reverse: bool = False) -> Style:
    """Return a style; "" is the terminal's own colour."""
    return Style(color=colour or None, bgcolor=background or None, bold=strong, reverse=reverse)
