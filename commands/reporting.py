"""Errors and interrupts of commands that run, play or analyse: one line each, and an exit code."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from othello_lab.experiment.workers.interrupts import Interrupts, exit_status
from othello_lab.game.errors import FailedError, RefusedError
from othello_lab.game.files import what_failed
from rlglue.errors import GlueError


@contextmanager
def reported_errors() -> Iterator[None]:
    """Turn the errors of a run, a sweep or a picture that are expected into one line and an exit code."""
    try:
        yield
    except (FailedError, GlueError) as error:
        raise click.ClickException(str(error)) from None
    except RefusedError as error:
        raise click.UsageError(str(error)) from None
    except BrokenPipeError:  # which is silence
        raise
    except OSError as error:  # such as a full disk
        raise click.ClickException(what_failed(error)) from None
    except KeyboardInterrupt as stop:
        click.echo("stopped at once", err=True)
        raise SystemExit(exit_status(stop)) from None


@contextmanager
def interruptible() -> Iterator[Interrupts]:
    """Report errors as `reported_errors` does, and handle Ctrl-C, SIGTERM and SIGHUP while work goes on.

    After an interrupt the command ends here, with its exit code.
    """
    with reported_errors(), Interrupts() as interrupts:
        yield interrupts
    if interrupts.requested:
        raise SystemExit(interrupts.exit_status)


@contextmanager
def playing() -> Iterator[None]:
    """End the command in one line where players cannot play the games, or a process ends early."""
    from othello_lab.game.players.player import Forfeit

    try:
        yield
    except (ValueError, Forfeit) as error:
        raise click.ClickException(str(error)) from None
