"""A worker process somewhere in a Ray cluster, and the files that are sent to it."""

import hashlib
import os
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ray

from othello_lab.experiment.workers.on_ray.cluster import Versions
from othello_lab.experiment.workers.shards import Result, Work
from othello_lab.experiment.workers.versions import OURS, everything


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
    # The parts of othello_lab are links in the repository, and folders where it is installed.
    parts = ((OURS / "othello_lab" / name).resolve() for name in ("agent", "game"))
    return any(path.resolve().is_relative_to(part) for part in parts)


@dataclass(frozen=True)
class Order:
    """A work, and the files that it reads."""

    work: Work[Any]
    files: tuple[Sent, ...]


class Worker:
    """Does shards of one work after another; made into an actor of Ray."""

    def __init__(self, home: Path, threads: int) -> None:
        """`home`: the working folder of the command."""
        from othello_lab.game.threads import use_threads

        use_threads(threads)
        self._folder = Folder(home)
        self._number = -1
        self._shards = deque[int]()
        self._results: Iterator[Any] = iter(())

    def about(self) -> tuple[str, Versions]:
        """Return the address of its machine, and what is installed there."""
        return ray.util.get_node_ip_address(), everything()

    def do(self, number: int, order: "list[ray.ObjectRef[Order]]", shard: int) -> Result[Any] | ValueError:
        """Return the result of a shard of the work with that number, or the ValueError that it raised."""
        try:
            if number != self._number:
                self._begin(ray.get(order[0]))
                self._number = number
            self._shards.append(shard)
            return Result(next(self._results))
        except ValueError as error:  # what the user can have caused; all else comes with its traceback
            return error

    def _begin(self, order: Order) -> None:
        self._results = iter(())  # the work before ends, and with it its players
        self._folder.lay(order.files)
        self._results = order.work(self._given())

    def _given(self) -> Iterator[int]:
        while self._shards:
            yield self._shards.popleft()

    def leave(self) -> None:
        """End what it has started, and remove what is its own."""
        self._results = iter(())
        self._folder.close()
