"""Draw a square of the board in each size. Colour is never the only sign of a fact."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import hypot
from typing import Final

from rich.segment import Segment
from rich.style import Style

from othello_lab.game.drawing import (
    BLACK,
    CLOTH,
    CLOTH_BESIDE,
    LEGAL,
    MARK,
    ROUND,
    WHITE,
    Cell,
    Look,
    Mark,
    ink,
    value_colour,
)

_SHADES: Final = 24
_BEST = "best"
BEST_SIGN = "*"
"""The sign for the best move on squares of one line. Higher squares show the word `best`."""
_DOT, _SPECK = 0.475, 0.35
"""The radii of the mark on the last move and of smaller marks, as fractions of half a square."""


@dataclass(frozen=True)
class Palette:
    """Colours in the syntax of rich. On a terminal without colours, all colours are ""."""

    cloth: tuple[str, str] = ("", "")
    """The two backgrounds of the squares, as on a chessboard."""
    cursor: str = ""
    black: str = ""
    white: str = ""
    legal: str = ""
    mark: str = ""
    """The colour of the dots on the last disc and on the discs that it turned."""
    values: tuple[str, ...] = ()
    """The backgrounds for the values of moves, the worst first. Empty for the scale from blue to yellow."""

    @property
    def has_colours(self) -> bool:
        """Whether the terminal has colours."""
        return bool(self.black)


COLOURED: Final = Palette((CLOTH, CLOTH_BESIDE), "#f0a000", BLACK, WHITE, LEGAL, MARK)
SIXTEEN: Final = Palette(
    ("#555555", "#555555"),
    "#00aaaa",
    "#000000",
    "#ffffff",
    "#55ff55",
    "#ff5555",
    values=("#0000aa", "#aaaaaa", "#ffff55"),
)
"""The palette for terminals with 16 colours, where discs are easier to see on grey than on green."""
COLOURLESS: Final = Palette()


def shade(share: float, palette: Palette = COLOURED) -> str:
    """Return the colour of a value. The `share` is 0 for the worst move and 1 for the best."""
    if palette.values:
        return palette.values[round(share * (len(palette.values) - 1))]
    return value_colour(round(share * _SHADES) / _SHADES)


@cache
def style(colour: str, background: str, *, strong: bool = False, reverse: bool = False) -> Style:
    """Return a style. The colour "" is the default colour of the terminal."""
    return Style(color=colour or None, bgcolor=background or None, bold=strong, reverse=reverse)


BLOCKS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""The block characters. The index is a sum: upper left 1, upper right 2, lower left 4, lower right 8."""
CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))


@cache
def ring(width: int, height: int, inner: float, outer: float) -> tuple[str, ...]:
    """Return `height` lines of `width` characters with a ring. Radii are fractions of half the space."""
    half = min(width / 2, height)

    def is_filled(column: int, row: int) -> bool:
        x, y = (column + 0.5) / 2 - width / 2, row + 0.5 - height
        return inner * half <= hypot(x, y) <= outer * half

    def block(column: int, row: int) -> str:
        points = (is_filled(2 * column + right, 2 * row + down) for right, down in CORNERS)
        return BLOCKS[sum(1 << bit for bit, filled in enumerate(points) if filled)]

    return tuple("".join(block(column, row) for column in range(width)) for row in range(height))


class _Square:
    """A square that is drawn, as lines of segments."""

    def __init__(self, look: Look, size: tuple[int, int], palette: Palette, odd: bool, cursor: bool) -> None:
        self._look, self._palette, self._is_cursor = look, palette, cursor
        self._size, (self._width, self._height) = size, size
        if not palette.has_colours:
            self._background = ""
        elif cursor:
            self._background = palette.cursor
        else:
            self._background = palette.cloth[odd] if look.share is None else shade(look.share, palette)
        self.lines = [[Segment(" ", self._style(""))] * self._width for _ in range(self._height)]

    def _style(self, colour: str, strong: bool = False) -> Style:
        is_reversed = self._is_cursor and not self._palette.has_colours
        return style(colour, self._background, strong=strong, reverse=is_reversed)

    @property
    def _ink(self) -> str:
        return ink(self._background) if self._background else ""

    def draw(self) -> None:
        if self._look.is_disc:
            self._put_disc()
        elif self._look.text or self._look.is_best:
            self._put_value()
        elif self._look.cell is Cell.LEGAL:
            self._put_legal()
        elif not self._palette.has_colours:
            self._write(ROUND.empty, (self._height - 1) // 2, self._style(""))

    def _put(self, shape: Sequence[str], style: Style) -> None:
        """Draw a shape over the square. Spaces are transparent."""
        for y, line in enumerate(shape):
            for x, character in enumerate(line):
                if character != " ":
                    self.lines[y][x] = Segment(character, style)

    def _write(self, text: str, row: int, style: Style) -> None:
        for x, character in enumerate(text, (self._width - len(text)) // 2):
            self.lines[row][x] = Segment(character, style)

    def _put_disc(self) -> None:
        palette, mark = self._palette, self._look.mark
        colour = palette.black if self._look.cell is Cell.BLACK else palette.white
        self._put(self._disc(), self._style(colour, strong=True))
        if mark is Mark.NONE:
            return
        if self._height > 1 and palette.has_colours:
            radius = _DOT if mark is Mark.LAST else _SPECK
            self._put(ring(*self._size, 0.0, radius), style(palette.mark, colour))
            return
        left, right = mark.value
        for line in self.lines:
            line[0] = Segment(left, self._style(self._ink, strong=True))
            if self._width > 2:
                line[-1] = Segment(right, self._style(self._ink, strong=True))

    def _disc(self) -> Sequence[str]:
        is_coloured = self._palette.has_colours
        if self._height == 1:
            character = ROUND.black if is_coloured else ROUND.of(self._look.cell)
            return [f" {character} "[: self._width]]
        is_hollow = self._look.cell is Cell.WHITE and not is_coloured
        half = min(self._width / 2, self._height)
        # Leave the points at the edge empty if there are enough points.
        radius = 0.87 if half <= 2 else (half - 0.52) / half
        return ring(*self._size, 0.5 if is_hollow else 0.0, radius)

    def _put_legal(self) -> None:
        colour = self._ink if self._is_cursor and self._background else self._palette.legal
        is_low = self._height == 1
        shape = [f" {ROUND.legal} "[: self._width]] if is_low else ring(*self._size, 0.0, _SPECK)
        self._put(shape, self._style(colour, strong=True))

    def _put_value(self) -> None:
        look, row = self._look, (self._height - 1) // 2
        here, text = self._style(self._ink, strong=look.is_best), fitting(look.text, self._width)
        if look.is_best and self._height > 1:
            self._write(_BEST, row + 1, here)
        elif look.is_best:
            text = fitting(look.text, self._width - 1) + BEST_SIGN
        self._write(text, row, here)


@lru_cache(4096)
def drawn(
    look: Look, size: tuple[int, int], palette: Palette, odd: bool = False, cursor: bool = False
) -> tuple[list[Segment], ...]:
    """Return the lines of a square with a width and a height. With `odd`, use the second background."""
    square = _Square(look, size, palette, odd, cursor)
    square.draw()
    return tuple(list(Segment.simplify(line)) for line in square.lines)


def fitting(text: str, width: int) -> str:
    """Shorten the text of a value to `width` characters. Return "" if no short form fits."""
    whole, _, decimals = text.partition(".")
    short = f"{whole.removesuffix('0')}.{decimals}" if decimals else text
    initial = text[:1] if text.isalpha() else ""
    candidates = [text, short, short[:-1] if decimals else text, whole, initial]
    return next((it for it in candidates if len(it) <= width and it[-1:] != "."), "")
