"""Files that a work reads, such as checkpoints: sent to machines that do not have them."""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import ray

from experiment.workers.versions import OURS


@dataclass(frozen=True)
class Sent:
    """A file on its way."""

    path: Path
    """As the work names it: relative to the working folder, or absolute."""
    digest: str
    content: "list[ray.ObjectRef[bytes]]"
    """In a list, so that Ray sends the bytes to those alone who ask for them."""


class Outbox:
    """Puts each file into the object store once, and again when it has changed."""

    def __init__(self) -> None:
        self._sent: dict[Path, tuple[tuple[int, int], Sent]] = {}

    def send(self, paths: Sequence[Path]) -> tuple[Sent, ...]:
        """Return the files that are there and did not come with our packages, ready to be sent."""
        return tuple(
            self._send(path) for path in dict.fromkeys(paths) if path.is_file() and not _is_ours(path)
        )

    def _send(self, path: Path) -> Sent:
        status = path.stat()
        age = status.st_mtime_ns, status.st_size
        if path not in self._sent or self._sent[path][0] != age:
            content = path.read_bytes()
            self._sent[path] = age, Sent(path, _digest(content), [ray.put(content)])
        return self._sent[path][1]


class Folder:
    """Where a worker works.

    That is the working folder of the command, if this machine has it with the same files; else a folder of
    the worker's own, in which copies stand where they stand there.
    """

    def __init__(self, home: Path) -> None:
        self._home = home
        self._own: TemporaryDirectory[str] | None = None
        if home.is_dir():
            os.chdir(home)
        else:
            self._leave_home()

    def lay(self, files: Sequence[Sent]) -> None:
        """See to it that files are there; raise ValueError for one that cannot be."""
        if not self._own and not all(map(_is_there, files)):
            self._leave_home()
        for sent in files:
            if not _is_there(sent):
                _write(sent)

    def _leave_home(self) -> None:
        self._own = TemporaryDirectory(prefix="othello-worker-", ignore_cleanup_errors=True)
        # As deep as home is, so that `../` leads to a place within it.
        folder = Path(self._own.name, *self._home.parts[1:])
        folder.mkdir(parents=True, exist_ok=True)
        os.chdir(folder)

    def close(self) -> None:
        """Remove what is the worker's own."""
        if self._own:
            os.chdir(os.path.dirname(self._own.name))
            self._own.cleanup()


def _write(sent: Sent) -> None:
    if sent.path.is_absolute():
        raise ValueError(
            f"{ray.util.get_node_ip_address()} has no such file {sent.path}, or another: "
            "put it there, or name it by a path from the working folder, then it is sent"
        )
    sent.path.parent.mkdir(parents=True, exist_ok=True)
    sent.path.write_bytes(ray.get(sent.content[0]))


def _is_there(sent: Sent) -> bool:
    try:
        status = sent.path.stat()
        return _digest_of(sent.path.absolute(), status.st_mtime_ns, status.st_size) == sent.digest
    except OSError:
        return False


@lru_cache(64)
def _digest_of(path: Path, age: int, size: int) -> str:
    return _digest(path.read_bytes())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _is_ours(path: Path) -> bool:
    return any(path.resolve().is_relative_to(OURS / package) for package in ("agent", "game"))
