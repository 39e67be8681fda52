"""The worker processes of a command, its interrupts, and errors during its work."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from othello_lab.experiment.workers.interrupts import Interrupts, exit_status
from othello_lab.game.errors import FailedError, RefusedError

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
    """Record Ctrl-C, SIGTERM and SIGHUP in the yielded object. At the end, exit with the signal's code."""
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
    """Convert a ValueError of a player that cannot play to a one-line error."""
    try:
        yield
    except (FailedError, RefusedError):  # these errors have their own exit codes
        raise
    except ValueError as error:
        raise click.ClickException(str(error)) from None
