"""The end of a command: which errors are one line, and the exit code of each."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Final

import click

from othello_lab.commands.config_file import spelled
from othello_lab.commands.options import SETTINGS
from othello_lab.game.errors import FailedError
from othello_lab.game.notation import brief
from rlglue.errors import GlueError
from rlglue.scripts import FAILED, INTERRUPTED, TERMINATED

_LONGEST: Final = 2000
"""Characters of a complaint: what was said wrongly may be of any length."""


class AtOnce(Exception):  # noqa: N818  nothing went wrong
    """Ends the process with exit code 0 without waiting for its threads."""


@contextmanager
def blaming(option: str) -> Iterator[None]:
    """Turn a ValueError into a complaint about the option or argument of that name: one line, exit code 2."""
    try:
        yield
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=spelled(option, option)) from None


def run_and_exit(command: click.Command, name: str) -> None:
    """Run a command and end the process with its exit code; an expected error is one line on stderr."""
    # As an exit, so that what a command has started ends with it; an exit by the signal itself skips that.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(TERMINATED))
    try:
        with_version = click.version_option(package_name="othello-lab", prog_name="othello-lab")(command)
        with_version.main(prog_name=name, standalone_mode=False, **SETTINGS)
        sys.stdout.flush()
    except AtOnce:
        os._exit(0)
    except BrokenPipeError:  # such as of `othello players | head -1`; click sees those before the last
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILED)
    except click.ClickException as error:
        sys.exit(_complain(error.format_message(), error.exit_code))
    except (FailedError, GlueError) as error:
        sys.exit(_complain(str(error), FAILED))
    except ModuleNotFoundError as error:
        sys.exit(_complain(_missing(error), FAILED))
    except ValueError as error:
        if not str(error).startswith("Key backend: "):  # how matplotlib begins
            raise
        sys.exit(_complain(f"MPLBACKEND is {os.environ.get('MPLBACKEND')!r}: unset it, or say agg", FAILED))
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)  # click has ended the line
        sys.exit(INTERRUPTED)


def _missing(error: ModuleNotFoundError) -> str:
    """Say which package is not installed; raise the error itself if the package is there and lacks a part."""
    package = (error.name or "").partition(".")[0]
    if not package or find_spec(package):
        raise error
    from othello_lab.game.registry import how_to_install

    return f"this needs the package {package}, which is not installed: {how_to_install(package)}"


def _complain(line: str, code: int) -> int:
    click.echo(f"Error: {brief(line, _LONGEST)}", err=True)
    return code
