"""Drawings of one square in each size that it may have: its colours, and round shapes of block characters.

What colours tell is told by shapes, signs or words too.
"""

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
    PLAIN,
    WHITE,
    Cell,
    Look,
    Mark,
    Symbols,
    ink,
    value_colour,
)

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
    return value_colour(round(share * _STEPS) / _STEPS)


@cache
def style(colour: str, background: str, *, strong: bool = False, reverse: bool = False) -> Style:
    """Return a style; "" is the terminal's own colour."""
    return Style(color=colour or None, bgcolor=background or None, bold=strong, reverse=reverse)


BLOCKS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""By which points are filled: 1 upper left, 2 upper right, 4 lower left, 8 lower right."""
_CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))


@cache
def ring(width: int, height: int, inner: float, outer: float) -> tuple[str, ...]:
    """Return a ring in the middle of `height` lines of `width` characters.

    The radii are shares of half the space. A character is taken to be twice as high as wide.
    """
    half = min(width / 2, height)

    def is_filled(column: int, row: int) -> bool:
        x, y = (column + 0.5) / 2 - width / 2, row + 0.5 - height
        return inner * half <= hypot(x, y) <= outer * half

    def block(column: int, row: int) -> str:
        points = (is_filled(2 * column + right, 2 * row + down) for right, down in _CORNERS)
        return BLOCKS[sum(1 << bit for bit, filled in enumerate(points) if filled)]

    return tuple("".join(block(column, row) for column in range(width)) for row in range(height))


def points(block: str) -> list[tuple[int, int]]:
    """Return the filled points of a block character, each as (0 left or 1 right, 0 upper or 1 lower)."""
    filled = BLOCKS.index(block)
    return [corner for bit, corner in enumerate(_CORNERS) if filled >> bit & 1]


def _radius(width: int, height: int) -> float:
    """Return the radius of a disc, which leaves the outermost points free where there are enough."""
    half = min(width / 2, height)
    return 0.87 if half <= 2 else (half - 0.52) / half


_BEST = "best"
BEST_SIGN = "*"
"""Stands for it where a square is one row high."""
_DOT, _SPECK = 0.475, 0.35
"""Radii of the marks on discs, and of the dot where one may move, as shares of half a square."""


class _Square:
    """A square while it is drawn: lines of characters, each with its style."""

    def __init__(
        self, look: Look, size: tuple[int, int], palette: Palette, symbols: Symbols, odd: bool, cursor: bool
    ) -> None:
        self._look, self._palette, self._symbols, self._is_cursor = look, palette, symbols, cursor
        self._size, (self._width, self._height) = size, size
        self._has_blocks = symbols is not PLAIN
        self._background = self._colour_behind(odd)
        self.lines = [[Segment(" ", self._style(""))] * self._width for _ in range(self._height)]

    def _colour_behind(self, odd: bool) -> str:
        share, palette = self._look.share, self._palette
        if not palette.has_colours:
            return ""
        if self._is_cursor:
            return palette.cursor
        return palette.cloth[odd] if share is None else shade(share, palette)

    def _style(self, colour: str, strong: bool = False) -> Style:
        """Return the style of a colour on this square; without colours the cursor is reversed."""
        is_reversed = self._is_cursor and not self._palette.has_colours
        return style(colour, self._background, strong=strong, reverse=is_reversed)

    @property
    def _ink(self) -> str:
        """The colour that can be read here."""
        return ink(self._background) if self._background else ""

    def draw(self) -> None:
        """Draw what the square shows."""
        look = self._look
        if look.is_disc:
            self._put_disc()
        elif look.text or look.is_best:
            self._put_value()
        elif look.cell is Cell.LEGAL:
            self._put_legal()
        elif not self._palette.has_colours:
            self._write(self._symbols.empty, (self._height - 1) // 2, self._style(""))

    def _put(self, shape: Sequence[str], style: Style) -> None:
        """Lay a shape over it; blanks of the shape change nothing."""
        for y, line in enumerate(shape):
            for x, character in enumerate(line):
                if character != " ":
                    self.lines[y][x] = Segment(character, style)

    def _write(self, text: str, row: int, style: Style) -> None:
        """Write in the middle of a row."""
        for x, character in enumerate(text, (self._width - len(text)) // 2):
            self.lines[row][x] = Segment(character, style)

    def _put_disc(self) -> None:
        palette, mark = self._palette, self._look.mark
        colour = palette.black if self._look.cell is Cell.BLACK else palette.white
        self._put(self._disc(), self._style(colour, strong=True))
        if mark is not Mark.NONE and self._height > 1 and palette.has_colours and self._has_blocks:
            radius = _DOT if mark is Mark.LAST else _SPECK
            self._put(ring(*self._size, 0.0, radius), style(palette.mark, colour))
        elif mark is not Mark.NONE:
            self._bracket(mark, self._style(self._ink, strong=True))

    def _bracket(self, mark: Mark, style: Style) -> None:
        """Put a mark to the left and to the right, where there is room on both sides."""
        left, right = mark.value
        for line in self.lines:
            line[0] = Segment(left, style)
            if self._width > 2:
                line[-1] = Segment(right, style)

    def _disc(self) -> Sequence[str]:
        """Return its shape: of blocks, or of characters where it is one row high or there are no blocks."""
        character, is_coloured = self._symbols.of(self._look.cell), self._palette.has_colours
        if self._height == 1:
            filled = is_coloured and self._has_blocks
            return [f" {self._symbols.black if filled else character} "[: self._width]]
        is_hollow = self._has_blocks and self._look.cell is Cell.WHITE and not is_coloured
        blocks = ring(*self._size, 0.5 if is_hollow else 0.0, _radius(*self._size))
        if self._has_blocks:
            return blocks
        return ["".join(character if block == "█" else " " for block in line) for line in blocks]

    def _put_legal(self) -> None:
        symbol = self._symbols.legal
        colour = self._ink if self._is_cursor and self._background else self._palette.legal
        here = self._style(colour, strong=True)
        if self._height == 1:
            self._put([f" {symbol} "[: self._width]], here)
        elif self._has_blocks:
            self._put(ring(*self._size, 0.0, _SPECK), here)
        else:
            self._write(symbol, self._height // 2, here)

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
    look: Look,
    size: tuple[int, int],
    palette: Palette,
    symbols: Symbols,
    odd: bool = False,
    cursor: bool = False,
) -> tuple[list[Segment], ...]:
    """Return the lines of a square of a width and a height; `odd` is every second of a chequered board."""
    square = _Square(look, size, palette, symbols, odd, cursor)
    square.draw()
    return tuple(list(Segment.simplify(line)) for line in square.lines)


def fitting(text: str, width: int) -> str:
    """Return a value as it fits into this many columns, less exact or "" if need be."""
    whole, _, decimals = text.partition(".")
    short = f"{whole.removesuffix('0')}.{decimals}" if decimals else text
    initial = text[:1] if text.isalpha() else ""
    tries = [text, short, short[:-1] if decimals else text, whole, initial]
    return next((each for each in tries if len(each) <= width and each[-1:] != "."), "")
