"""Work of a command: on which processes, and what interrupts it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from othello_lab.experiment.workers.interrupts import Interrupts, exit_status
from othello_lab.experiment.workers.pool import Workers
from othello_lab.game.errors import FailedError, RefusedError

if TYPE_CHECKING:
    from othello_lab.experiment.workers.programs import Run


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
def program_runner(jobs: int, ray: str | None) -> Iterator["Run"]:
    """Yield the function that runs programs, here or on a cluster; raise WorkersError as `workers` does."""
    if ray is None:
        from othello_lab.experiment.workers.programs import run_here

        yield run_here
        return
    from othello_lab.experiment.workers.ray_pool import connected, run_on_ray

    with connected(ray, jobs):
        yield run_on_ray


@contextmanager
def interruptible() -> Iterator[Interrupts]:
    """Handle Ctrl-C, SIGTERM and SIGHUP while work goes on; after one, end with its exit code."""
    try:
        with Interrupts() as interrupts:
            yield interrupts
    except KeyboardInterrupt as stop:
        click.echo("stopped at once", err=True)
        raise SystemExit(exit_status(stop)) from None
    if interrupts.requested:
        raise SystemExit(interrupts.exit_status)


@contextmanager
def playing() -> Iterator[None]:
    """End the command in one line if the players cannot play the games."""
    try:
        yield
    except (FailedError, RefusedError):  # have exit codes of their own
        raise
    except ValueError as error:
        raise click.ClickException(str(error)) from None
