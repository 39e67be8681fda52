"""The board on the screen: its size, its drawing, and the choice of a square."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from othello_lab.console.screen.squares import drawn
from othello_lab.game.drawing import Look
from othello_lab.game.notation import square_name

NUMBERS = 3
"""The width of the row numbers, in characters."""
LETTERS = 1
"""The height of the column letters, in lines."""
SQUARES = ((10, 5), (8, 4), (6, 3), (4, 2), (3, 1), (2, 1))
"""The sizes of a square in characters and lines, largest first. A character is twice as high as wide."""
_PANEL = 25
"""The smallest width of a panel to the right of the board, in characters."""
BELOW = 2
"""The smallest height of a panel below the board, in lines."""
_CARD = 10
"""The height of a panel below the board at the end of a game, in lines, if there is enough space."""
FOOTER = 1
"""The height of the line of keys at the bottom, in lines."""


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
        """Return the square at a character of the drawing, or None if there is no square."""
        x, y = (column - NUMBERS) // self.width, (row - LETTERS) // self.height
        return y * self.size + x if 0 <= x < self.size and 0 <= y < self.size else None


def smallest(size: int) -> Grid:
    """Return the board with the smallest squares."""
    return Grid(size, *SQUARES[-1])


def largest(size: int, columns: int, rows: int) -> Grid | None:
    """Return the board with the largest squares that fit, or None if no squares fit."""
    grids = (Grid(size, width, height) for width, height in SQUARES)
    return next((grid for grid in grids if grid.columns <= columns and grid.rows <= rows), None)


@dataclass(frozen=True)
class Arrangement:
    """The size of the board, and whether the panel is beside or below the board."""

    grid: Grid
    is_beside: bool


def arrange(size: int, columns: int, rows: int, is_over: bool = False) -> Arrangement | None:
    """Return the arrangement with the largest squares, or None if the screen is too small."""
    beside = largest(size, columns - _PANEL, rows - FOOTER)
    below = largest(size, columns, rows - FOOTER - BELOW)
    if is_over:
        below = largest(size, columns, rows - FOOTER - _CARD) or below
    if beside and (below is None or beside.height >= below.height):
        return Arrangement(beside, is_beside=True)
    return Arrangement(below, is_beside=False) if below else None


def least(size: int) -> tuple[int, int]:
    """Return the smallest screen for a board: its width in characters and its height in lines."""
    grid = smallest(size)
    return grid.columns, grid.rows + FOOTER + BELOW


class BoardView(Widget, can_focus=True):
    """A board on which the person chooses squares with the arrow keys and Enter, or with the mouse."""

    DEFAULT_CSS = "BoardView { width: auto; height: auto; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(0, -1)", show=False),
        Binding("down", "move(0, 1)", show=False),
        Binding("left", "move(-1, 0)", show=False),
        Binding("right", "move(1, 0)", show=False),
        Binding("enter,space", "choose", show=False),
    ]
    cursor = reactive(0)
    """The square under the cursor. Enter chooses this square."""

    @dataclass
    class Chosen(Message):
        """A message with the square that the person has chosen."""

        square: int

    def __init__(self, looks: Sequence[Look], grid: Grid) -> None:
        super().__init__()
        self._looks, self._grid = looks, grid
        self._strips: list[Strip] = []
        self.set_reactive(BoardView.cursor, _middle(grid.size))

    def show(self, looks: Sequence[Look], grid: Grid) -> None:
        """Draw a position with squares of the size in `grid`."""
        if grid.size != self._grid.size:
            self.cursor = _middle(grid.size)
        is_resized = grid != self._grid
        self._looks, self._grid, self._strips = looks, grid, []
        self.refresh(layout=is_resized)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the width of the board in characters."""
        return self._grid.columns

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the height of the board in lines."""
        return self._grid.rows

    def render_line(self, y: int) -> Strip:
        """Return line `y` of the drawing."""
        self._strips = self._strips or [*self._rows()]
        return self._strips[y] if y < len(self._strips) else Strip.blank(self.size.width)

    def _rows(self) -> list[Strip]:
        size, grid, border = self._grid.size, self._grid, self.rich_style + Style(bold=True)
        letters = "".join(f"{square_name(column, size)[0]:^{grid.width}}" for column in range(size))
        squares = [self._drawn(square, look) for square, look in enumerate(self._looks)]
        strips = [Strip([Segment(" " * NUMBERS + letters, border)])]
        for row in range(size):
            for line in range(grid.height):
                number = f"{row + 1:2} " if line == (grid.height - 1) // 2 else " " * NUMBERS
                parts = [part for square in squares[row * size : (row + 1) * size] for part in square[line]]
                strips.append(Strip([Segment(number, border), *parts]))
        return strips

    def _drawn(self, square: int, look: Look) -> tuple[list[Segment], ...]:
        grid, odd = self._grid, bool((square + square // self._grid.size) % 2)
        return drawn(look, grid.width, grid.height, odd, self.has_focus and square == self.cursor)

    def watch_cursor(self) -> None:
        """Redraw the board after the cursor has moved."""
        self._strips = []

    def watch_has_focus(self, has_focus: bool) -> None:
        """Redraw the board, because the cursor is visible only while the board has the focus."""
        super().watch_has_focus(has_focus)
        self._strips = []

    def action_move(self, right: int, down: int) -> None:
        """Move the cursor, but not beyond the edge of the board."""
        row, column = divmod(self.cursor, self._grid.size)
        last = self._grid.size - 1
        self.cursor = min(max(row + down, 0), last) * self._grid.size + min(max(column + right, 0), last)

    def action_choose(self) -> None:
        """Choose the square under the cursor."""
        self.post_message(self.Chosen(self.cursor))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Let the cursor follow the mouse."""
        square = self._grid.square_at(event.x, event.y)
        if square is not None:
            self.cursor = square

    def on_click(self, event: events.Click) -> None:
        """Choose the clicked square."""
        square = self._grid.square_at(event.x, event.y)
        if square is not None:
            self.cursor = square
            self.post_message(self.Chosen(square))


def _middle(size: int) -> int:
    return size * (size // 2 - 1) + size // 2 - 1
