"""A worker process, somewhere in the cluster."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ray

from experiment.workers.on_ray.cluster import Versions
from experiment.workers.on_ray.sent_files import Folder, Sent
from experiment.workers.shards import Result, Work
from experiment.workers.versions import everything


@dataclass(frozen=True)
class Order:
    """A work, and the files that it reads."""

    work: Work[Any]
    files: tuple[Sent, ...]


class Worker:
    """Does shards of one work after another; made into an actor of Ray."""

    def __init__(self, home: Path, threads: int) -> None:
        """`home`: the working folder of the command."""
        from game.threads import use_threads

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
