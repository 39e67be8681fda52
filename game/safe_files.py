"""Safe reading and writing of files, also after a kill and in a folder of unknown origin.

A file is replaced as a whole and never written through a link. Only regular files of a limited size are read.
"""

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

SETTINGS: Final = 2**24
"""Maximum size in bytes of a file of settings or of a small table."""
DATA: Final = 2**30
"""Maximum size in bytes of a file of games or of the results of a run."""
WEIGHTS: Final = 2**33
"""Maximum size in bytes of a checkpoint, whose replay memory may be large."""


def replace(path: Path, content: str | bytes) -> None:
    """Write a file atomically and flush it to the disk; raise OSError with its name.

    A link with this name is replaced, and its target does not change. Only one process at a time may write a
    file: each call removes the temporary files of killed processes.
    """
    # The name is random, so that nobody can prepare a link there.
    temporary = path.with_name(f".{path.name}.{token_hex(4)}.tmp")
    try:
        for leftover in path.parent.glob(f".{escape(path.name)}.*tmp"):
            with suppress(OSError):
                leftover.unlink()
        with naming(path):
            with temporary.open("xb") as file:  # x (O_EXCL) fails where a link is, instead of following it
                file.write(content.encode() if isinstance(content, str) else content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise


def check_no_links(folder: Path) -> None:
    """Raise OSError if a folder or its subfolders contain anything but regular files and folders.

    Call this function before writing into a folder of unknown origin: a link would lead out of it.
    """
    for root, folders, files in os.walk(folder):
        for path in (Path(root, name) for name in folders + files):
            try:
                mode = path.lstat().st_mode
            except FileNotFoundError:  # a temporary file of a process that writes there
                continue
            if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
                kind = "a link" if stat.S_ISLNK(mode) else "neither a file nor a folder"
                raise OSError(errno.EPERM, f"this is {kind}: remove it before writing here", str(path))


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading; raise OSError for a device, a pipe or a socket."""
    file = open(path, "rb", opener=_without_waiting)  # noqa: SIM115  Path.open has no opener
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return file


def _without_waiting(path: str, flags: int) -> int:
    """Open a file without blocking: a pipe would wait for a writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_bytes(path: Path, most: int = SETTINGS) -> bytes:
    """Return the bytes of a regular file; raise OSError with its name if unreadable or over `most` bytes."""
    with naming(path), open_regular(path) as file:
        if os.fstat(file.fileno()).st_size > most:
            raise OSError(errno.EFBIG, f"the file is too large: at most {most >> 20:,} MB are read")
        return file.read()


def read_text(path: Path, most: int = SETTINGS, errors: str = "strict") -> str:
    """Return the text of a regular UTF-8 file; raise the errors of `read_bytes`, or UnicodeDecodeError."""
    return read_bytes(path, most).decode(errors=errors).replace("\r\n", "\n").replace("\r", "\n")


def what_failed(error: OSError) -> str:
    """Return a message with the reason of a system error and the name of the file."""
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}"


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Return a context manager that adds the file's name to an OSError: errors of writes have none."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV; the first may be a heading."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def replace_or_remove(path: Path, text: str) -> None:
    """Write a file as `replace` does; remove the file if the text is empty."""
    if text:
        replace(path, text)
    else:
        path.unlink(missing_ok=True)


def complete_lines(path: Path) -> list[str]:
    """Return the complete lines of a file, without a last line cut by a kill; none if there is no file."""
    if not path.exists():
        return []
    return read_text(path, DATA, errors="replace").split("\n")[:-1]
