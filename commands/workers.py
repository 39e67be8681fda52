"""The workers of a command: this process, several on this machine, or a Ray cluster."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from othello_lab.commands.options import option, whole_number
from othello_lab.experiment.workers.shards import Workers

if TYPE_CHECKING:
    from othello_lab.experiment.workers.programs import Start


def jobs_option() -> Any:  # noqa: ANN401  an int
    """Return the field of --jobs."""
    text = "Number of processes; the result does not depend on it."
    return whole_number(text, default=1, lowest=1)


def ray_option() -> Any:  # noqa: ANN401  a str, or None
    """Return the field of --ray."""
    return option(
        "Use a Ray cluster instead of processes here: local starts one on this machine; ADDRESS is "
        "HOST:PORT, or auto for the cluster of this machine.",
        metavar="local|ADDRESS",
    )


@contextmanager
def workers(jobs: int, ray: str | None) -> Iterator[Workers]:
    """Yield the workers that the options ask for; raise WorkersError if a cluster cannot be used."""
    if ray is None:
        from othello_lab.experiment.workers.pool import Pool

        with Pool(jobs) as pool:
            yield pool
        return
    from othello_lab.experiment.workers.ray_pool import RayPool, connected

    with connected(ray, jobs):
        yield RayPool(jobs)


@contextmanager
def starter(jobs: int, ray: str | None) -> Iterator["Start"]:
    """Yield the function that starts programs, here or on a cluster; raise WorkersError as `workers` does."""
    if ray is None:
        from othello_lab.experiment.workers.programs import Process

        yield Process
        return
    from othello_lab.experiment.workers.ray_pool import RayProgram, connected

    with connected(ray, jobs):
        yield RayProgram
