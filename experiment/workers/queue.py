"""A work in progress: the shards that nobody has been given, and what has come of others."""

from collections import Counter, deque
from collections.abc import Sequence
from typing import Generic, TypeVar

from experiment.workers.shards import WorkerDiedError

T = TypeVar("T")


class Course(Generic[T]):
    """Shards on their way from `waiting` by some worker to `results`."""

    def __init__(self, shards: int, attempts: int) -> None:
        """A shard whose worker dies is done again by another, this many times in all."""
        self.waiting = deque(range(shards))
        self.results: dict[int, T] = {}
        self._attempts = attempts
        self._deaths = Counter[int | None]()

    def lost(self, shards: Sequence[int], reason: str) -> None:
        """Have shards done by others, since their worker has died over the first; none: it had not begun.

        Raises WorkerDiedError where that has happened too often.
        """
        first = next(iter(shards), None)
        self._deaths[first] += 1
        if self._deaths[first] == self._attempts:
            where = "at its beginning" if first is None else f"over shard {first}"
            raise WorkerDiedError(f"a worker ended early, {self._attempts} times {where}; the last: {reason}")
        self.waiting.extendleft(reversed(shards))
