"""The worker processes and interrupts of a command."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from othello_lab.experiment.workers.interrupts import Interrupts, exit_status

if TYPE_CHECKING:
    from othello_lab.experiment.workers.pool import Workers


@contextmanager
def workers(jobs: int, ray: str | None) -> "Iterator[Workers]":
    """Yield local workers, or the workers of the Ray cluster `ray`. Raises WorkersError."""
    if ray is None:
        from othello_lab.experiment.workers.pool import Pool

        with Pool(jobs) as pool:
            yield pool
        return
    from othello_lab.experiment.workers.ray_pool import RayPool, connected

    with connected(ray, jobs):
        yield RayPool(jobs)


@contextmanager
def interruptible() -> Iterator[Interrupts]:
    """Record Ctrl-C, SIGTERM and SIGHUP in the yielded object. Then exit with the signal's exit code."""
    try:
        with Interrupts() as interrupts:
            yield interrupts
    except KeyboardInterrupt as stop:
        click.echo("stopped at once", err=True)
        raise SystemExit(exit_status(stop)) from None
    if interrupts.requested:
        raise SystemExit(interrupts.exit_status)
