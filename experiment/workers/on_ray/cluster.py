"""Being part of a Ray cluster whose machines all compute the same as this one."""

import logging
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, TypeAlias

import ray
from ray.exceptions import (
    GetTimeoutError,
    NodeDiedError,
    ObjectLostError,
    RayActorError,
    RayError,
    RayTaskError,
    WorkerCrashedError,
)
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from othello_lab.experiment.workers.on_ray.watch import HOW_TO_GO_ON, Watch
from othello_lab.experiment.workers.shards import ClusterError
from othello_lab.experiment.workers.versions import everything, processor
from rlglue.errors import GlueError
from rlglue.net.address import parse_address
from rlglue.net.transport import connect

LOCAL: Final = "local"
"""In place of an address: a cluster on this machine, for as long as the command goes on."""
AUTO: Final = "auto"
"""The cluster that this machine belongs to."""
_LOOPBACK: Final = "127.0.0.1"
_STORE_BYTES: Final = 512 << 20
"""Of the object store of such a cluster; what does not fit goes to the disk."""
_ANSWER_SECONDS: Final = 5.0
_PATIENCE: Final = 120.0
"""Seconds that a machine has to say what is installed on it."""
_QUIET: Final = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is reported to Ray's makers
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # no remark about GPUs
    "RAY_BACKEND_LOG_LEVEL": "fatal",  # its log stays in its files
}
LOST: Final = (RayActorError, NodeDiedError, ObjectLostError, WorkerCrashedError)
"""What Ray raises where a worker or its machine died."""
ATTEMPTS: Final = 4
"""How often the same work is tried, if its workers die: machines come and go."""
_LONGEST: Final = 300

Versions: TypeAlias = Mapping[str, str | None]
Say: TypeAlias = Callable[[str], None]


class Cluster(NamedTuple):
    """The cluster that this process is connected to."""

    say: Say
    watch: Watch

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Raise ClusterError if its head is gone, or Ray on this machine, now or while it is asked."""
        try:
            yield
        except RayTaskError:  # of the work
            raise
        except (RayError, OSError) as error:
            raise ClusterError(f"Ray has gone ({_first_line(error)}): {HOW_TO_GO_ON}") from None
        if self.watch.lost:
            raise ClusterError(self.watch.lost)


@contextmanager
def connected(address: str, processors: int, say: Say) -> Iterator[Cluster]:
    """Be connected to the cluster at an address; LOCAL starts one with this many processors.

    `say` gets to hear which machine has died, and where results may differ in the last digits. Raises
    ClusterError.
    """
    os.environ.update(_QUIET)
    ray._private.worker._worker_logs_enabled = False  # else Ray prints of each machine that dies
    with (
        TemporaryDirectory(prefix="othello-ray-", ignore_cleanup_errors=True) as folder,
        Watch() as watch,
    ):
        _connect(address, _local(processors, folder) if address == LOCAL else {"address": address})
        try:
            watch.begin(*_addresses())
            _check_nodes(say)
            yield Cluster(say, watch)
        finally:
            ray.shutdown()


def _addresses() -> tuple[str, str]:
    """Return where the head answers, and Ray on this machine."""
    here = ray.get_runtime_context()
    node = next(node for node in ray.nodes() if node["NodeID"] == here.get_node_id())
    return here.gcs_address, f"{node['NodeManagerAddress']}:{node['NodeManagerPort']}"


def _local(processors: int, folder: str) -> dict[str, Any]:
    return {
        "address": LOCAL,
        "num_cpus": processors,
        "num_gpus": 0,
        "include_dashboard": False,
        "object_store_memory": _STORE_BYTES,
        "_node_ip_address": _LOOPBACK,
        "_temp_dir": folder,
    }


def _connect(address: str, settings: dict[str, Any]) -> None:
    ours, stderr = signal.getsignal(signal.SIGTERM), os.dup(2)
    try:
        if address not in (LOCAL, AUTO):
            connect(*parse_address(address), _ANSWER_SECONDS).close()  # Ray itself would try for minutes
        with open(os.devnull, "wb") as nowhere:  # where Ray tells how much it will tell
            os.dup2(nowhere.fileno(), 2)
        ray.init(**settings, log_to_driver=False, logging_level=logging.CRITICAL)
    except GlueError:
        raise ClusterError(
            f"nobody answers at {address}: say HOST:PORT of a Ray cluster's head, {AUTO}, or {LOCAL}"
        ) from None
    except ConnectionError:
        raise ClusterError(
            f"{address} lets nobody join: if it asks for a token, set RAY_AUTH_MODE=token here, "
            "with its token in ~/.ray/auth_token; and this machine must belong to the cluster (ray start)"
        ) from None
    except (RayError, OSError, RuntimeError, ValueError) as error:
        raise ClusterError(f"no Ray cluster at {address}: {_first_line(error)}") from None
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        signal.signal(signal.SIGTERM, ours)  # Ray has set its own


def _check_nodes(say: Say) -> None:
    """Raise ClusterError if one of the machines that can work has other versions than this one."""
    nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
    asked = [(node["NodeManagerAddress"], node["NodeID"], _ask(node["NodeID"])) for node in nodes]
    for address, node, answer in asked:
        try:
            there, its_processor = _answer(address, answer)
        except ClusterError:
            if any(each["NodeID"] == node and each["Alive"] for each in ray.nodes()):
                raise
            say(f"{address} has died: the others do the work")
            continue
        check_versions(address, there)
        if its_processor != processor():
            say(f"{address} has another processor ({its_processor}): results may differ in their last digits")


def _answer(address: str, answer: "ray.ObjectRef[tuple[Versions, str]]") -> tuple[Versions, str]:
    """Return what a machine says of itself; raise ClusterError if it cannot."""
    try:
        said: tuple[Versions, str] = ray.get(answer, timeout=_PATIENCE)
    except GetTimeoutError:
        raise ClusterError(f"{address} has not said in {_PATIENCE:.0f} s what is installed on it") from None
    except RayTaskError as error:
        reason = _first_line(error.cause)
        raise ClusterError(f"{address} cannot work, install the same othello-lab there: {reason}") from None
    except RayError as error:
        raise ClusterError(f"{address} cannot work: {_first_line(error)}") from None
    return said


def _ask(node: str) -> "ray.ObjectRef[tuple[Versions, str]]":
    """Have a machine say its versions and its processor."""

    # A function within a function travels as code: the machine may lack our packages.
    def versions_there() -> tuple[Versions, str]:
        from othello_lab.experiment.workers.versions import everything, processor

        return everything(), processor()

    there = NodeAffinitySchedulingStrategy(node, soft=False)
    answer: ray.ObjectRef[tuple[Versions, str]] = (
        ray.remote(versions_there).options(num_cpus=0, scheduling_strategy=there).remote()
    )
    return answer


def check_versions(address: str, there: Versions) -> None:
    """Raise ClusterError if a machine has other versions than this one: its results might be others."""
    here = everything()
    unlike = sorted(name for name in here.keys() | there.keys() if here.get(name) != there.get(name))
    if unlike:
        said = ", ".join(f"{name} {there.get(name)} (here {here.get(name)})" for name in unlike)
        raise ClusterError(f"{address} has {said}: install the same on all machines")


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines or [type(error).__name__])[0][:_LONGEST]
