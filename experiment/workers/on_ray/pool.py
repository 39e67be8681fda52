"""Workers on a Ray cluster: the same results, in the same order, as in this process alone."""

from collections.abc import Generator, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, Final, Self, TypeVar

import ray
from ray.exceptions import RayError

from experiment.workers.on_ray.cluster import ATTEMPTS, LOST, Cluster, check_versions
from experiment.workers.on_ray.sent_files import Outbox
from experiment.workers.on_ray.worker import Order, Worker
from experiment.workers.queue import Course
from experiment.workers.shards import ClusterError, Work

_LOOK_SECONDS: Final = 1.0
_NOBODY_SECONDS: Final = 300.0
"""How long to wait while the cluster has no processor for a single worker."""
_GOODBYE_SECONDS: Final = 5.0
_THREADS: Final = 1

T = TypeVar("T")


class RayPool:
    """Workers on the cluster that this process is connected to; a context.

    Each has a processor for itself. Shards are given to whoever is free, so a slow machine does fewer.
    """

    def __init__(self, jobs: int, cluster: Cluster) -> None:
        self._jobs = jobs
        self._cluster = cluster
        self._outbox = Outbox()
        self._hands: list[_Hand] = []
        self._works = 0
        self._seen = 0.0
        """When there was a worker, or a work began."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._stop()

    def in_order(self, work: Work[T], shards: int, files: Sequence[Path] = ()) -> Generator[T, None, None]:
        """See Workers; also raises ClusterError."""
        done = False
        self._works, self._seen = self._works + 1, monotonic()
        course = _Course[T](self._works, Order(work, self._outbox.send(files)), shards)
        try:
            while len(self._hands) < min(self._jobs, shards):
                self._hands.append(_Hand())
            for number in range(shards):
                while number not in course.results:
                    with self._cluster.asked():
                        self._go_on(course)
                yield course.results.pop(number)
            done = True
        finally:
            if not done:  # they may still be at what nobody waits for any more
                self._stop()

    def _go_on(self, course: "_Course[T]") -> None:
        """Give shards to whoever is free, and wait for an answer."""
        for hand in self._hands:
            if not hand.pending and course.waiting:
                hand.give(course)
        busy = {hand.pending: hand for hand in self._hands if hand.pending}
        answered, _ = ray.wait([*busy], num_returns=1, timeout=_LOOK_SECONDS)
        for each in answered:
            self._hear(busy[each], course)
        if any(hand.address for hand in self._hands):
            self._seen = monotonic()
        elif monotonic() - self._seen > _NOBODY_SECONDS:
            raise ClusterError(f"no worker could begin in {_NOBODY_SECONDS:.0f} s: {_processors()}")

    def _hear(self, hand: "_Hand", course: "_Course[T]") -> None:
        try:
            hand.hear(course)
        except LOST as error:
            course.lost([] if hand.shard is None else [hand.shard], " ".join(str(error).split()))
            self._tell(hand.address, course)
            hand.end()
            self._hands[self._hands.index(hand)] = _Hand()

    def _tell(self, address: str, course: "_Course[T]") -> None:
        """Say once in a work that a machine has lost workers; "": one that had not begun."""
        if address in course.told:
            return
        course.told.add(address)
        self._cluster.say(
            f"a worker on {address} has died, or that whole machine: what it was at is done again by others"
            if address
            else "a worker has died before it began: another takes its place"
        )

    def _stop(self) -> None:
        leaving = [hand.leave() for hand in self._hands if not hand.pending]
        with suppress(RayError):
            ray.wait(leaving, num_returns=len(leaving), timeout=_GOODBYE_SECONDS) if leaving else None
        while self._hands:
            self._hands.pop().end()


class _Course(Course[T]):
    """A work in progress, and what is sent to do it."""

    def __init__(self, number: int, order: Order, shards: int) -> None:
        super().__init__(shards, ATTEMPTS)
        self.number = number
        self.order = [ray.put(order)]  # once, in a list: so that Ray sends no copy with each shard
        self.told = set[str]()
        """Addresses of which was said that workers have died there."""


class _Hand:
    """A worker as it is seen from here."""

    def __init__(self) -> None:
        actor = ray.remote(Worker).options(num_cpus=_THREADS, max_restarts=0)
        self._actor = actor.remote(Path.cwd(), _THREADS)
        self.address = ""
        """Of its machine, once it has begun: until there is a processor for it, it has not."""
        self.shard: int | None = None
        self.pending: ray.ObjectRef[Any] | None = self._actor.about.remote()
        """What it is at."""

    def give(self, course: _Course[Any]) -> None:
        """Have it do the next shard of a work."""
        self.shard = course.waiting.popleft()
        self.pending = self._actor.do.remote(course.number, course.order, self.shard)

    def hear(self, course: _Course[Any]) -> None:
        """Take its answer; raise as Ray does if it has died, ValueError as the work does."""
        answer = ray.get(self.pending)
        self.pending = None
        if self.shard is None:
            check_versions(*answer)
            self.address, _ = answer
        elif isinstance(answer, ValueError):
            raise answer
        else:
            course.results[self.shard] = answer.value
            self.shard = None

    def leave(self) -> "ray.ObjectRef[None]":
        """Have it clean up."""
        leaving: ray.ObjectRef[None] = self._actor.leave.remote()
        return leaving

    def end(self) -> None:
        """End its process."""
        with suppress(RayError):
            ray.kill(self._actor)


def _processors() -> str:
    """Say how many processors the cluster has, and how many of them are free."""
    there, free = ray.cluster_resources().get("CPU", 0), ray.available_resources().get("CPU", 0)
    return f"the cluster has {there:.0f} processors, {free:.0f} of them free"
