"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from click.types import IntParamType

from environment.config import EnvironmentConfig
from othello.config_file import FileFirst
from othello.groups import section
from othello.openings import openings_option
from othello.permission import yes_option
from rlglue.messages import LARGEST_SEED, natural
from rlglue.net.address import CONNECT_TIMEOUT, DEFAULT_HOST, DEFAULT_PORT

DEFAULT_SIZE: Final = EnvironmentConfig().size
"""Of every --size."""

F = TypeVar("F", bound=Callable[..., Any])


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


def seed_option(text: str = "Seed of all its randomness.") -> Callable[[F], F]:
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


def host_option(help_text: str, callback: Callable[..., str] | None = None) -> Callable[[F], F]:
    """Return what adds --host, which RLGLUE_HOST also says."""
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


def port_option(lowest: int, help_text: str, default: int = DEFAULT_PORT) -> Callable[[F], F]:
    """Return what adds --port, which RLGLUE_PORT also says; the help shows no default of 0."""
    return click.option(
        "--port",
        cls=FileFirst,
        type=click.IntRange(lowest, 65535),
        envvar="RLGLUE_PORT",
        default=default,
        show_default=bool(default),
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
        help="Seconds to wait for the others to start.",
    )(command)


def runs_dir_option(text: str) -> Callable[[F], F]:
    """Return what adds --runs-dir with that help, and --yes: a run may name programs."""
    option = click.option(
        "--runs-dir",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path("runs"),
        show_default=True,
        help=text,
    )
    return lambda command: option(yes_option(command))


def openings_options(command: F) -> F:
    """Add --openings and --repeat for a command that plays matches."""
    rounds = click.option(
        "--repeat",
        type=click.IntRange(1),
        default=1,
        show_default=True,
        help="How many times to play all of that.",
    )
    return openings_option()(rounds(command))


def check_new_file(path: Path, option: str) -> None:
    """Raise click.BadParameter for a file that is there already, or whose folder is not."""
    if path.exists():
        raise click.BadParameter(f"{path} exists: name a new file", param_hint=option)
    check_folder(path, option)


def check_folder(path: Path, option: str) -> None:
    """Raise click.BadParameter for a file whose folder is not there."""
    if not path.parent.is_dir():
        raise click.BadParameter(f"there is no folder {path.parent}", param_hint=option)


def server_address_options(command: F) -> F:
    """Add --host and --port for a command that binds them."""
    command = port_option(0, "Port to listen on; 0 takes a free one and prints it.")(command)
    text = "Address to listen on; 0.0.0.0 lets other machines in, whoever they are."
    return host_option(text, warn_if_open)(command)


def client_options(command: F) -> F:
    """Add --host, --port, --connect-timeout and --stay for an agent or an environment."""
    stay = click.option("--stay", is_flag=True, help="When the server ends, wait for the next one.")
    address = host_option("Host of the server."), port_option(1, "Port of the server.")
    return section("Connection", *address, connect_timeout_option, stay)(command)
