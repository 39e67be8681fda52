"""Programs on the machines of a Ray cluster that share the folder in which their results are written."""

import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import ray
from ray.exceptions import RayError, RayTaskError

from othello_lab.experiment.workers.on_ray.cluster import ATTEMPTS, LOST, Cluster
from othello_lab.experiment.workers.programs import Ended, Order, Process
from othello_lab.experiment.workers.shards import ClusterError

_LOOK_SECONDS: Final = 0.1
_GOODBYE_SECONDS: Final = 5.0
_LETTING_GO_SECONDS: Final = 60.0
"""A program whose worker died may go on so long to save: until it ends, who takes over from it fails."""
_AGAIN_SECONDS: Final = 1.0
_THREADS_OF_HOST: Final = 2
"""One waits for the end of the program while the other is told to stop it."""


class Host:
    """Runs one program on its machine; made into an actor of Ray."""

    def __init__(self, home: Path) -> None:
        """`home`: the working folder of the command."""
        self._home = home
        self._process: Process | None = None
        self._stopping = False

    def where(self) -> str:
        """Return the address of its machine, once there is a processor for it."""
        address: str = ray.util.get_node_ip_address()
        return address

    def run(self, name: str, words: Sequence[str], log: Path) -> Ended:
        """Run a program to its end; raise ClusterError where its folder is not there."""
        if not (self._home / log).is_file():
            address = ray.util.get_node_ip_address()
            raise ClusterError(
                f"{address} does not see {self._home / log}: machines have to share that folder"
            )
        os.chdir(self._home)
        # Python may be elsewhere on this machine.
        self._process = Process(Order(name, lambda: [sys.executable, *words[1:]], log))
        if self._stopping:
            self._process.ask_to_stop()
        while not (ended := self._process.ended()):
            time.sleep(_LOOK_SECONDS)
        return ended

    def ask_to_stop(self) -> None:
        """Have it save and end, now or when it has begun."""
        self._stopping = True
        if self._process:
            self._process.ask_to_stop()

    def close(self) -> None:
        """End it if it has not ended by itself."""
        if self._process:
            self._process.close()


class RemoteProgram:
    """A program in progress on some machine of the cluster; begun again on another if that dies."""

    def __init__(self, cluster: Cluster, order: Order) -> None:
        self._cluster = cluster
        self._order = order
        self._began = time.monotonic()
        self._deaths = 0
        self._lost_until = 0.0
        self._stopping = False
        order.log.touch()  # by which a machine sees that the folder is shared
        self._begin()

    def _begin(self) -> None:
        host = ray.remote(Host).options(num_cpus=1, max_restarts=0, max_concurrency=_THREADS_OF_HOST)
        self._host = host.remote(Path.cwd())
        self._where = self._host.where.remote()
        self._end = self._host.run.remote(self._order.name, self._order.words(), self._order.log)

    def ended(self) -> Ended | None:
        """See Program; also raises ClusterError."""
        with self._cluster.asked():
            return self._ended()

    def _ended(self) -> Ended | None:
        if self._stopping and not _is_done(self._where):
            return self._was_killed()
        if not _is_done(self._end):
            return None
        try:
            ended: Ended = ray.get(self._end)
        except LOST:
            return self._lost()
        except RayTaskError as error:
            raise error.cause from None
        if ended.status and not self._stopping and time.monotonic() < self._lost_until:
            time.sleep(_AGAIN_SECONDS)
            self._begin_again()
            return None
        return replace(ended, seconds=time.monotonic() - self._began)

    def _lost(self) -> Ended | None:
        """Begin again after a death, unless it is to stop or that has happened too often."""
        self._deaths += 1
        if self._stopping or self._deaths == ATTEMPTS:
            return self._was_killed()
        self._lost_until = time.monotonic() + _LETTING_GO_SECONDS
        self._tell()
        self._begin_again()
        return None

    def _tell(self) -> None:
        try:
            what = f"its worker on {ray.get(self._where)} has died, or that whole machine"
        except RayError:
            what = "its worker has died before it began"
        self._cluster.say(f"{self._order.name}: {what}; it goes on elsewhere, from what it has saved")

    def _was_killed(self) -> Ended:
        return Ended(self._order.name, -signal.SIGTERM, time.monotonic() - self._began)

    def _begin_again(self) -> None:
        ray.kill(self._host)
        self._begin()

    def ask_to_stop(self) -> None:
        """See Program."""
        if not self._stopping:
            self._stopping = True
            self._host.ask_to_stop.remote()

    def close(self) -> None:
        """See Program."""
        if _is_done(self._where):
            with suppress(RayError):
                ray.get(self._host.close.remote(), timeout=_GOODBYE_SECONDS)
        ray.kill(self._host)


def _is_done(answer: "ray.ObjectRef[object]") -> bool:
    done, _ = ray.wait([answer], timeout=0)
    return bool(done)
