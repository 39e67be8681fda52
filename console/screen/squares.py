"""Drawings of one square, in each size that a square may have."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style

from console.screen import shapes
from console.screen.colours import Palette, shade, style
from game.colours import ink
from game.drawing import PLAIN, Cell, Symbols

_BEST = "best"
BEST_SIGN = "*"
"""Stands for it where a square is one row high."""


class Mark(Enum):
    """What is said of the disc on a square by what stands to its left and right."""

    NONE = "  "
    LAST = "[]"
    TURNED = "()"


@dataclass(frozen=True)
class Look:
    """What a square shows."""

    cell: Cell
    mark: Mark = Mark.NONE
    text: str = ""
    """What its move is worth, if that is shown."""
    share: float | None = None
    """The same for its colour, 0 for the worst to 1 for the best."""
    is_best: bool = False
    cursor: bool = False
    odd: bool = False
    """Which of the two kinds of a chequered board it is."""

    @property
    def is_disc(self) -> bool:
        """Whether a disc lies there."""
        return self.cell in (Cell.BLACK, Cell.WHITE)


class _Canvas:
    """Lines of characters, each with its style."""

    def __init__(self, width: int, height: int, background: Style) -> None:
        self.width, self.height = width, height
        self.lines = [[Segment(" ", background)] * width for _ in range(height)]

    def put(self, shape: Sequence[str], style: Style) -> None:
        """Lay a shape over it; blanks of the shape change nothing."""
        for y, line in enumerate(shape):
            for x, character in enumerate(line):
                if character != " ":
                    self.lines[y][x] = Segment(character, style)

    def write(self, text: str, row: int, style: Style) -> None:
        """Write in the middle of a row."""
        start = (self.width - len(text)) // 2
        for x, character in enumerate(text, start):
            self.lines[row][x] = Segment(character, style)

    def bracket(self, mark: Mark, style: Style) -> None:
        """Put a mark to the left and to the right, where there is room on both sides."""
        left, right = mark.value
        for line in self.lines:
            line[0] = Segment(left, style)
            if self.width > 2:
                line[-1] = Segment(right, style)


@lru_cache(4096)
def drawn(
    look: Look, width: int, height: int, palette: Palette, symbols: Symbols
) -> tuple[list[Segment], ...]:
    """Return the lines of a square."""
    background = _background(look, palette)
    canvas = _Canvas(width, height, style("", background, reverse=_is_reversed(look, palette)))
    if look.is_disc:
        _put_disc(canvas, look, palette, background, symbols)
    elif look.text or look.is_best:
        _put_value(canvas, look, palette, background)
    elif look.cell is Cell.LEGAL:
        _put_legal(canvas, look, palette, background, symbols)
    elif not palette.has_colours:
        canvas.write(symbols.empty, (height - 1) // 2, style("", "", reverse=look.cursor))
    return tuple(list(Segment.simplify(line)) for line in canvas.lines)


def _background(look: Look, palette: Palette) -> str:
    if not palette.has_colours:
        return ""
    if look.cursor:
        return palette.cursor
    return palette.cloth[look.odd] if look.share is None else shade(look.share, palette)


def _is_reversed(look: Look, palette: Palette) -> bool:
    return look.cursor and not palette.has_colours


def _put_disc(canvas: _Canvas, look: Look, palette: Palette, background: str, symbols: Symbols) -> None:
    is_black = look.cell is Cell.BLACK
    colour = palette.black if is_black else palette.white
    reverse = _is_reversed(look, palette)
    canvas.put(_disc(canvas, look, palette, symbols), style(colour, background, strong=True, reverse=reverse))
    if look.mark is Mark.NONE:
        return
    if canvas.height > 1 and palette.has_colours and symbols is not PLAIN:
        shape = shapes.dot if look.mark is Mark.LAST else shapes.speck
        canvas.put(shape(canvas.width, canvas.height), style(palette.mark, colour))
    else:
        colour = ink(background) if background else ""
        canvas.bracket(look.mark, style(colour, background, strong=True, reverse=reverse))


def _disc(canvas: _Canvas, look: Look, palette: Palette, symbols: Symbols) -> Sequence[str]:
    """Return the shape of a disc: of blocks, or of characters where it is one row high or blocks are none."""
    is_filled = palette.has_colours and symbols is not PLAIN
    character = symbols.black if is_filled else symbols.of(look.cell)
    if canvas.height == 1:
        return [f" {character} "[: canvas.width]]
    is_hollow = look.cell is Cell.WHITE and not palette.has_colours and symbols is not PLAIN
    shape = (shapes.hollow if is_hollow else shapes.disc)(canvas.width, canvas.height)
    return (
        shape
        if symbols is not PLAIN
        else ["".join(_letter(block, character) for block in line) for line in shape]
    )


def _letter(block: str, letter: str) -> str:
    return letter if block == "█" else " "


def _put_legal(canvas: _Canvas, look: Look, palette: Palette, background: str, symbols: Symbols) -> None:
    colour = ink(background) if look.cursor and background else palette.legal
    here = style(colour, background, strong=True, reverse=_is_reversed(look, palette))
    if canvas.height > 1 and symbols is not PLAIN:
        canvas.put(shapes.speck(canvas.width, canvas.height), here)
    else:
        canvas.put([f" {symbols.legal} "[: canvas.width]] if canvas.height == 1 else [], here)
        if canvas.height > 1:
            canvas.write(symbols.legal, canvas.height // 2, here)


def _put_value(canvas: _Canvas, look: Look, palette: Palette, background: str) -> None:
    here = style(
        ink(background) if background else "",
        background,
        strong=look.is_best,
        reverse=_is_reversed(look, palette),
    )
    row = (canvas.height - 1) // 2
    text = fitting(look.text, canvas.width)
    if look.is_best and canvas.height > 1:
        canvas.write(_BEST, row + 1, here)
    elif look.is_best:
        text = fitting(look.text, canvas.width - 1) + BEST_SIGN
    canvas.write(text, row, here)


def fitting(text: str, width: int) -> str:
    """Return a value as it fits into this many columns, less exact or "" if need be."""
    whole, _, decimals = text.partition(".")
    short = f"{whole.removesuffix('0')}.{decimals}" if decimals else text
    initial = text[:1] if text.isalpha() else ""
    tries = [text, short, short[:-1] if decimals else text, whole, initial]
    return next((each for each in tries if len(each) <= width and each[-1:] != "."), "")
