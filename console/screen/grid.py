"""The grid of a board on the screen: where its squares lie, in columns and rows of characters."""

from dataclasses import dataclass

NUMBERS = 3
"""Columns to the left of the squares, for the row numbers."""
LETTERS = 1
"""Rows above the squares, for the column letters."""
SQUARES = ((10, 5), (8, 4), (6, 3), (4, 2), (3, 1), (2, 1))
"""Columns and rows of a square, the largest first. A character is about twice as high as wide."""
PANEL = 25
"""Columns that the panel beside a board needs."""
BELOW = 2
"""Rows that the lines below a board need where there is no room beside it."""
CARD = 10
"""Rows that they need at the end of a game; on a small screen they have what the smallest squares leave."""
KEYS = 1
"""Rows of the keys at the bottom."""


@dataclass(frozen=True)
class Grid:
    """A board of size x size squares, each `width` columns wide and `height` rows high."""

    size: int
    width: int
    height: int

    @property
    def columns(self) -> int:
        """How wide the board is with its row numbers."""
        return NUMBERS + self.size * self.width

    @property
    def rows(self) -> int:
        """How high the board is with its column letters."""
        return LETTERS + self.size * self.height

    def square_at(self, column: int, row: int) -> int | None:
        """Return the square at a place of the drawing, None beside the squares."""
        x, y = (column - NUMBERS) // self.width, (row - LETTERS) // self.height
        if 0 <= x < self.size and 0 <= y < self.size:
            return y * self.size + x
        return None


def smallest(size: int) -> Grid:
    """Return the board with the smallest squares."""
    return Grid(size, *SQUARES[-1])


def largest(size: int, columns: int, rows: int) -> Grid | None:
    """Return the largest board that fits, None if none does."""
    grids = (Grid(size, width, height) for width, height in SQUARES)
    return next((grid for grid in grids if grid.columns <= columns and grid.rows <= rows), None)


@dataclass(frozen=True)
class Arrangement:
    """How a board and what is said about it share the screen."""

    grid: Grid
    beside: bool
    """Whether the panel stands beside the board; else a few lines below it."""


def arrange(size: int, columns: int, rows: int, is_over: bool = False) -> Arrangement | None:
    """Return the arrangement with the largest squares, beside the panel if that costs nothing.

    None where the screen is too small for the board. A game that is over needs more room below it.
    """
    beside = largest(size, columns - PANEL, rows - KEYS)
    below = largest(size, columns, rows - KEYS - BELOW)
    if is_over:
        below = largest(size, columns, rows - KEYS - CARD) or below
    if beside and (below is None or beside.height >= below.height):
        return Arrangement(beside, beside=True)
    return Arrangement(below, beside=False) if below else None


def least(size: int) -> tuple[int, int]:
    """Return the columns and rows of the smallest screen that has room for the board."""
    grid = smallest(size)
    return grid.columns, grid.rows + KEYS + BELOW
