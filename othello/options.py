"""Command-line options that several commands share. Only `__main__` modules import this: it needs click."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from click.types import IntParamType

from othello.commands import SETTINGS, section
from othello.config_file import FileFirst, spelled
from rlglue.messages import LARGEST_SEED, natural
from rlglue.net.address import DEFAULT_HOST, DEFAULT_PORT

F = TypeVar("F", bound=Callable[..., Any])

CONNECT_TIMEOUT: Final = 300.0
INTERRUPTED: Final = 130
TERMINATED: Final = 143
_LONGEST: Final = 2000
"""Characters of a complaint: what was said wrongly may be of any length."""


class Seed(IntParamType):
    """A whole number that numpy takes for a seed and that a message can say."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401  as in click
        """Return the number; fail for any but 0 to LARGEST_SEED."""
        # Of a number only whether it fits matters here: one of thousands of digits cannot even be written.
        text = value if isinstance(value, str) else str(max(-1, min(value, LARGEST_SEED + 1)))
        try:
            return natural(text, LARGEST_SEED)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def seed_option(text: str = "Of all its randomness.") -> Callable[[F], F]:
    """Return what adds --seed with that help."""
    return click.option("--seed", type=Seed(), default=0, show_default=True, help=text)


def warn_if_open(context: click.Context, option: click.Parameter, host: str) -> str:
    """Warn on the terminal about an address that other machines can reach; a callback of --host."""
    if host != "localhost" and not host.startswith("127."):
        click.echo(
            f"Warning: --host {host} lets in whoever can reach this machine over the network, "
            f"and nobody is asked who they are; {DEFAULT_HOST} keeps it to this machine",
            err=True,
        )
    return host


def _host(help_text: str, callback: Callable[..., str] | None = None) -> Callable[[F], F]:
    return click.option(
        "--host",
        cls=FileFirst,
        envvar="RLGLUE_HOST",
        default=DEFAULT_HOST,
        show_default=True,
        show_envvar=True,
        metavar="HOST",
        help=help_text,
        callback=callback,
    )


def _port(lowest: int, help_text: str) -> Callable[[F], F]:
    return click.option(
        "--port",
        cls=FileFirst,
        type=click.IntRange(lowest, 65535),
        envvar="RLGLUE_PORT",
        default=DEFAULT_PORT,
        show_default=True,
        show_envvar=True,
        help=help_text,
    )


def connect_timeout_option(command: F) -> F:
    """Add --connect-timeout."""
    return click.option(
        "--connect-timeout",
        type=click.FloatRange(min=0),
        default=CONNECT_TIMEOUT,
        show_default=True,
        metavar="SECONDS",
        help="How long to wait for the others to start.",
    )(command)


def runs_dir_option(text: str) -> Callable[[F], F]:
    """Return what adds --runs-dir with that help."""
    return click.option(
        "--runs-dir",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path("runs"),
        show_default=True,
        help=text,
    )


def server_address_options(command: F) -> F:
    """Add --host and --port for a command that binds them."""
    command = _port(0, "Port to listen on; 0 takes any free one and prints it.")(command)
    text = "Address to listen on; 0.0.0.0 admits other machines, and asks nobody who they are."
    return _host(text, warn_if_open)(command)


def client_options(command: F) -> F:
    """Add --host, --port, --connect-timeout and --stay for an agent or an environment."""
    stay = click.option(
        "--stay", is_flag=True, help="When the server is done, wait for the next one instead of ending."
    )
    address = _host("Host of the server."), _port(1, "Port of the server.")
    return section("Connection", *address, connect_timeout_option, stay)(command)


@contextmanager
def blaming(option: str) -> Iterator[None]:
    """Turn a ValueError into a complaint about the option or argument of that name: one line, exit code 2."""
    try:
        yield
    except ValueError as error:
        hint = spelled(option.removeprefix("--").replace("-", "_"), option)
        raise click.BadParameter(str(error), param_hint=hint) from None


def run(command: click.Command, arguments: list[str] | None = None, name: str | None = None) -> None:
    """Run a command and end the process: one line on stderr for every foreseen error, and its exit code."""
    from rlglue.errors import GlueError

    # As an exit, so that what a command has started ends with it; an exit by the signal itself skips that.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(TERMINATED))
    try:
        with_version = click.version_option(package_name="othello-lab", prog_name="othello-lab")(command)
        with_version.main(args=arguments, prog_name=name, standalone_mode=False, **SETTINGS)
        sys.stdout.flush()
    except BrokenPipeError:  # such as of `othello players | head -1`; click sees those before the last
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except click.ClickException as error:
        sys.exit(_complain(error.format_message(), error.exit_code))
    except GlueError as error:
        sys.exit(_complain(str(error), 1))
    except ModuleNotFoundError as error:
        sys.exit(_complain(_missing(error), 1))
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)


def _missing(error: ModuleNotFoundError) -> str:
    """Say which package is not installed; raise the error itself if the package is there and lacks a part."""
    package = (error.name or "").partition(".")[0]
    if not package or find_spec(package):
        raise error
    return f"this needs the package {package}, which is not installed: python -m pip install {package}"


def _complain(line: str, code: int) -> int:
    more = "..." if len(line) > _LONGEST else ""
    click.echo(f"Error: {line[:_LONGEST]}{more}", err=True)
    return code
