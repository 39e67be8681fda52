"""Locks: one process at a time writes to a folder or file. The system releases the lock of a dead process."""

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
    """Lock a folder or file for this process alone; raise InUseError if another process holds the lock.

    Raises OSError for a folder that contains links, since an untrusted folder may have them. A lock ends
    with its process, even after kill -9. The lock file stays, but the file alone is no lock.
    """
    if path.is_dir():
        check_no_links(path)
    lock, holder = FileLock(_beside(path, LOCK)), _beside(path, _HOLDER)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise InUseError(f"{path} is in use by {_name_in(holder)}: wait for its end, or stop it") from None
    try:
        with suppress(OSError):  # a full disk: the error in another process then names no holder
            replace(holder, f"process {os.getpid()} ({command_line()})")
        yield
    finally:
        with suppress(OSError):
            holder.unlink(missing_ok=True)
        lock.release()


def held_since(path: Path) -> float | None:
    """Return when a process locked a folder, in seconds since 1970; None if no process holds the lock.

    If the process was killed, the folder still seems to be locked.
    """
    with suppress(OSError):
        return _beside(path, _HOLDER).stat().st_mtime
    return None


def _beside(path: Path, suffix: str) -> Path:
    """Return the path of a lock's file: inside a folder, or next to a file that need not exist yet."""
    return path / suffix if path.is_dir() else path.with_name(f".{path.name}{suffix}")


def command_line() -> str:
    """Return the command line of this process."""
    program, *arguments = sys.argv
    return shlex.join([Path(program).name, *arguments])


def _name_in(holder: Path) -> str:
    with suppress(OSError):
        return printable(read_text(holder, errors="replace")[:200])
    return "another process"
