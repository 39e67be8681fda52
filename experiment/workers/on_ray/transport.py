"""Workers on a Ray cluster, each with a processor for itself."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple

import ray
from ray.exceptions import RayError

from othello_lab.experiment.workers.on_ray.cluster import ATTEMPTS, LOST, Cluster, check_versions
from othello_lab.experiment.workers.on_ray.worker import Order, Outbox, Worker
from othello_lab.experiment.workers.shards import ClusterError, DeathError, Result, Work

_LOOK_SECONDS: Final = 1.0
_NOBODY_SECONDS: Final = 300.0
"""How long to wait while the cluster has no processor for a single worker."""
_GOODBYE_SECONDS: Final = 5.0
_THREADS: Final = 1


class _SentOrder(NamedTuple):
    """A work as workers hear of it."""

    number: int
    content: "list[ray.ObjectRef[Order]]"
    """In a list: so that Ray sends no copy with each shard."""


class OnRay:
    """Starts workers on the cluster that this process is connected to; see Transport."""

    attempts, ahead = ATTEMPTS, 0

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self._outbox = Outbox()
        self._works = 0
        self._seen = 0.0
        """When there was a worker, or a work began."""
        self._told = set[str]()
        """Addresses of which was said, in this work, that workers have died there."""

    def start(self) -> "_Actor":
        """See Transport."""
        return _Actor(self)

    def order(self, work: Work[Any], files: Sequence[Path]) -> _SentOrder:
        """See Transport."""
        self._works, self._seen = self._works + 1, monotonic()
        self._told.clear()
        return _SentOrder(self._works, [ray.put(Order(work, self._outbox.send(files)))])

    def wait(self, busy: "Sequence[_Actor]") -> "Sequence[_Actor]":
        """See Transport; raise ClusterError where no worker could begin for long."""
        with self.cluster.asked():
            answered, _ = ray.wait([each.pending for each in busy], num_returns=1, timeout=_LOOK_SECONDS)
        if any(each.is_ready for each in busy):
            self._seen = monotonic()
        elif not answered and monotonic() - self._seen > _NOBODY_SECONDS:
            raise ClusterError(f"no worker could begin in {_NOBODY_SECONDS:.0f} s: {_processors()}")
        return [each for each in busy if each.pending in answered]

    def tell_death(self, address: str) -> None:
        """Say once in a work that a machine has lost workers; "": one that had not begun."""
        if address in self._told:
            return
        self._told.add(address)
        self.cluster.say(
            f"a worker on {address} has died, or that whole machine: others do its work again"
            if address
            else "a worker has died before it began: another takes its place"
        )

    def stop(self, workers: "Sequence[_Actor]") -> None:
        """See Transport."""
        leaving = [each.leave() for each in workers if each.is_ready and not each.given]
        with suppress(RayError):
            ray.wait(leaving, num_returns=len(leaving), timeout=_GOODBYE_SECONDS) if leaving else None
        for each in workers:
            each.end()


class _Actor:
    """A worker as it is seen from here; see Worker."""

    def __init__(self, transport: OnRay) -> None:
        actor = ray.remote(Worker).options(num_cpus=_THREADS, max_restarts=0)
        self._actor = actor.remote(Path.cwd(), _THREADS)
        self._transport = transport
        self.given: list[int] = []
        self._address = ""
        """Of its machine, once it has begun: until there is a processor for it, it has not."""
        self.pending: ray.ObjectRef[Any] = self._actor.about.remote()
        """What it is at."""

    @property
    def is_ready(self) -> bool:
        """See Worker."""
        return bool(self._address)

    def begin(self, order: _SentOrder) -> None:
        """See Worker."""
        self._order = order

    def give(self, shard: int | None) -> None:
        """See Worker."""
        if shard is not None:
            self.pending = self._actor.do.remote(*self._order, shard)

    def take(self) -> Result[Any] | ValueError | None:
        """See Worker."""
        with self._transport.cluster.asked():
            try:
                answer = ray.get(self.pending)
            except LOST as error:
                self._transport.tell_death(self._address)
                self.end()
                raise DeathError(" ".join(str(error).split())) from None
        if self._address:
            said: Result[Any] | ValueError = answer
            return said
        check_versions(*answer)
        self._address, _ = answer
        return None

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
