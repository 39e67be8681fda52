"""Work in shards: what one process, several processes or a cluster do with the same results.

Apart from `pool` and `ray_pool`, so that a module that only passes workers on loads neither of them.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Protocol, TypeAlias, TypeVar

from othello_lab.game.errors import FailedError

T = TypeVar("T")
Work: TypeAlias = Callable[[Iterable[int]], Iterator[T]]
"""Does the shards with the given numbers one after another and yields the result of each.

It takes a number only when the caller asks for its result. A result depends on its number alone. Work and
results are pickled if there are several processes.
"""


class Workers(Protocol):
    """Something that does work in shards: `Pool` or `RayPool`."""

    def in_order(self, work: Work[T], shards: int) -> Generator[T, None, None]:
        """Do the shards 0 to `shards` - 1 and yield their results in that order.

        One work at a time. Raises the ValueError that the work raises, and WorkersError.
        """


class WorkersError(FailedError):
    """One-line reason why workers could not do a piece of work."""
