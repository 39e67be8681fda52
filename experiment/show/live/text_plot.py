"""Shares over training games as text: curves of braille dots, and points with their intervals."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.text import Text

from othello_lab.experiment.show.charts import NAMED, Floats, Series

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bits of a braille character, by row and column of its dots."""
_BRAILLE = 0x2800
_LABELS = {"100% ": 0.0, " 50% ": 0.5, "  0% ": 1.0}
"""What stands at the left, and how far down."""
_MARGIN = 5


class Signs(NamedTuple):
    """The characters of a plot."""

    curve: str
    """In the legend."""
    point: str
    bar: str
    """Of an interval."""


FINE, ASCII = Signs("⠶", "●", "│"), Signs("*", "o", "|")


def plot(lines: Sequence[Series], end: float, width: int, height: int, signs: Signs = FINE) -> list[Text]:
    """Return curves of shares, 0 to 1, over 0 to `end` training games, in this many columns and rows.

    Those with intervals are drawn as points. The last row says what lies below.
    """
    canvas = _Canvas(end, width - _MARGIN, height - 1, signs)
    for line, style in _styled(lines):
        if len(line.low):
            canvas.points(line, style)
        else:
            canvas.curve(line.x, line.y, style)
    games = f"{end:,.0f} games"
    return [*canvas.rows(), Text(f"{' ' * _MARGIN}0{games:>{max(0, width - _MARGIN - 1)}}", style="dim")]


def legend(lines: Sequence[Series], signs: Signs = FINE) -> list[Text]:
    """Return a row for each curve that says what it is."""
    return [
        Text.assemble(" " * _MARGIN, (signs.point if len(line.low) else signs.curve, style), f" {line.label}")
        for line, style in _styled(lines)
    ]


def _styled(lines: Sequence[Series]) -> Iterator[tuple[Series, str]]:
    """The curves with their styles, those of points last, so that they stand before the others."""
    for points in (False, True):
        for line in lines:
            if bool(len(line.low)) is points:
                yield line, f"{'bold ' * points}{NAMED[line.look.shade].terminal}".strip()


class _Canvas:
    """Characters in rows, top first; x are training games, y shares."""

    def __init__(self, end: float, columns: int, height: int, signs: Signs) -> None:
        self._end, self._columns, self._height = max(1.0, end), columns, height
        self.signs = signs
        self._cells: dict[tuple[int, int], tuple[str, str]] = {}

    def curve(self, x: Floats, y: Floats, style: str) -> None:
        """Draw a curve of dots; a character has two columns and four rows of them."""
        places = [self._place(*pair, 2 * self._columns, 4 * self._height) for pair in zip(x, y, strict=True)]
        for begin, end in zip(places[:1] + places, places, strict=False):
            steps = max(abs(end[0] - begin[0]), abs(end[1] - begin[1]), 1)
            for step in range(1, steps + 1):
                column, row = (round(a + (b - a) * step / steps) for a, b in zip(begin, end, strict=True))
                self._dot(column, row, style)

    def _dot(self, column: int, row: int, style: str) -> None:
        cell = row // 4, column // 2
        before = ord(self._cells.get(cell, (" ", ""))[0])
        bits = before - _BRAILLE if before >= _BRAILLE else 0
        character = chr(_BRAILLE | bits | _DOTS[row % 4][column % 2])
        self._cells[cell] = character if self.signs is FINE else self.signs.curve, style

    def points(self, line: Series, style: str) -> None:
        """Draw points with the intervals that they stand for."""
        for x, y, low, high in zip(line.x, line.y, line.low, line.high, strict=True):
            self._point(x, y, low, high, style)

    def _point(self, x: float, y: float, low: float, high: float, style: str) -> None:
        column, row = self._place(x, y, self._columns, self._height)
        _, bottom = self._place(x, low, self._columns, self._height)
        _, top = self._place(x, high, self._columns, self._height)
        for each in range(top, bottom + 1):
            if self._cells.get((each, column), ("",))[0] != self.signs.point:  # another's point is not hidden
                self._cells[each, column] = self.signs.bar, style
        self._cells[row, column] = self.signs.point, style

    def _place(self, x: float, y: float, columns: int, rows: int) -> tuple[int, int]:
        """The column and the row, among this many, of a place."""
        across, down = min(1.0, max(0.0, x / self._end)), 1.0 - min(1.0, max(0.0, y))
        return round(across * (columns - 1)), round(down * (rows - 1))

    def rows(self) -> list[Text]:
        """Return what was drawn, with the labels of y."""
        labels = {round(down * (self._height - 1)): label for label, down in _LABELS.items()}
        return [self._row(row, labels.get(row, " " * _MARGIN)) for row in range(self._height)]

    def _row(self, row: int, label: str) -> Text:
        cells = (self._cells.get((row, column), (" ", "")) for column in range(self._columns))
        return Text.assemble((label, "dim"), *cells)
