"""Tables: rows and columns are described once, and each medium has one renderer that draws any of them.

A column has a heading for persons and a key for programs, which is the same unless it is said: the first is
drawn by `terminal` and `report/page`, the second written here as CSV and JSON. Rows hold numbers, not texts.
"""

import csv
import io
import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.files import csv_text

Value: TypeAlias = str | int | float
T = TypeVar("T")


@dataclass(frozen=True)
class Column(Generic[T]):
    """One thing that is said of every row."""

    heading: str
    """What persons read above it; "" where they are not told."""
    of: Callable[[T], Any] = lambda thing: thing
    """What it says of the thing that a row is about."""
    write: Callable[[Any], str] = str
    """How persons read a value, where it is a number; None is a dash."""
    key: str | None = None
    """What programs call it, if that is not its heading; "" where they are not told."""
    wide: bool = False
    """Whether its text may be long, and is broken into lines."""
    beside: tuple[str, ...] = ()
    """Keys of columns whose values `write` takes with it, such as the ends of its interval."""

    @property
    def name(self) -> str:
        """What programs call it."""
        return self.heading.replace(" ", "_") if self.key is None else self.key

    @property
    def number(self) -> bool:
        """Whether it is flush right; what is written as it is, such as a name, is not."""
        return self.write is not str

    def text(self, value: Any, *beside: Any) -> str:  # noqa: ANN401  whatever `of` returns
        """Return a value as persons read it: a text as it is, a dash for what is unknown."""
        if value is None or isinstance(value, str):
            return "-" if value is None else value
        return self.write((value, *beside) if beside else value)


@dataclass(frozen=True)
class Table:
    """Rows of one kind; the first column that persons read says what a row is about."""

    title: str
    columns: Sequence[Column[Any]]
    rows: Sequence[Sequence[Any]]
    says: str = ""
    """What the numbers are."""
    numbered: bool = False
    """Whether persons see the place of each row, from 1."""
    folded: bool = False
    """Whether a page shows it only when it is asked for."""
    matrix: bool = False
    """Whether it has a column for each row: it may be wider than a page, and has blocks on a terminal."""

    @classmethod
    def of(
        cls,
        title: str,
        columns: Sequence[Column[T]],
        things: Iterable[T],
        says: str = "",
        numbered: bool = False,
        folded: bool = False,
    ) -> "Table":
        """Return the table with a row for each thing."""
        rows = [tuple(column.of(thing) for column in columns) for thing in things]
        return cls(title, columns, rows, says, numbered, folded)

    @property
    def shown(self) -> list[Column[Any]]:
        """The columns that persons read."""
        return [column for column in self.columns if column.heading]

    @property
    def cells(self) -> list[list[str]]:
        """What persons read in them, row by row."""
        places = [
            (column, place, [self.place(key) for key in column.beside])
            for place, column in enumerate(self.columns)
            if column.heading
        ]
        return [
            [column.text(row[place], *(row[other] for other in beside)) for column, place, beside in places]
            for row in self.rows
        ]

    @property
    def keys(self) -> tuple[str, ...]:
        """What programs call the columns that they are told."""
        return tuple(column.name for column in self.columns if column.name)

    @property
    def values(self) -> list[list[Any]]:
        """What stands in these, row by row; what is without end or unknown is None."""
        places = [place for place, column in enumerate(self.columns) if column.name]
        return [[known(row[place]) for place in places] for row in self.rows]

    @property
    def records(self) -> list[dict[str, Any]]:
        """The rows as programs read them: a value by each key."""
        return [dict(zip(self.keys, row, strict=True)) for row in self.values]

    @property
    def things(self) -> list[dict[str, Any]]:
        """The rows by their keys, as they are."""
        return [
            {column.name: value for column, value in zip(self.columns, row, strict=True)} for row in self.rows
        ]

    def without_empty(self) -> "Table":
        """Return this without the columns for persons in which no row has anything."""
        full = [
            place
            for place, column in enumerate(self.columns)
            if not column.heading or any(known(row[place]) is not None for row in self.rows)
        ]
        rows = [[row[place] for place in full] for row in self.rows]
        return replace(self, columns=[self.columns[place] for place in full], rows=rows)

    def place(self, key: str) -> int:
        """Return the place of a column."""
        return [column.name for column in self.columns].index(key)

    def where(self, **values: Value) -> "Table":
        """Return the rows that have these values in these columns."""
        wanted = [(self.place(key), value) for key, value in values.items()]
        return self.only(lambda row: all(row[place] == value for place, value in wanted))

    def only(self, wanted: Callable[[Sequence[Any]], bool]) -> "Table":
        """Return the rows that are wanted."""
        return replace(self, rows=[row for row in self.rows if wanted(row)])

    def column(self, key: str) -> list[Any]:
        """Return what stands in a column."""
        place = self.place(key)
        return [row[place] for row in self.rows]

    def numbers(self, key: str) -> NDArray[np.float64]:
        """Return a column of numbers, float64 [rows]."""
        return np.array(self.column(key), np.float64)

    def distinct(self, key: str) -> list[Any]:
        """Return the values of a column once each, in their order."""
        return list(dict.fromkeys(self.column(key)))


def known(value: Any) -> Any:  # noqa: ANN401  whatever stands in a table
    """Return a value, or None for a number that is without end or unknown."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def as_csv(table: Table) -> str:
    """Return what programs are told, with a line of keys; what is unknown is left empty."""
    rows = (["" if value is None else value for value in row] for row in table.values)
    return csv_text([table.keys, *rows])


def from_csv(name: str, says: str, text: str, names: Collection[str] = ()) -> Table:
    """Return what `as_csv` has written; raise ValueError for rows of different lengths, or none.

    `names` are the keys of columns of names, which are texts also where they look like numbers.
    """
    keys, *rows = csv.reader(io.StringIO(text))
    kinds = [str if key in names else _read for key in keys]
    for number, row in enumerate(rows, 2):
        if len(row) != len(keys):
            raise ValueError(f"{name}.csv, line {number}: {len(row)} values, expected {len(keys)}")
    return Table(name, [Column("", key=key) for key in keys], [_values(kinds, row) for row in rows], says)


def _values(kinds: Sequence[Callable[[str], Value]], row: Sequence[str]) -> tuple[Value, ...]:
    return tuple(kind(text) for kind, text in zip(kinds, row, strict=True))


def _read(text: str) -> Value:
    """Return a value as it was before it was written; what was left empty is not a number."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text or math.nan


def as_json(table: Table) -> dict[str, Any]:
    """Return what programs are told; what is unknown is null."""
    return {"about": table.says, "columns": table.keys, "rows": table.values}


def as_markdown(table: Table) -> str:
    """Return what persons are told as Markdown, with what the numbers are above it."""
    headings = [column.heading for column in table.shown]
    rule = "|" + "|".join("---:" if column.number else "---" for column in table.shown) + "|"
    lines = [_line(headings), rule, *map(_line, table.cells)]
    return "\n".join([f"{table.title}, {table.says}:", "", *lines])


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
