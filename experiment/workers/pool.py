"""Work in shards by several workers: the same results, in the same order, as in this process alone.

A transport starts workers and carries shards and results: processes here, or those of a Ray cluster. What is
done in which order, and what happens when a worker dies, is decided here.
"""

from collections import Counter, deque
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from experiment.workers.processes import Processes
from experiment.workers.shards import DeathError, Transport, Work, WorkerDiedError

T = TypeVar("T")


class Pool:
    """Workers that do one work after another, and have to import and compile only once; a context.

    They are started when there is something to do. Shards are given to whoever is free, so a slow one does
    fewer.
    """

    def __init__(self, jobs: int = 1, transport: Transport | None = None) -> None:
        """Without a transport the workers are processes here; one job is done in this process."""
        self._jobs = jobs
        self._transport: Transport = transport or Processes()
        self._hands: list[_Hand] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._stop()

    def in_order(self, work: Work[T], shards: int, files: Sequence[Path] = ()) -> Generator[T, None, None]:
        """See Workers."""
        jobs = min(self._jobs, shards)
        if jobs <= 1 and self._transport.is_here:
            yield from work(range(shards))
            return
        done, course = False, _Course[T](shards, self._transport.attempts)
        try:
            order = self._transport.order(work, files)
            while len(self._hands) < jobs:
                self._hands.append(_Hand(self._transport))
            hands = sorted(self._hands, key=lambda hand: not hand.worker.is_ready)[:jobs]
            for hand in hands:
                hand.begin(order)
            for number in range(shards):
                while number not in course.results:
                    with self._transport.asked():
                        self._go_on(course, hands)
                yield course.results.pop(number)
            for hand in hands:
                hand.worker.give(None)
            done = True
        finally:
            if not done:  # they may still be at what nobody waits for any more
                self._stop()

    def _go_on(self, course: "_Course[Any]", hands: "list[_Hand]") -> None:
        """Give shards to those that have none, and take the results that there are; wait for one."""
        for hand in hands:
            # More to go on with, as long as there are enough for all: near the end the fast ones do more.
            most = 1 + (self._transport.ahead if len(course.waiting) >= 2 * len(hands) else 0)
            while hand.worker.is_ready and course.waiting and len(hand.given) < most:
                hand.give(course.waiting.popleft())
        busy = {id(hand.worker): hand for hand in hands if hand.is_busy}
        for worker in self._transport.wait([hand.worker for hand in busy.values()]):
            busy[id(worker)].take(course)

    def _stop(self) -> None:
        idle = [hand.worker for hand in self._hands if not hand.is_busy]
        busy = [hand.worker for hand in self._hands if hand.is_busy]
        self._hands.clear()
        self._transport.stop(idle, busy)


class _Hand:
    """A worker with what it is at; another takes its place if it dies."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.worker = transport.start()
        self.given: list[int] = []
        """Shards without a result, in the order in which it does them."""

    @property
    def is_busy(self) -> bool:
        """Whether something is to come from it."""
        return bool(self.given) or not self.worker.is_ready

    def begin(self, order: Any) -> None:  # noqa: ANN401  the transport's own
        """Have it do shards of this work from now on; the work before is done."""
        self._order = order
        self.worker.begin(order)

    def give(self, shard: int) -> None:
        """Have it do a shard as well."""
        self.given.append(shard)
        self.worker.give(shard)

    def take(self, course: "_Course[Any]") -> None:
        """Take what has come from it; raise ValueError as the work does, WorkerDiedError."""
        try:
            result = self.worker.take()
        except DeathError as death:
            lost, self.given, self.worker = self.given, [], self._transport.start()
            self.worker.begin(self._order)
            course.lost(lost, str(death))
            return
        if isinstance(result, ValueError):
            raise result
        if result:
            course.results[self.given.pop(0)] = result.value


class _Course(Generic[T]):
    """Shards on their way from `waiting` by some worker to `results`."""

    def __init__(self, shards: int, attempts: int) -> None:
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
