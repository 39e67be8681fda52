"""Work in shards: what several processes can do, on this machine or on others, with the same results."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

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
        ValueError that the work raises is raised here; raises WorkerDiedError, and ClusterError on a cluster.
        """


class Result(NamedTuple, Generic[T]):
    """What a worker sends for each shard."""

    value: T


class DeathError(Exception):
    """A worker has died; its text says how."""


class WorkerDiedError(RuntimeError):
    """A process ended before its work did, and so did those that repeated it."""


class ClusterError(RuntimeError):
    """A cluster that cannot be reached, that is gone, or that would not compute the same as this machine."""


class Worker(Protocol):
    """A worker as a transport reaches it."""

    given: list[int]
    """Shards without a result, in the order in which it does them."""

    @property
    def is_ready(self) -> bool:
        """Whether it has begun; before that it takes no shard."""

    def begin(self, order: Any) -> None:  # noqa: ANN401  what its transport made of a work
        """Have it do shards of this work from now on."""

    def give(self, shard: int | None) -> None:
        """Have it do a shard as well; None: there will be no more of this work."""

    def take(self) -> Result[Any] | ValueError | None:
        """Return a result, or what the work raised; None: it has only begun. Raises DeathError."""


class Transport(Protocol):
    """A way to start workers, and to send to them and receive from them; raises ClusterError."""

    attempts: int
    """A shard whose worker dies is done again by another, this many times in all."""
    ahead: int
    """Shards that a worker is given at most besides the one that it is at."""

    def start(self) -> Worker:
        """Start a worker."""

    def order(self, work: Work[Any], files: Sequence[Path]) -> Any:  # noqa: ANN401  its own
        """Return what workers are told of a work that begins, and of the files that it reads."""

    def wait(self, busy: Sequence[Any]) -> Sequence[Any]:
        """Return those of these workers who have something to take; wait for one, perhaps in vain."""

    def stop(self, workers: Sequence[Any]) -> None:
        """End workers; those that are at nothing first end what they have started."""
