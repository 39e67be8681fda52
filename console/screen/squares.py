"""Draw a square of the board in each size. Colour is never the only sign of a fact."""

from collections.abc import Iterator, Sequence
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

CURSOR: Final = "#f0a000"
"""The background of the square under the cursor."""
_CLOTHS: Final = (CLOTH, CLOTH_BESIDE)
"""The two backgrounds of the squares, as on a chessboard."""
_SHADES: Final = 24
_BEST = "best"
BEST_SIGN = "*"
"""The sign for the best move on squares of one line. Higher squares show the word `best`."""
_DOT, _SPECK = 0.475, 0.35
"""The radii of the mark on the last move and of smaller marks, as fractions of half a square."""


def shade(share: float) -> str:
    """Return the colour of a value. The `share` is 0 for the worst move and 1 for the best."""
    return value_colour(round(share * _SHADES) / _SHADES)


@cache
def style(colour: str, background: str, strong: bool = False) -> Style:
    """Return a style. With `strong`, the text is bold."""
    return Style(color=colour, bgcolor=background, bold=strong)


BLOCKS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""The block characters. The index is a sum: upper left 1, upper right 2, lower left 4, lower right 8."""
CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))


@cache
def round_shape(width: int, height: int, radius: float) -> tuple[str, ...]:
    """Return `height` lines of `width` characters with a disc. The radius is a fraction of half the space."""
    half = min(width / 2, height)

    def is_filled(column: int, row: int) -> bool:
        x, y = (column + 0.5) / 2 - width / 2, row + 0.5 - height
        return hypot(x, y) <= radius * half

    def block(column: int, row: int) -> str:
        points = (is_filled(2 * column + right, 2 * row + down) for right, down in CORNERS)
        return BLOCKS[sum(1 << bit for bit, filled in enumerate(points) if filled)]

    return tuple("".join(block(column, row) for column in range(width)) for row in range(height))


@lru_cache(4096)
def drawn(
    look: Look, width: int, height: int, odd: bool = False, cursor: bool = False
) -> tuple[list[Segment], ...]:
    """Return the lines of a square. With `odd`, use the second background."""
    background = CURSOR if cursor else _CLOTHS[odd] if look.share is None else shade(look.share)
    lines = [[Segment(" ", Style(bgcolor=background))] * width for _ in range(height)]
    for shape, layer_style in _layers(look, width, height, background):
        for line, text in zip(lines, shape, strict=False):
            for x, character in enumerate(text, (width - len(text)) // 2):
                if character != " ":
                    line[x] = Segment(character, layer_style)
    return tuple(list(Segment.simplify(line)) for line in lines)


def _layers(look: Look, width: int, height: int, background: str) -> Iterator[tuple[Sequence[str], Style]]:
    """Yield shapes to draw one over the other, as centred lines. Spaces are transparent."""
    text_style = style(ink(background), background, look.is_disc or look.is_best)
    if look.is_disc:
        colour = BLACK if look.cell is Cell.BLACK else WHITE
        yield _disc(width, height), style(colour, background, strong=True)
        if height == 1:
            yield ["{} {}".format(*look.mark.value)[:width]], text_style
        elif look.mark is not Mark.NONE:
            radius = _DOT if look.mark is Mark.LAST else _SPECK
            yield round_shape(width, height, radius), style(MARK, colour)
    elif look.text or look.is_best:
        above = [""] * ((height - 1) // 2)
        sign = BEST_SIGN if look.is_best and height == 1 else ""
        below = [_BEST] if look.is_best else []
        yield [*above, fitting(look.text, width - len(sign)) + sign, *below], text_style
    elif look.cell is Cell.LEGAL:
        colour = ink(background) if background == CURSOR else LEGAL
        shape = [f" {ROUND.legal} "[:width]] if height == 1 else round_shape(width, height, _SPECK)
        yield shape, style(colour, background, strong=True)


def _disc(width: int, height: int) -> Sequence[str]:
    if height == 1:
        return [f" {ROUND.black} "[:width]]
    half = min(width / 2, height)
    # Leave the points at the edge empty if there are enough points.
    return round_shape(width, height, 0.87 if half <= 2 else (half - 0.52) / half)


def fitting(text: str, width: int) -> str:
    """Shorten the text of a value to `width` characters. Return "" if no short form fits."""
    whole, _, decimals = text.partition(".")
    short = f"{whole.removesuffix('0')}.{decimals}" if decimals else text
    initial = text[:1] if text.isalpha() else ""
    candidates = [text, short, short[:-1] if decimals else text, whole, initial]
    return next((it for it in candidates if len(it) <= width and it[-1:] != "."), "")
