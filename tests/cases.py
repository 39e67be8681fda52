from ast import literal_eval
from pathlib import Path
from typing import Any


def cases(name: str) -> list[Any]:
    """Return a long table of cases in tests/data/cases. Each line is a Python literal."""
    path = Path(__file__).parent / "data" / "cases" / f"{name}.txt"
    return [literal_eval(line) for line in path.read_text("utf-8").splitlines()]
