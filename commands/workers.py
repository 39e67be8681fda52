"""The workers of a command: this process, several on this machine, or a Ray cluster."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from othello_lab.commands.options import option, whole_number
from othello_lab.experiment.workers.shards import ClusterError, Workers

if TYPE_CHECKING:
    from othello_lab.experiment.workers.on_ray.cluster import Cluster
    from othello_lab.experiment.workers.programs import Start


def jobs_option() -> Any:  # noqa: ANN401  an int
    """Return the field of --jobs."""
    text = "Number of processes; the result does not depend on it."
    return whole_number(text, default=1, lowest=1)


def ray_option() -> Any:  # noqa: ANN401  a str, or None
    """Return the field of --ray."""
    return option(
        "Start these processes on a Ray cluster: local starts one here; ADDRESS is HOST:PORT, or auto for "
        "the cluster of this machine.",
        metavar="local|ADDRESS",
    )


@contextmanager
def workers(jobs: int, ray: str | None) -> Iterator[Workers]:
    """Yield who works, as the options say; end the command in one line where a cluster cannot be used."""
    with pools(jobs, ray=ray) as (only,):
        yield only


@contextmanager
def pools(*jobs: int, ray: str | None) -> Iterator[list[Workers]]:
    """Yield workers as `workers` does, several times; those on a cluster are to work in turns."""
    from othello_lab.experiment.workers.pool import Pool

    with ExitStack() as stack:
        if ray is None:
            yield [stack.enter_context(Pool(count)) for count in jobs]
            return
        joined = stack.enter_context(cluster(sum(jobs), ray))
        from othello_lab.experiment.workers.on_ray.transport import OnRay

        yield [stack.enter_context(Pool(count, OnRay(joined))) for count in jobs]


@contextmanager
def cluster(jobs: int, address: str) -> Iterator["Cluster"]:
    """Be connected to a Ray cluster; end the command in one line where it cannot be used."""
    from othello_lab.experiment.workers.on_ray.cluster import connected

    try:
        with connected(address, jobs, _say) as joined:
            yield joined
    except ClusterError as error:
        raise click.ClickException(str(error)) from None


@contextmanager
def started_by(jobs: int, ray: str | None) -> Iterator["Start"]:
    """Yield what starts programs, as the options say; see `workers`."""
    from othello_lab.experiment.workers.programs import Process

    if ray is None:
        yield Process
        return
    with cluster(jobs, ray) as joined:
        from othello_lab.experiment.workers.on_ray.programs import RemoteProgram

        yield partial(RemoteProgram, joined)


def _say(line: str) -> None:
    print(line, file=sys.stderr)  # a bar makes room for it, as it does not for click's echo
