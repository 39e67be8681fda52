"""Describe the rows and columns of a table once, for every output format.

A column has a displayed heading and a machine-readable key. Rows contain raw values, not formatted texts.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from rich import box
from rich.markup import escape
from rich.table import Table as Grid

from othello_lab.game.safe_files import csv_text
from rlglue.messages import truncate_middle

Value: TypeAlias = str | int | float
T = TypeVar("T")
_SHORTEST, _LONGEST = 14, 34  # minimum and maximum width of the names next to a matrix, in characters


@dataclass(frozen=True)
class Column(Generic[T]):
    """The names of a column, and functions that return and format its values."""

    heading: str  # The displayed heading. A column with an empty heading is not displayed.
    of: Callable[[T], Any] = lambda thing: thing  # Returns the column's value for an object.
    write: Callable[[Any], str] = str  # Formats a value for display.
    key: str | None = None  # The machine-readable name. Default: the heading. "" if only displayed.
    wide: bool = False  # Whether long texts are wrapped.

    @property
    def name(self) -> str:
        """The machine-readable name."""
        return self.heading.replace(" ", "_") if self.key is None else self.key

    @property
    def number(self) -> bool:
        """Whether the column is right-aligned."""
        return self.write is not str

    def text(self, value: Any) -> str:  # noqa: ANN401  any value that `of` returns
        """Return a value as displayed text. None becomes a dash."""
        if value is None or isinstance(value, str):
            return "-" if value is None else value
        return self.write(value)


@dataclass(frozen=True)
class Table:
    """A table. The first visible column has the names of the rows."""

    title: str
    columns: Sequence[Column[Any]]
    rows: Sequence[Sequence[Any]]
    says: str = ""  # An explanation of the numbers.
    numbered: bool = False  # Whether the rows are numbered, from 1.
    folded: bool = False  # Whether the table is collapsed at first on a page.
    matrix: bool = False  # Whether there is a column for each row. A terminal shows blocks of columns.

    @classmethod
    def of(
        cls, title: str, columns: Sequence[Column[T]], things: Iterable[T], says: str = "", **looks: bool
    ) -> "Table":
        """Return a table with one row for each object. `looks` may have `numbered` and `folded`."""
        rows = [tuple(column.of(thing) for column in columns) for thing in things]
        return cls(title, columns, rows, says, **looks)

    @property
    def visible(self) -> list[Column[Any]]:
        """The displayed columns."""
        return [column for column in self.columns if column.heading]

    @property
    def cells(self) -> list[list[str]]:
        """The displayed texts, row by row."""
        return [
            [column.text(value) for column, value in zip(self.columns, row, strict=True) if column.heading]
            for row in self.rows
        ]

    @property
    def keys(self) -> tuple[str, ...]:
        """The machine-readable names of the columns."""
        return tuple(column.name for column in self.columns if column.name)

    @property
    def values(self) -> list[list[Any]]:
        """The machine-readable values, row by row. Infinite numbers and NaN become None."""
        places = [place for place, column in enumerate(self.columns) if column.name]
        return [[known(row[place]) for place in places] for row in self.rows]

    @property
    def records(self) -> list[dict[str, Any]]:
        """The machine-readable rows, as dictionaries by key."""
        return [dict(zip(self.keys, row, strict=True)) for row in self.values]

    def without_empty(self) -> "Table":
        """Return the table without its empty visible columns."""
        full = [
            place
            for place, column in enumerate(self.columns)
            if not column.heading or any(known(row[place]) is not None for row in self.rows)
        ]
        rows = [[row[place] for place in full] for row in self.rows]
        return replace(self, columns=[self.columns[place] for place in full], rows=rows)

    def place(self, key: str) -> int:
        """Return the index of the column with this key."""
        return [column.name for column in self.columns].index(key)

    def where(self, **values: Value) -> "Table":
        """Return a table of the rows whose columns have these values."""
        wanted = [(self.place(key), value) for key, value in values.items()]
        return self.only(lambda row: all(row[place] == value for place, value in wanted))

    def only(self, wanted: Callable[[Sequence[Any]], bool]) -> "Table":
        """Return a table of the rows that `wanted` accepts."""
        return replace(self, rows=[row for row in self.rows if wanted(row)])

    def column(self, key: str) -> list[Any]:
        """Return the values of a column."""
        place = self.place(key)
        return [row[place] for row in self.rows]

    def numbers(self, key: str) -> NDArray[np.float64]:
        """Return a column of numbers, float64 [rows]."""
        return np.array(self.column(key), np.float64)

    def distinct(self, key: str) -> list[Any]:
        """Return a column's distinct values, in the order of first occurrence."""
        return list(dict.fromkeys(self.column(key)))


def keyed(title: str, keys: str, rows: Iterable[Sequence[Any]], says: str) -> Table:
    """Return a machine-readable table. Spaces separate the column names in `keys`."""
    return Table(title, [Column("", key=key) for key in keys.split()], list(rows), says)


def known(value: Any) -> Any:  # noqa: ANN401  any value of a table
    """Return a value, or None for an infinite number or NaN."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def as_csv(table: Table) -> str:
    """Return the machine-readable table as CSV. A missing value gives an empty cell."""
    rows = (["" if value is None else value for value in row] for row in table.values)
    return csv_text([table.keys, *rows])


def as_json(table: Table) -> dict[str, Any]:
    """Return the machine-readable table as a JSON dictionary. A missing value is None."""
    return {"about": table.says, "columns": table.keys, "rows": table.values}


def as_markdown(table: Table) -> str:
    """Return the displayed table as Markdown, below the title and the explanation."""
    rule = "|" + "|".join("---:" if column.number else "---" for column in table.visible) + "|"
    headings, *rows = (
        "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
        for cells in _with_headings(table)
    )
    return "\n".join([f"{table.title}, {table.says}:", "", headings, rule, *rows])


def _with_headings(table: Table) -> list[list[str]]:
    return [[column.heading for column in table.visible], *table.cells]


def grid(table: Table) -> Grid:
    """Return a rich table. In a narrow terminal, the first column and the wide columns are wrapped."""
    drawn = Grid(
        title=f"\n{escape(table.title)}" if table.title else None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    for place, column in enumerate(table.visible):
        justify: Any = "right" if column.number else "left"
        drawn.add_column(
            escape(column.heading), justify=justify, no_wrap=place > 0 and not column.wide, overflow="fold"
        )
    for row in table.cells:
        drawn.add_row(*map(escape, row))
    return drawn


def lines(table: Table) -> Iterator[str]:
    """Yield the lines of a table as plain text. A line begins with the row number and ends with the name."""
    rows = _with_headings(table)
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    for place, (name, *cells) in enumerate(rows):
        yield "  ".join([f"{place or '#':>3}", *map(str.rjust, cells, widths[1:]), name])


def matrix_lines(table: Table, width: int) -> Iterator[str]:
    """Yield the lines of a matrix as plain text, in blocks of at most `width` characters."""
    yield table.title
    names, rows = [cells[0] for cells in table.cells], [cells[1:] for cells in table.cells]
    count = len(names)
    across = 2 + max(len(f"{count}"), *(len(cell) for row in rows for cell in row))
    at_once = max(1, min(count, (width - 4 - _SHORTEST) // across))
    room = max(_SHORTEST, min(_LONGEST, max(map(len, names)), width - 4 - at_once * across))
    for begin in range(0, count, at_once):
        block = slice(begin, begin + at_once)
        yield " " * (room + 4) + "".join(f"{place + 1:{across}}" for place in range(count)[block])
        for place, name in enumerate(names):
            cells = "".join(f"{cell:>{across}}" for cell in rows[place][block])
            yield f"{place + 1:3} {truncate_middle(name, room):{room}}{cells}"
