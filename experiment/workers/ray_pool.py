"""Run work on a Ray cluster. Each shard is a Ray task. If a worker dies, Ray retries its task."""

import logging
import os
import signal
from collections.abc import Generator, Iterator
from contextlib import chdir, contextmanager
from functools import cache, partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias, TypeVar

import ray
from ray.exceptions import RayError, RayTaskError

from othello_lab.experiment.workers.pool import Work, WorkersError, do_shard
from othello_lab.experiment.workers.versions import commit, versions
from othello_lab.game.program_trust import VARIABLE
from rlglue.address import parse_address
from rlglue.errors import GlueError
from rlglue.scripts import use_threads
from rlglue.transport import connect

LOCAL: Final = "local"  # A special address: start a local cluster, and stop it after the command.
RETRIES: Final = 3  # The maximum number of retries of a task whose worker dies.
_STORE_BYTES: Final = 512 << 20  # size of a local cluster's object store; Ray spills the excess to disk
_CONNECT_SECONDS: Final = 5.0
_POLL_SECONDS: Final = 0.1
_ENVIRONMENT: Final = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # no warning about GPUs
}

T = TypeVar("T")
_Versions: TypeAlias = tuple[tuple[str, str | None], ...]


@contextmanager
def connected(address: str, processors: int) -> Iterator[None]:
    """Connect to the cluster at `address`. LOCAL starts a cluster on this machine. Raises WorkersError."""
    os.environ.update(_ENVIRONMENT)
    ray._private.worker._worker_logs_enabled = False  # otherwise, Ray prints a paragraph for each dead worker
    with TemporaryDirectory(prefix="othello-ray-", ignore_cleanup_errors=True) as folder:
        local = {
            "num_cpus": processors,
            "num_gpus": 0,
            "include_dashboard": False,
            "object_store_memory": _STORE_BYTES,
            "_node_ip_address": "127.0.0.1",
            "_temp_dir": folder,
        }
        # The machines of a cluster do not have the environment variables of this process.
        remote = {"runtime_env": {"env_vars": {VARIABLE: os.environ.get(VARIABLE, "")}}}
        with chdir(folder):  # Ray's workers import modules from the current folder
            _connect(address, local if address == LOCAL else remote)
        try:
            yield
        finally:
            ray.shutdown()


def _connect(address: str, settings: dict[str, Any]) -> None:
    sigterm = signal.getsignal(signal.SIGTERM)
    try:
        if address not in (LOCAL, "auto"):
            connect(*parse_address(address), _CONNECT_SECONDS).close()  # Ray's timeout is minutes
        ray.init(address, **settings, log_to_driver=False, logging_level=logging.CRITICAL)
    except GlueError:
        raise WorkersError(
            f"--ray {address}: no answer; expected HOST:PORT of a Ray cluster's head, auto or local"
        ) from None
    except (RayError, OSError, RuntimeError, ValueError) as error:
        raise WorkersError(
            f"--ray {address}: {_first_line(error)}; does Ray run on this machine (ray start), and with the "
            "token of the cluster (RAY_AUTH_MODE=token)?"
        ) from None
    finally:
        signal.signal(signal.SIGTERM, sigterm)  # Ray installs its own handler


class RayPool:
    """Workers on a Ray cluster. At most `jobs` tasks run at once, and each task reserves one processor."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def in_order(self, work: Work[T], shards: int) -> Generator[T, None, None]:
        """Run the shards and yield their results in order, with at most RETRIES retries per shard."""
        # An interrupt does not cancel running shards, because `ray.cancel` aborts this process if a task
        # completes at the same moment (Ray 2.60, "Tried to complete task that was not pending").
        remote = ray.remote(_do_shard).options(num_cpus=1, max_retries=RETRIES)
        order = [ray.put((work, Path.cwd(), _versions_here()))]
        waiting, running, results = iter(range(shards)), dict[Any, int](), dict[int, T]()
        for number in range(shards):
            while number not in results:
                for shard in islice(waiting, self._jobs - len(running)):
                    running[remote.remote(order, shard)] = shard
                finished, _ = ray.wait(list(running), timeout=_POLL_SECONDS)
                for task in finished:
                    results[running.pop(task)] = _result_of(task)
            yield results.pop(number)


def _result_of(task: Any) -> Any:  # noqa: ANN401  of any work
    """Return the result of a task. Raises the task's error, or WorkersError if Ray or a worker fails."""
    try:
        return ray.get(task)
    except RayTaskError as error:
        if isinstance(error.cause, RuntimeError) and "failed to import" in str(error.cause):
            raise WorkersError("a machine of the cluster has no othello-lab, or another version") from None
        raise error.cause from error
    except RayError as error:
        raise WorkersError(
            f"Ray gave up after {RETRIES + 1} attempts at the same work: {_first_line(error)}"
        ) from None


def _do_shard(order: "list[ray.ObjectRef[Any]]", shard: int) -> Any:  # noqa: ANN401  of any work
    """Return the result of a shard. Ray sends the content of `order` to a machine only once."""
    return do_shard(order[0].hex(), partial(_load, order[0]), shard)


def _load(order: "ray.ObjectRef[Any]") -> Work[Any]:
    work, home, versions = ray.get(order)
    prepare(home, versions)
    loaded: Work[Any] = work
    return loaded


@cache
def _versions_here() -> _Versions:
    return tuple(sorted({**versions(), "commit": commit()}.items()))


@cache
def prepare(home: Path, versions: _Versions) -> None:
    """Check this worker's versions, and change its working directory to `home`. Raises WorkersError."""
    expected, here = dict(versions), dict(_versions_here())
    unlike = sorted(name for name in expected.keys() | here.keys() if expected.get(name) != here.get(name))
    if unlike:
        differences = ", ".join(f"{name} {here.get(name)} (expected {expected.get(name)})" for name in unlike)
        raise WorkersError(
            f"{ray.util.get_node_ip_address()} has {differences}: install the same versions on all machines"
        )
    use_threads(1)
    if home.is_dir():  # if the folder is missing, only players without files can play
        os.chdir(home)


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0].strip()[:300]
