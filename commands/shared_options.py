"""Options that several commands share, and the completion of names of players and runs by a shell."""

from functools import partial
from pathlib import Path
from typing import Any, Final

import click
from click.shell_completion import CompletionItem
from click.types import IntParamType

from othello_lab.commands.config_file import use_file
from othello_lab.commands.options import Number, option, options, whole_number
from othello_lab.commands.programs import ProgramText, allow_programs_option
from othello_lab.game.notation import USUAL_SIZE, check_size
from rlglue.address import CONNECT_TIMEOUT, DEFAULT_HOST, DEFAULT_PORT, ONCE
from rlglue.messages import LARGEST_SEED, natural

FILE: Final = click.Path(dir_okay=False, path_type=Path)
FOLDER: Final = click.Path(file_okay=False, path_type=Path)


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


class BoardSize(IntParamType):
    """The length of a side of a board."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401  as in click
        """Return the number; fail for a board that does not exist."""
        size: int = super().convert(value, param, ctx)
        try:
            check_size(size)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return size


def a_seed(text: str = "Seed of all randomness.", **settings: Any) -> Any:  # noqa: ANN401  an int
    """Return the field of --seed."""
    return option(text, default=0, type=Seed(), **settings)


def board_size(text: str, **settings: Any) -> Any:  # noqa: ANN401  an int
    """Return the field of an option that is the length of a side."""
    return option(text, type=BoardSize(), **settings)


def a_size(whose: str = "", **settings: Any) -> Any:  # noqa: ANN401  an int, None until it is known whose board it is
    """Return the field of --size; without it the board is theirs who are named, if there are any."""
    text = "Length of a side: even, 4 to 16."
    if whose:
        return board_size(f"{text}  [default: {whose}, or {USUAL_SIZE}]", **settings)
    return board_size(text, default=USUAL_SIZE, **settings)


def a_config() -> Any:  # noqa: ANN401  None: the values of the file are those of the other options
    """Return the field of --config, a TOML file of options; and add --allow-programs."""
    return option(
        "Read options from this file: their long names are its keys. The command line wins.",
        type=click.Path(path_type=Path),
        metavar="FILE.toml",
        is_eager=True,
        expose_value=False,
        callback=use_file,
        also=allow_programs_option,
        section="",
    )


def as_json_flag(what: str = "the result") -> Any:  # noqa: ANN401  a bool
    """Return the field of --json."""
    return option(f"Print {what} as JSON, for programs.", "--json")


def a_runs_dir(text: str = "Where run folders are.", section: str = "") -> Any:  # noqa: ANN401  a Path
    """Return the field of --runs-dir, and add --allow-programs: a run may name programs."""
    return option(text, default=Path("runs"), type=FOLDER, also=allow_programs_option, section=section)


def warn_if_open(context: click.Context, parameter: click.Parameter, host: str) -> str:
    """Warn on the terminal about an address that other machines can reach; a callback of --host."""
    if host not in ("localhost", "::1") and not host.startswith("127."):
        click.echo(
            f"Warning: --host {host} lets in whoever can reach this machine over the network, "
            f"and nobody is asked who they are; {DEFAULT_HOST} keeps it to this machine",
            err=True,
        )
    return host


def a_host(
    text: str = "Address to listen on; 0.0.0.0 lets other machines in, whoever they are.",
    listens: bool = True,
    **settings: Any,  # noqa: ANN401  click's
) -> Any:  # noqa: ANN401  a str
    """Return the field of --host, which RLGLUE_HOST also says; `listens`: others may come in there."""
    own = {"envvar": "RLGLUE_HOST", "show_envvar": True, "metavar": "HOST"}
    return option(text, default=DEFAULT_HOST, callback=warn_if_open if listens else None, **own, **settings)


def a_port(
    text: str = "Port to listen on; 0 takes a free one and prints it.",
    lowest: int = 0,
    default: int = DEFAULT_PORT,
) -> Any:  # noqa: ANN401  an int
    """Return the field of --port, which RLGLUE_PORT also says; the help shows no default of 0."""
    own = {"envvar": "RLGLUE_PORT", "show_envvar": True, "show_default": bool(default)}
    return whole_number(text, default=default, lowest=lowest, highest=65535, **own)


def a_connect_timeout() -> Any:  # noqa: ANN401  a float
    """Return the field of --connect-timeout."""
    text, own = "Seconds to wait for the others to start.", Number(0, 1e6)
    return option(text, default=CONNECT_TIMEOUT, type=own, metavar="SECONDS")


@options
class Client:
    """The server that an agent or an environment connects to."""

    host: str = a_host("Host of the server.", listens=False, section="Connection")
    port: int = a_port("Port of the server.", 1)
    connect_timeout: float = a_connect_timeout()

    @property
    def server(self) -> tuple[str, int, float]:
        """Host, port and connect timeout, as `serve_agent` and `serve_environment` take them."""
        return self.host, self.port, self.connect_timeout


@options
class EnvironmentClient(Client):
    """The server of an environment, which serves one experiment after another."""

    once: bool = option(
        "End with the experiment instead of waiting for the next one.", envvar=ONCE, show_envvar=True
    )


def _complete(
    context: click.Context, _: click.Parameter, begin: str, players: bool, runs: bool
) -> list[CompletionItem]:
    """Return what a shell completes a name with; a path is for the shell itself to complete."""
    from othello_lab.experiment.run.names import run_names
    from othello_lab.game.players import catalogue as registry

    names = registry.names() if players else []
    names += run_names(context.params.get("runs_dir") or Path("runs")) if runs else []
    found = [CompletionItem(name) for name in names if name.startswith(begin)]
    return found or [CompletionItem(begin, type="file")]


a_player = partial(_complete, players=True, runs=False)
"""Completes the name of a player."""
a_run = partial(_complete, players=False, runs=True)
a_player_or_run = partial(_complete, players=True, runs=True)
"""Completes the name of either, or the path of a checkpoint."""


def a_player_text(text: str, *spellings: str, metavar: str = "TEXT", **settings: Any) -> Any:  # noqa: ANN401
    """Return the field of an option that names a player, a run or an agent's command."""
    own = {"type": ProgramText(), "shell_complete": a_player_or_run, **settings}
    return option(text, *spellings, metavar=metavar, **own)
