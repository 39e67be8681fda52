"""The board of the full-screen program: layout, drawing and the selection of squares."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import hypot
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

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
    letters,
    value_colour,
)

NUMBERS = 3  # The width of the row numbers, in characters.
LETTERS = 1  # The height of the column letters, in lines.
# The sizes of a square in characters and lines, largest first. A character is twice as high as wide.
SQUARES = ((10, 5), (8, 4), (6, 3), (4, 2), (3, 1), (2, 1))
_PANEL = 25  # The minimum width of a panel to the right of the board, in characters.
BELOW = 2  # The minimum height of a panel below the board, in lines.
_CARD = 10  # The preferred height of a panel below the board after a game, in lines.
FOOTER = 1  # The height of the footer, in lines.
# The background of the square under the cursor.
CURSOR: Final = "#f0a000"
_CLOTHS: Final = (CLOTH, CLOTH_BESIDE)  # The two backgrounds of the squares, in a chessboard pattern.
_SHADES: Final = 24
_BEST = "best"
BEST_SIGN = "*"  # The best move's sign on squares one line high. Higher squares show the word `best`.
_DOT, _SPECK = 0.475, 0.35  # Radii of the last move's mark and of small marks, relative to half a square.


@dataclass(frozen=True)
class Grid:
    """A board of size x size squares. Each square is `width` characters wide and `height` lines high."""

    size: int
    width: int
    height: int

    @property
    def columns(self) -> int:
        """The width of the board and its row numbers, in characters."""
        return NUMBERS + self.size * self.width

    @property
    def rows(self) -> int:
        """The height of the board and its column letters, in lines."""
        return LETTERS + self.size * self.height

    def square_at(self, column: int, row: int) -> int | None:
        """Return the square at a character position, or None outside the squares."""
        x, y = (column - NUMBERS) // self.width, (row - LETTERS) // self.height
        return y * self.size + x if 0 <= x < self.size and 0 <= y < self.size else None


def largest(size: int, columns: int, rows: int) -> Grid | None:
    """Return the board with the largest squares that fit, or None if no squares fit."""
    grids = (Grid(size, width, height) for width, height in SQUARES)
    return next((grid for grid in grids if grid.columns <= columns and grid.rows <= rows), None)


def arrange(size: int, columns: int, rows: int, is_over: bool = False) -> tuple[Grid, bool] | None:
    """Return the largest grid that fits, and whether the panel is beside the board, or None if none fits."""
    beside = largest(size, columns - _PANEL, rows - FOOTER)
    below = largest(size, columns, rows - FOOTER - BELOW)
    if is_over:
        below = largest(size, columns, rows - FOOTER - _CARD) or below
    if beside and (below is None or beside.height >= below.height):
        return beside, True
    return (below, False) if below else None


def least(size: int) -> tuple[int, int]:
    """Return the minimum screen size for a board: width in characters, height in lines."""
    grid = Grid(size, *SQUARES[-1])
    return grid.columns, grid.rows + FOOTER + BELOW


def shade(share: float) -> str:
    """Return the colour of a value. The `share` is 0 for the worst move and 1 for the best."""
    return value_colour(round(share * _SHADES) / _SHADES)


BLOCKS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"  # Index bits: upper left 1, upper right 2, lower left 4, lower right 8.
CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))


@cache
def round_shape(width: int, height: int, radius: float) -> tuple[str, ...]:
    """Return a disc as `height` lines of `width` block characters. A disc of radius 1 fills the space."""
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
    """Yield the layers of a square, bottom first, as centred lines with a style. Spaces are transparent."""
    text_style = Style(color=ink(background), bgcolor=background, bold=look.is_disc or look.is_best)
    if look.is_disc:
        colour = BLACK if look.cell is Cell.BLACK else WHITE
        yield _disc(width, height), Style(color=colour, bgcolor=background, bold=True)
        if height == 1:
            yield ["{} {}".format(*look.mark.value)[:width]], text_style
        elif look.mark is not Mark.NONE:
            radius = _DOT if look.mark is Mark.LAST else _SPECK
            yield round_shape(width, height, radius), Style(color=MARK, bgcolor=colour)
    elif look.text or look.is_best:
        above = [""] * ((height - 1) // 2)
        sign = BEST_SIGN if look.is_best and height == 1 else ""
        below = [_BEST] if look.is_best else []
        yield [*above, fitting(look.text, width - len(sign)) + sign, *below], text_style
    elif look.cell is Cell.LEGAL:
        colour = ink(background) if background == CURSOR else LEGAL
        shape = [f" {ROUND.legal} "[:width]] if height == 1 else round_shape(width, height, _SPECK)
        yield shape, Style(color=colour, bgcolor=background, bold=True)


def _disc(width: int, height: int) -> Sequence[str]:
    if height == 1:
        return [f" {ROUND.black} "[:width]]
    half = min(width / 2, height)
    # Leave a margin if the resolution allows.
    return round_shape(width, height, 0.87 if half <= 2 else (half - 0.52) / half)


def fitting(text: str, width: int) -> str:
    """Shorten the text of a value to at most `width` characters, or return "" if nothing fits."""
    whole, _, decimals = text.partition(".")
    short = f"{whole.removesuffix('0')}.{decimals}" if decimals else text
    initial = text[:1] if text.isalpha() else ""
    candidates = [text, short, short[:-1] if decimals else text, whole, initial]
    return next((it for it in candidates if len(it) <= width and it[-1:] != "."), "")


class BoardView(Widget, can_focus=True):
    """A board widget. The person selects squares with the arrow keys and Enter, or with the mouse."""

    DEFAULT_CSS = "BoardView { width: auto; height: auto; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(0, -1)", show=False),
        Binding("down", "move(0, 1)", show=False),
        Binding("left", "move(-1, 0)", show=False),
        Binding("right", "move(1, 0)", show=False),
        Binding("enter,space", "choose", show=False),
    ]
    cursor = reactive(0)  # The square under the cursor, which Enter chooses.

    @dataclass
    class Chosen(Message):
        """A message with the square that the person chose."""

        square: int

    def __init__(self, looks: Sequence[Look], size: int) -> None:
        """Show a position on a board of size x size squares of the minimum size."""
        super().__init__()
        self._looks, self._grid = looks, Grid(size, *SQUARES[-1])
        self.set_reactive(BoardView.cursor, _middle(size))

    def show(self, looks: Sequence[Look], grid: Grid) -> None:
        """Draw a position in the layout `grid`."""
        if grid.size != self._grid.size:
            self.cursor = _middle(grid.size)
        is_resized = grid != self._grid
        self._looks, self._grid = looks, grid
        self.refresh(layout=is_resized)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the width of the board in characters."""
        return self._grid.columns

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the height of the board in lines."""
        return self._grid.rows

    def render_line(self, y: int) -> Strip:
        """Render line `y` of the board."""
        grid, border = self._grid, self.rich_style + Style(bold=True)
        if y >= grid.rows:
            return Strip.blank(self.size.width)
        if y < LETTERS:
            centred = (f"{letter:^{grid.width}}" for letter in letters(grid.size))
            return Strip([Segment(" " * NUMBERS + "".join(centred), border)])
        row, line = divmod(y - LETTERS, grid.height)
        number = f"{row + 1:2} " if line == (grid.height - 1) // 2 else " " * NUMBERS
        parts = [Segment(number, border)]
        for column in range(grid.size):
            square = row * grid.size + column
            has_cursor = self.has_focus and square == self.cursor  # only the focused board shows a cursor
            look, is_odd = self._looks[square], bool((row + column) % 2)
            parts += drawn(look, grid.width, grid.height, is_odd, has_cursor)[line]
        return Strip(parts)

    def action_move(self, right: int, down: int) -> None:
        """Move the cursor, clamped to the board."""
        row, column = divmod(self.cursor, self._grid.size)
        last = self._grid.size - 1
        self.cursor = min(max(row + down, 0), last) * self._grid.size + min(max(column + right, 0), last)

    def action_choose(self) -> None:
        """Choose the square under the cursor."""
        self.post_message(self.Chosen(self.cursor))

    def on_click(self, event: events.Click) -> None:
        """Choose the clicked square."""
        square = self._grid.square_at(event.x, event.y)
        if square is not None:
            self.cursor = square
            self.post_message(self.Chosen(square))


def _middle(size: int) -> int:
    return size * (size // 2 - 1) + size // 2 - 1
