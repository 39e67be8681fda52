"""Rows as CSV, and files of lines that a kill cannot spoil: only complete lines are read."""

import csv
from collections.abc import Iterable, Iterator
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any

from rlglue.messages import json_object


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV, a heading likewise."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def complete_lines(path: Path) -> list[str]:
    """Return the lines of a file, none if it is not there; a kill may have left half a line at the end."""
    if not path.exists():
        return []
    return path.read_text(encoding="utf-8", errors="replace").split("\n")[:-1]


def json_objects(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the objects in lines of JSON; a crash may have spoilt some lines, which are passed over."""
    for line in lines:
        with suppress(ValueError):
            yield json_object(line)
