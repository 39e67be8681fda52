"""`othello agent TEXT`: an agent as a process that meets the others over RL-Glue."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import click

from othello.completion import a_player_or_run
from othello.config_file import config_option, spelled
from othello.ending import blaming
from othello.groups import Command
from othello.options import client_options, runs_dir_option, seed_option
from othello.permission import ProgramText
from othello.player_names import named
from rlglue.exit_codes import INTERRUPTED
from rlglue.logs import configure_logging

F = TypeVar("F", bound=Callable[..., Any])


HUMAN = "human"
"""The agent that is the person at the terminal."""
DEFAULT_AGENT = "dqn"
"""Who learns where nobody is named."""


class AgentText(ProgramText):
    """An agent as a text, or as a table of a file: its options, with a name if it is not dqn."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text."""
        if isinstance(value, str):
            return value
        if not isinstance(value, dict):
            self.fail(f"{value!r} is neither a text nor a table")
        from game.registry import RegistryError
        from game.registry_tables import compose

        try:
            return compose({"name": DEFAULT_AGENT, **value})
        except RegistryError as error:
            self.fail(str(error))


def agent_option(text: str) -> Callable[[F], F]:
    """Return what adds --agent with that help, for commands that start an agent."""
    return click.option(
        "--agent",
        type=AgentText(),
        default=DEFAULT_AGENT,
        show_default=True,
        metavar="TEXT",
        shell_complete=a_player_or_run,
        help=text,
    )


@click.command(cls=Command)
@click.argument(
    "agent", type=AgentText(), default=DEFAULT_AGENT, metavar="[TEXT]", shell_complete=a_player_or_run
)
@click.option("--size", type=int, help="Refuse environments with another board size.  [default: accept any]")
@seed_option()
@click.option(
    "--checkpoint-dir",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("checkpoints"),
    show_default=True,
    help="The folder of the messages save and load.",
)
@click.option(
    "--threads",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Threads of torch; with 1 the same seed gives the same run to the byte.",
)
@click.option(
    "--device",
    metavar="auto|cpu|cuda[:N]",
    help="Where dqn computes; the other learners use the processor.  [default: cpu]",
)
@click.option(
    "--gpu", type=click.IntRange(-1), metavar="N", help="The spelling of 2017: N for cuda:N, -1 for cpu."
)
@runs_dir_option("Where run folders are.")
@client_options
@config_option
def command(
    agent: str,
    size: int | None,
    seed: int,
    checkpoint_dir: Path,
    threads: int,
    device: str | None,
    gpu: int | None,
    runs_dir: Path,
    host: str,
    port: int,
    connect_timeout: float,
    stay: bool,
) -> None:
    """Serve an agent to the RL-Glue server at HOST:PORT.

    TEXT is a learner with its options, such as dqn or dqn,preset=classic,frames=1. Or it is a player, which
    does not learn: one of `othello players` such as greedy, a run's name, the path of a run's folder or of a
    checkpoint. Or it is `human`: you see what the environment shows, in any environment, and type what to do.
    """
    from agent.make import make_agent
    from agent.task import TaskError
    from game.players.base import UnplayableError
    from game.threads import use_threads
    from rlglue.client import serve_agent

    configure_logging()
    if agent == HUMAN:
        _serve_person(size, host, port, connect_timeout, stay)
        return
    use_threads(threads)
    where = _device(device, gpu)
    argument = spelled("agent", "TEXT")
    text = _text(agent, runs_dir, argument)
    with blaming(argument):
        made = make_agent(text, seed, checkpoint_dir, size, where)
    try:
        serve_agent(made, host, port, connect_timeout, stay)
    except (TaskError, UnplayableError) as error:
        raise click.ClickException(str(error)) from None
    finally:
        made.agent_cleanup()


def _serve_person(size: int | None, host: str, port: int, connect_timeout: float, stay: bool) -> None:
    """Serve the person at this terminal until the server is done or the person leaves."""
    from console.human.agent import HumanAgent
    from console.plain.leaving import Left
    from console.plain.terminal import standard_terminal
    from game.players.base import UnplayableError
    from rlglue.client import serve_agent

    try:
        serve_agent(HumanAgent(standard_terminal(), size), host, port, connect_timeout, stay)
    except Left as how:
        click.echo(str(how))
    except UnplayableError as error:
        raise click.ClickException(str(error)) from None
    except KeyboardInterrupt:
        click.echo("\nInterrupted: you have left.")
        raise SystemExit(INTERRUPTED) from None


def _device(device: str | None, gpu: int | None) -> str:
    """Return the name of the device that either option says; raise click.UsageError."""
    if device is not None and gpu is not None:
        raise click.UsageError("--device and --gpu: expected one of them")
    text = device or ("cpu" if gpu in (None, -1) else f"cuda:{gpu}")
    if text == "cpu":
        return text
    from agent.device import read_device

    with blaming("--device" if device else "--gpu"):
        return str(read_device(text))


def _text(agent: str, runs_dir: Path, argument: str) -> str:
    """Return the text of a learner as it was typed, of any other agent that of its player."""
    from agent.make import learns
    from game.registry import RegistryError, parse

    with suppress(RegistryError):  # a path
        if learns(parse(agent)):
            return agent
    return named(agent, runs_dir, argument).text
