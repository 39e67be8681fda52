"""The files of names beside WTHOR's games: .jou of players, .trn of tournaments.

A header of 16 bytes as that of the games, with the number of names, then names of 20 and 26 bytes in Latin-1,
each with a zero at its end. One pair of files, WTHOR.JOU and WTHOR.TRN, serves all years.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from game.records.wthor import HEADER_SIZE, Names, header

_LENGTHS: Final = {".jou": 20, ".trn": 26}
_ALL_YEARS = "wthor"


def files_beside(path: Path) -> tuple[Path, Path]:
    """Return where the names of players and of tournaments are written for a file of games."""
    return path.with_suffix(".jou"), path.with_suffix(".trn")


def read(path: Path) -> Names:
    """Return the names for a file of games; none where there is no file of names beside it."""
    return Names(*(_names_beside(path, suffix) for suffix in _LENGTHS))


def write(path: Path, names: Names) -> None:
    """Write the names for a file of games; longer ones are cut. Raises OSError."""
    for file, listed in zip(files_beside(path), names, strict=True):
        file.write_bytes(_dump(listed, _LENGTHS[file.suffix]))


def _dump(names: Sequence[str], length: int) -> bytes:
    cells = (name.encode("latin-1", "replace")[: length - 1].ljust(length, b"\0") for name in names)
    return header(names=len(names)) + b"".join(cells)


def _names_beside(path: Path, suffix: str) -> list[str]:
    with suppress(OSError):
        if file := _file_beside(path, suffix):
            return _load(file.read_bytes(), _LENGTHS[suffix])
    return []


def _file_beside(path: Path, suffix: str) -> Path | None:
    """Return the file of names of that name, else WTHOR's own for all years, else the only one."""
    found = {other.stem.lower(): other for other in path.parent.iterdir() if other.suffix.lower() == suffix}
    only = next(iter(found.values())) if len(found) == 1 else None
    return found.get(path.stem.lower()) or found.get(_ALL_YEARS) or only


def _load(data: bytes, length: int) -> list[str]:
    cells = (data[place : place + length] for place in range(HEADER_SIZE, len(data), length))
    return [cell.split(b"\0")[0].decode("latin-1").strip() for cell in cells]
