"""Work in shards: what several processes can do, on this machine or on others, with the same results."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar

T = TypeVar("T")
Work: TypeAlias = Callable[[Iterable[int]], Iterator[T]]
"""Does the shards with the given numbers one after another and yields the result of each.

It takes a number only when the result before it was asked for and more are. A result depends on its number
alone. Work and results are pickled where there are several processes.
"""


class Workers(Protocol):
    """Whoever does work in shards."""

    def in_order(self, work: Work[T], shards: int, files: Sequence[Path] = ()) -> Generator[T, None, None]:
        """Do the shards 0 to `shards` - 1 and yield their results in that order.

        `files` are those that the work reads, for workers that are elsewhere. One work at a time. A
        ValueError that the work raises is raised here; raises WorkerDiedError.
        """


class Result(NamedTuple, Generic[T]):
    """What a process sends for each shard."""

    value: T


class WorkerDiedError(RuntimeError):
    """A process ended before its work did, and so did those that repeated it."""


class ClusterError(RuntimeError):
    """A cluster that cannot be reached, that is gone, or that would not compute the same as this machine."""
