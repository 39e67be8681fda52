"""Long tables of cases, which are files in tests/data/cases: a Python literal a line."""

from ast import literal_eval
from pathlib import Path
from typing import Any


def cases(name: str) -> list[Any]:
    """Return the rows of a table."""
    path = Path(__file__).parent / "data" / "cases" / f"{name}.txt"
    return [literal_eval(line) for line in path.read_text("utf-8").splitlines()]
