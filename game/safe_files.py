"""Functions that read and write files safely, even if the process is killed or the folder is untrusted."""

import csv
import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from glob import escape
from io import StringIO
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO, Final

SETTINGS: Final = 2**24  # Maximum size in bytes of a file with settings or a small table.
DATA: Final = 2**30  # Maximum size in bytes of a file with games or with the results of a run.
WEIGHTS: Final = 2**33  # Maximum size in bytes of a checkpoint, whose replay memory may be large.


def replace(path: Path, content: str | bytes) -> None:
    """Write a file atomically, for one process at a time. Replace a link, not its target. Raises OSError."""
    # The name is random, so that nobody can create a link with this name in advance.
    temporary = path.with_name(f".{path.name}.{token_hex(4)}.tmp")
    try:
        for leftover in path.parent.glob(f".{escape(path.name)}.*tmp"):
            with suppress(OSError):
                leftover.unlink()
        with naming(path):
            with temporary.open("xb") as file:  # x (O_EXCL) fails if a link exists, and does not follow it
                file.write(content.encode() if isinstance(content, str) else content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise


def check_no_links(folder: Path) -> None:
    """Raise OSError if a folder contains, at any depth, a link or a special file."""
    for root, folders, files in os.walk(folder):
        for path in (Path(root, name) for name in folders + files):
            try:
                mode = path.lstat().st_mode
            except FileNotFoundError:  # a temporary file of another process
                continue
            if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
                kind = "a link" if stat.S_ISLNK(mode) else "neither a file nor a folder"
                raise OSError(errno.EPERM, f"this is {kind}: remove it before writing here", str(path))


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading. Raises OSError for a device, a pipe or a socket."""
    file = open(path, "rb", opener=_without_waiting)  # noqa: SIM115  Path.open has no opener
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return file


def _without_waiting(path: str, flags: int) -> int:
    """Open a file without blocking. Opening a pipe would otherwise wait for a writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_bytes(path: Path, most: int = SETTINGS) -> bytes:
    """Return the bytes of a regular file. Raises OSError if the file has more than `most` bytes."""
    with naming(path), open_regular(path) as file:
        if os.fstat(file.fileno()).st_size > most:
            raise OSError(errno.EFBIG, f"the file is too large: at most {most >> 20:,} MB are read")
        return file.read()


def read_text(path: Path, most: int = SETTINGS, errors: str = "strict") -> str:
    """Return the text of a regular UTF-8 file. Raises the errors of `read_bytes`, or UnicodeDecodeError."""
    return read_bytes(path, most).decode(errors=errors).replace("\r\n", "\n").replace("\r", "\n")


def what_failed(error: OSError) -> str:
    """Return a message with the name of the file and the reason of the error."""
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}"


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Return a context manager that adds the path to an OSError, because a write error has no path."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return the rows as CSV. The first row may be a heading."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def replace_or_remove(path: Path, text: str) -> None:
    """Write a text with `replace`. If the text is empty, remove the file instead."""
    if text:
        replace(path, text)
    else:
        path.unlink(missing_ok=True)
