"""Option fields that several commands share, and shell completion of names."""

from functools import partial
from pathlib import Path
from typing import Any, Final

import click
from click.shell_completion import CompletionItem
from click.types import IntParamType

from othello_lab.commands.options import (
    CONFIG_FILE,
    Number,
    ProgramText,
    argument,
    option,
    options,
    whole_number,
)
from othello_lab.game.notation import USUAL_SIZE, check_size
from rlglue.address import CONNECT_TIMEOUT, DEFAULT_HOST, DEFAULT_PORT, ONCE
from rlglue.messages import LARGEST_SEED

FILE: Final = click.Path(dir_okay=False, path_type=Path)
FOLDER: Final = click.Path(file_okay=False, path_type=Path)


_LISTEN: Final = (
    "Address on which the server listens. "
    "With 0.0.0.0, every machine that can reach this machine can connect."
)
_PORT: Final = (
    "Port on which the server listens. With 0, the command chooses a free port and prints its number."
)


class Seed(IntParamType):
    """The type of a seed, an integer from 0 to LARGEST_SEED. The help omits the range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Parse a seed. Fails if the seed is out of range."""
        number: int = click.IntRange(0, LARGEST_SEED).convert(value, param, ctx)
        return number


class BoardSize(IntParamType):
    """The type of a board size."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Parse a board size. Fails if there is no board of this size."""
        number: int = super().convert(value, param, ctx)
        try:
            check_size(number)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return number


def seed(text: str = "Seed of all randomness.", **settings: Any) -> Any:
    """Return the field of --seed, with 0 as the default."""
    return option(text, **{"default": 0, "type": Seed(), **settings})


def size(text: str = "Board size, an even number from 4 to 16.", **settings: Any) -> Any:
    """Return the field of --size."""
    return option(text, **{"default": USUAL_SIZE, "type": BoardSize(), **settings})


def players_size(whose: str, **settings: Any) -> Any:
    """Return the field of --size. The default None means the board size of the players."""
    text = f"Board size, an even number from 4 to 16.  [default: the board size of {whose}, or {USUAL_SIZE}]"
    return size(text, default=None, **settings)


def _use_file(context: click.Context, _: click.Parameter, path: Path | None) -> None:
    if path is not None:
        from othello_lab.commands.config_file import as_typed, read_toml

        context.meta[CONFIG_FILE] = path
        context.default_map = as_typed(context.command, read_toml(path), str(path))


def config() -> Any:
    """Return the field of --config, a TOML file of options."""
    return option(
        "Read options from this TOML file. The keys in the file are the long names of options. An option "
        "on the command line overrides the file.",
        type=click.Path(path_type=Path),
        metavar="FILE.toml",
        is_eager=True,
        expose_value=False,
        callback=_use_file,
        section="",
    )


def json_flag(what: str = "the result") -> Any:
    """Return the field of --json. `what` describes the printed data."""
    return option(f"Print {what} as JSON.", "--json")


def runs_dir(section: str = "") -> Any:
    """Return the field of --runs-dir."""
    return option("Folder that contains the runs.", default=Path("runs"), type=FOLDER, section=section)


def warn_if_open(context: click.Context, parameter: click.Parameter, host: str) -> str:
    """The click callback of --host. Print a warning if other machines can reach the address."""
    if host not in ("localhost", "::1") and not host.startswith("127."):
        click.echo(
            f"Warning: --host {host} lets in every machine that can reach this one, without authentication. "
            f"With {DEFAULT_HOST}, only this machine can connect.",
            err=True,
        )
    return host


def host(text: str = _LISTEN, listens: bool = True, **settings: Any) -> Any:
    """Return the field of --host (environment variable RLGLUE_HOST). With `listens`, call `warn_if_open`."""
    callback = warn_if_open if listens else None
    attributes = {"envvar": "RLGLUE_HOST", "show_envvar": True, "metavar": "HOST"}
    return option(text, default=DEFAULT_HOST, callback=callback, **attributes, **settings)


def port(text: str = _PORT, lowest: int = 0) -> Any:
    """Return the field of --port (environment variable RLGLUE_PORT)."""
    attributes = {"envvar": "RLGLUE_PORT", "show_envvar": True}
    return whole_number(text, default=DEFAULT_PORT, lowest=lowest, highest=65535, **attributes)


def page_port(of: str) -> Any:
    """Return the field of --port for a command that serves a page."""
    text = f"Port of {of}.  [default: a free port]"
    return whole_number(text, default=0, highest=65535, show_default=False)


def connect_timeout() -> Any:
    """Return the field of --connect-timeout."""
    text, limits = "Time in seconds to wait for the other processes to start.", Number(0, 1e6)
    return option(text, default=CONNECT_TIMEOUT, type=limits, metavar="SECONDS")


@options
class Client:
    """A client's options: host, port and timeout."""

    host: str = host("Host of the server.", listens=False, section="Connection")
    port: int = port("Port of the server.", 1)
    connect_timeout: float = connect_timeout()

    @property
    def server(self) -> tuple[str, int, float]:
        """Host, port and connect timeout, for `serve_agent` and `serve_environment`."""
        return self.host, self.port, self.connect_timeout


@options
class EnvironmentClient(Client):
    """The options of an environment that connects to a server."""

    once: bool = option(
        "End when the experiment ends, and do not wait for another experiment.", envvar=ONCE, show_envvar=True
    )


def _complete(
    context: click.Context, _: click.Parameter, begin: str, players: bool, runs: bool
) -> list[CompletionItem]:
    from othello_lab.experiment.run.run_folder import run_names
    from othello_lab.game import catalogue

    names = [*catalogue.PLAYERS.entries] if players else []
    names += run_names(context.params.get("runs_dir") or Path("runs")) if runs else []
    items = [CompletionItem(name) for name in names if name.startswith(begin)]
    return items or [CompletionItem(begin, type="file")]  # the shell completes paths


complete_player = partial(_complete, players=True, runs=False)
complete_run = partial(_complete, players=False, runs=True)
complete_any = partial(_complete, players=True, runs=True)


def player(text: str, *spellings: str, metavar: str = "TEXT", **settings: Any) -> Any:
    """Return the field of an option that names a player, a run or the command line of an agent."""
    attributes = {"type": ProgramText(), "shell_complete": complete_any, **settings}
    return option(text, *spellings, metavar=metavar, **attributes)


def player_argument(default: str | None = None, **settings: Any) -> Any:
    """Return the field of an argument that names players, runs or command lines of agents."""
    return argument(default, type=ProgramText(), shell_complete=complete_any, **settings)


def jobs(
    text: str = "Number of processes. The result does not depend on the number of processes.",
    default: int = 1,
) -> Any:
    """Return the field of --jobs."""
    return whole_number(text, default=default, lowest=1)


def ray() -> Any:
    """Return the field of --ray."""
    return option(
        "Use a Ray cluster instead of local processes. `local` starts a cluster on this machine, and "
        "`auto` uses the running cluster. HOST:PORT is the address of a running cluster.",
        metavar="local|ADDRESS",
    )
