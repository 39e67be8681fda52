"""Being part of a Ray cluster whose machines all compute the same as this one."""

import logging
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

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

from experiment.workers.versions import everything, processor
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
}
LOST: Final = (RayActorError, NodeDiedError, ObjectLostError, WorkerCrashedError)
"""What Ray raises where a worker or its machine died."""
ATTEMPTS: Final = 4
"""What a worker was at that died is done again by another, this many times in all: machines come and go."""
_LONGEST: Final = 300

Versions: TypeAlias = Mapping[str, str | None]
Say: TypeAlias = Callable[[str], None]


class ClusterError(RuntimeError):
    """A cluster that cannot be reached, or that would not compute the same as this machine."""


@contextmanager
def connected(address: str, processors: int, say: Say) -> Iterator[None]:
    """Be connected to the cluster at an address; LOCAL starts one with this many processors.

    `say` gets to hear where results may differ in the last digits. Raises ClusterError.
    """
    os.environ.update(_QUIET)
    with TemporaryDirectory(prefix="othello-ray-", ignore_cleanup_errors=True) as folder:
        _connect(address, _local(processors, folder) if address == LOCAL else {"address": address})
        try:
            _check_nodes(say)
            yield
        finally:
            ray.shutdown()


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
    ours = signal.getsignal(signal.SIGTERM)
    try:
        if address not in (LOCAL, AUTO):
            connect(*parse_address(address), _ANSWER_SECONDS).close()  # Ray itself would try for minutes
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
        signal.signal(signal.SIGTERM, ours)  # Ray has set its own


def _check_nodes(say: Say) -> None:
    """Raise ClusterError if one of the machines that can work has other versions than this one."""
    nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
    asked = {node["NodeManagerAddress"]: _ask(node["NodeID"]) for node in nodes}
    for address, answer in asked.items():
        try:
            there, its_processor = ray.get(answer, timeout=_PATIENCE)
        except GetTimeoutError:
            raise ClusterError(
                f"{address} has not said in {_PATIENCE:.0f} s what is installed on it"
            ) from None
        except RayTaskError as error:
            reason = _first_line(error.cause)
            raise ClusterError(
                f"{address} cannot work, install the same othello-lab there: {reason}"
            ) from None
        except RayError as error:
            raise ClusterError(f"{address} cannot work: {_first_line(error)}") from None
        check_versions(address, there)
        if its_processor != processor():
            say(f"{address} has another processor ({its_processor}): results may differ in their last digits")


def _ask(node: str) -> "ray.ObjectRef[tuple[Versions, str]]":
    """Have a machine say its versions and its processor."""

    # A function within a function travels as code: the machine may lack our packages.
    def versions_there() -> tuple[Versions, str]:
        from experiment.workers.versions import everything, processor

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
