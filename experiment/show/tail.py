"""A file that grows: only what is new is read."""

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple


class News(NamedTuple):
    """What a look at a file has found."""

    anew: bool
    """Whether the file is another one than before: what was read of it holds no more."""
    lines: list[str]
    """The lines that were completed since."""


class Tail:
    """Reads the lines that are added to a file, which may be replaced by another, or not be there."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: tuple[int, int] | None = None
        self._read = 0

    def look(self) -> News:
        """Return what has come since the last look; half a line at the end is left for a later one."""
        with suppress(FileNotFoundError), self._path.open("rb") as file:
            state = _status(file.fileno())
            anew = self._file not in (None, state[0]) or state[1] < self._read
            if anew or self._file is None:
                self._file, self._read = state[0], 0
            file.seek(self._read)
            data = file.read()
            complete = data[: data.rfind(b"\n") + 1]
            self._read += len(complete)
            return News(anew, complete.decode("utf-8", "replace").split("\n")[:-1])
        gone, self._file, self._read = self._file is not None, None, 0
        return News(gone, [])


def _status(descriptor: int) -> tuple[tuple[int, int], int]:
    """Which file it is, and how long."""
    status = os.fstat(descriptor)
    return (status.st_dev, status.st_ino), status.st_size


def last_change(folder: Path) -> float:
    """Return when a run last wrote to a file of its folder, seconds since 1970."""
    return max((path.stat().st_mtime for path in folder.glob("[!.]*.*")), default=0.0)
