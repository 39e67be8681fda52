"""Drawings of one square, in each size that a square may have."""

from collections.abc import Sequence
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style

from console.screen import shapes
from console.screen.colours import Palette, shade, style
from game.colours import ink
from game.drawing import PLAIN, Cell, Look, Mark, Symbols

_BEST = "best"
BEST_SIGN = "*"
"""Stands for it where a square is one row high."""


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
            shape = shapes.dot if mark is Mark.LAST else shapes.speck
            self._put(shape(*self._size), style(palette.mark, colour))
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
        """Return its shape: of blocks, or of characters where it is one row high or blocks are none."""
        character, is_coloured = self._symbols.of(self._look.cell), self._palette.has_colours
        if self._height == 1:
            filled = is_coloured and self._has_blocks
            return [f" {self._symbols.black if filled else character} "[: self._width]]
        if self._has_blocks:
            is_hollow = self._look.cell is Cell.WHITE and not is_coloured
            return (shapes.hollow if is_hollow else shapes.disc)(*self._size)
        blocks = shapes.disc(*self._size)
        return ["".join(character if block == "█" else " " for block in line) for line in blocks]

    def _put_legal(self) -> None:
        symbol = self._symbols.legal
        colour = self._ink if self._is_cursor and self._background else self._palette.legal
        here = self._style(colour, strong=True)
        if self._height == 1:
            self._put([f" {symbol} "[: self._width]], here)
        elif self._has_blocks:
            self._put(shapes.speck(*self._size), here)
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
