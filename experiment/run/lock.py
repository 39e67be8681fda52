"""One process a folder or file: who writes there holds its lock, which the operating system gives back."""

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from othello_lab.game.errors import FailedError

LOCK, _HOLDER = ".lock", ".holder"


class InUseError(FailedError):
    """Another process writes there."""


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold a folder or file for this process alone; raise InUseError, which says who has it, if another does.

    A process that ends holds nothing any more, however it ended. The lock file stays: it means nothing by
    itself.
    """
    lock, holder = FileLock(_beside(path, LOCK)), _beside(path, _HOLDER)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise InUseError(
            f"{path} is in use by {_holder_name(holder)}: wait for its end, or stop it"
        ) from None
    try:
        with suppress(OSError):  # a full disk: then nobody can say who it was
            holder.write_text(f"process {os.getpid()} ({command_line()})", encoding="utf-8")
        yield
    finally:
        with suppress(OSError):
            holder.unlink(missing_ok=True)
        lock.release()


def _beside(path: Path, suffix: str) -> Path:
    """Return the file of a lock: in a folder, or next to a file that may not be there yet."""
    return path / suffix if path.is_dir() else path.with_name(f".{path.name}{suffix}")


def command_line() -> str:
    """Return the command line of this process."""
    program, *arguments = sys.argv
    return shlex.join([Path(program).name, *arguments])


def _holder_name(holder: Path) -> str:
    with suppress(OSError):
        return holder.read_text(encoding="utf-8", errors="replace")[:200]
    return "another process"
