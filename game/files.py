"""Files that a kill cannot spoil: they are replaced as a whole."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Have an OSError say which file it is about: one that comes from a write does not."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None
