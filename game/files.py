"""Files that a kill cannot spoil: they are replaced as a whole, and only complete lines are read."""

import csv
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from pathlib import Path


def replace(path: Path, text: str) -> None:
    """Write a file, all of it or nothing, and have it on the disk; raise OSError with its name."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        with naming(path), temporary.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise


def what_failed(error: OSError) -> str:
    """Say what the system could not do, and to which file."""
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}"


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Have an OSError say which file it is about: one that comes from a write does not."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV, a heading likewise."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def replace_or_remove(path: Path, text: str) -> None:
    """Put a text in a file's place, as `replace` does; without a text there is no file."""
    if text:
        replace(path, text)
    else:
        path.unlink(missing_ok=True)


def complete_lines(path: Path) -> list[str]:
    """Return the lines of a file, none if it is not there; a kill may have left half a line at the end."""
    if not path.exists():
        return []
    return path.read_text(encoding="utf-8", errors="replace").split("\n")[:-1]
