"""Errors of commands: one-line messages, exit codes and interrupts."""

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Final

import click

from othello_lab.game.errors import FailedError, Forfeit, RefusedError
from othello_lab.game.notation import brief
from rlglue.errors import GlueError
from rlglue.scripts import FAILED, INTERRUPTED, TERMINATED

_LONGEST: Final = 2000  # The maximum length of an error message, in characters.


class AtOnce(Exception):  # noqa: N818  nothing went wrong
    """A request to exit with code 0 at once, without waiting for threads."""


@contextmanager
def blaming(option: str) -> Iterator[None]:
    """Convert a ValueError to click.BadParameter about an option. The exit code is 2."""
    try:
        yield
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=option) from None


@contextmanager
def expected_errors() -> Iterator[None]:
    """Convert expected errors to click exceptions, which print one line and set the exit code."""
    try:
        yield
    except (FailedError, Forfeit, GlueError) as error:  # before RefusedError, because an error may be both
        raise click.ClickException(str(error)) from None
    except RefusedError as error:
        raise click.UsageError(str(error)) from None
    except ModuleNotFoundError as error:
        raise click.ClickException(_missing(error)) from None
    except BrokenPipeError:
        raise
    except OSError as error:  # such as a full disk
        from othello_lab.game.safe_files import what_failed  # lazy import: most commands write no file

        raise click.ClickException(what_failed(error)) from None
    except ValueError as error:
        if not str(error).startswith("Key backend: "):  # an error of matplotlib
            raise
        backend = os.environ.get("MPLBACKEND")
        raise click.ClickException(f"MPLBACKEND is {backend!r}: unset it, or set it to agg") from None


def _missing(error: ModuleNotFoundError) -> str:
    """Return a message about a missing package, or raise `error` again if the package is installed."""
    package = (error.name or "").partition(".")[0]
    if not package or find_spec(package):
        raise error
    from othello_lab.game.registry import how_to_install

    return f"this needs the package {package}, which is not installed: {how_to_install(package)}"


def run_and_exit(command: click.Command, arguments: Sequence[str], name: str) -> None:
    """Run a command and exit with its exit code. An expected error prints one line on stderr."""
    # SIGTERM raises SystemExit, so that context managers end the child processes.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(TERMINATED))
    try:
        with expected_errors():
            command.main([*arguments], name, standalone_mode=False)
            sys.stdout.flush()
    except AtOnce:
        os._exit(0)
    except BrokenPipeError:  # as in `othello players | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILED)
    except click.ClickException as error:
        click.echo(f"Error: {brief(error.format_message(), _LONGEST)}", err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)  # click has already ended the line
        sys.exit(INTERRUPTED)
