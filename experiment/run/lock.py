"""Lock a folder or a file for one process. The operating system releases the lock of a dead process."""

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from othello_lab.game.errors import FailedError
from othello_lab.game.notation import printable
from othello_lab.game.safe_files import check_no_links, read_text, replace

LOCK, _HOLDER = ".lock", ".holder"


class InUseError(FailedError):
    """Another process holds the lock of the folder or file."""


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Lock a path for this process. The lock file remains. Raises InUseError, and OSError for a link."""
    if path.is_dir():
        check_no_links(path)
    lock, holder = FileLock(_beside(path, LOCK)), _beside(path, _HOLDER)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        name = "another process"
        with suppress(OSError):
            name = printable(read_text(holder, errors="replace")[:200])
        raise InUseError(f"{path} is in use by {name}: wait for its end, or stop it") from None
    try:
        with suppress(OSError):  # on a full disk, the InUseError of another process does not name the holder
            replace(holder, f"process {os.getpid()} ({command_line()})")
        yield
    finally:
        with suppress(OSError):
            holder.unlink(missing_ok=True)
        lock.release()


def held_since(path: Path) -> float | None:
    """Return the Unix time of a folder's lock, or None if unlocked. A killed process counts as a holder."""
    with suppress(OSError):
        return _beside(path, _HOLDER).stat().st_mtime
    return None


def _beside(path: Path, suffix: str) -> Path:
    """Return the path of a lock file, inside a folder or next to a file."""
    return path / suffix if path.is_dir() else path.with_name(f".{path.name}{suffix}")


def command_line() -> str:
    """Return the command line of this process."""
    program, *arguments = sys.argv
    return shlex.join([Path(program).name, *arguments])
