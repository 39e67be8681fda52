"""Tables as files: CSV, the rows of JSON, and Markdown."""

import csv
import io
import math
from collections.abc import Iterable
from typing import Any

from experiment.run.results.text_files import csv_text
from experiment.show.tables import Table, Value


def as_csv(table: Table) -> str:
    """Return what programs are told, with a line of keys; what is unknown is left empty."""
    rows = (["" if value is None else value for value in row] for row in table.values)
    return csv_text([table.keys, *rows])


def from_csv(name: str, says: str, text: str) -> Table:
    """Return what `as_csv` has written; raise ValueError for rows of different lengths, or none."""
    keys, *rows = csv.reader(io.StringIO(text))
    for number, row in enumerate(rows, 2):
        if len(row) != len(keys):
            raise ValueError(f"{name}.csv, line {number}: {len(row)} values, expected {len(keys)}")
    return Table.plain(name, says, keys, [tuple(map(_read, row)) for row in rows])


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
