"""Tables: what every picture is drawn from, as they are written to files."""

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from experiment.run.results.text_files import csv_text

Value: TypeAlias = str | int | float


@dataclass(frozen=True)
class Table:
    """Rows of one kind, with a name and a line about them."""

    name: str
    about: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Value, ...]]

    def where(self, **values: Value) -> "Table":
        """Return the rows that have these values in these columns."""
        wanted = [(self.columns.index(column), value) for column, value in values.items()]
        rows = [row for row in self.rows if all(row[place] == value for place, value in wanted)]
        return Table(self.name, self.about, self.columns, rows)

    def column(self, name: str) -> list[Value]:
        """Return a column."""
        place = self.columns.index(name)
        return [row[place] for row in self.rows]

    def numbers(self, name: str) -> NDArray[np.float64]:
        """Return a column of numbers, float64 [rows]."""
        return np.array(self.column(name), np.float64)

    def distinct(self, name: str) -> list[Value]:
        """Return the values of a column once each, in their order."""
        return list(dict.fromkeys(self.column(name)))

    @staticmethod
    def from_csv(name: str, about: str, text: str) -> "Table":
        """Return what `as_csv` has written; raise ValueError for rows of different lengths, or none."""
        columns, *rows = csv.reader(io.StringIO(text))
        for number, row in enumerate(rows, 2):
            if len(row) != len(columns):
                raise ValueError(f"{name}.csv, line {number}: {len(row)} values, expected {len(columns)}")
        return Table(name, about, tuple(columns), [tuple(map(_read, row)) for row in rows])

    def as_csv(self) -> str:
        """Return the table as CSV with a line of titles; what is without end or unknown is left empty."""
        return csv_text([self.columns, *([_told(value, "") for value in row] for row in self.rows)])

    def as_json(self) -> dict[str, Any]:
        """Return the table for programs; what is without end or unknown is null."""
        rows = [[_told(value, None) for value in row] for row in self.rows]
        return {"about": self.about, "columns": self.columns, "rows": rows}


def _told(value: Value, unknown: str | None) -> Value | None:
    if isinstance(value, float):
        return round(value, 6) if math.isfinite(value) else unknown
    return value


def _read(text: str) -> Value:
    """Return a value as it was before it was written; what was left empty is not a number."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text or math.nan
