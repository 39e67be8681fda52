"""`othello agent TEXT`: an agent as a process that meets the others over RL-Glue."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from othello import commands
from othello.completion import a_player, a_player_or_run
from othello.config_file import config_option, spelled
from othello.options import blaming, client_options, run, runs_dir_option, seed_option
from rlglue.logs import configure_logging

Command = TypeVar("Command", bound=Callable[..., Any])


class AgentText(click.ParamType[str]):
    """An agent as a text, or as a table of a file: its options, with a name if it is not dqn."""

    name = "text"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text."""
        if isinstance(value, str):
            return value
        if not isinstance(value, dict):
            self.fail(f"{value!r} is neither a text nor a table")
        from game.registry import RegistryError, compose

        try:
            return compose({"name": "dqn", **value})
        except RegistryError as error:
            self.fail(str(error))


def agent_option(text: str) -> Callable[[Command], Command]:
    """Return what adds --agent with that help, for commands that start an agent."""
    return click.option(
        "--agent",
        type=AgentText(),
        default="dqn",
        show_default=True,
        metavar="TEXT",
        shell_complete=a_player,
        help=text,
    )


@click.command(cls=commands.Command)
@click.argument("agent", type=AgentText(), default="dqn", metavar="[TEXT]", shell_complete=a_player_or_run)
@click.option("--size", type=int, help="Refuse environments of another board size.  [default: take any]")
@seed_option()
@click.option(
    "--checkpoint-dir",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("checkpoints"),
    show_default=True,
    help="Where the messages save and load read and write.",
)
@click.option(
    "--threads",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Threads of torch. With 1 the same seed gives the same run to the byte.",
)
@runs_dir_option("Where run folders are.")
@client_options
@config_option
def main(
    agent: str,
    size: int | None,
    seed: int,
    checkpoint_dir: Path,
    threads: int,
    runs_dir: Path,
    host: str,
    port: int,
    connect_timeout: float,
    stay: bool,
) -> None:
    """Serve an agent to the RL-Glue server at HOST:PORT.

    TEXT is `dqn`, which learns (`dqn,preset=classic,frames=1` and so on), or a player, which does not: one of
    `othello players` such as greedy, a run's name, the path of a run's folder or of a checkpoint.
    """
    from agent.checkpoint import board_size
    from agent.make import make_agent
    from agent.task import TaskError
    from experiment.results.player_names import find
    from game.players.base import UnplayableError
    from game.threads import use_threads
    from rlglue.client import serve_agent

    configure_logging()
    use_threads(threads)
    with blaming(spelled("agent", "TEXT")):
        text = find(agent, runs_dir, board_size).text
        made = make_agent(text, seed, checkpoint_dir, size)
    try:
        serve_agent(made, host, port, connect_timeout, stay)
    except (TaskError, UnplayableError) as error:
        raise click.ClickException(str(error)) from None
    finally:
        made.agent_cleanup()


@click.command("learn")
@click.option(
    "--repetitions",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Updates in each of the rounds, and how often the rest is measured.",
)
@click.option(
    "--transitions",
    type=click.IntRange(min=2000),
    default=1_000_000,
    show_default=True,
    help="In the replay memory that large batches are drawn from.",
)
def bench_learn(repetitions: int, transitions: int) -> None:
    """Updates a second, decisions, draws from replay and its memory, on 8x8 and in one thread.

    Updates are compared with those of stable-baselines3's DQN, where that is installed: the same network,
    batch and kind of optimiser.
    """
    from othello.bench.learn import report

    for line in report(repetitions, transitions):
        click.echo(line)


if __name__ == "__main__":
    run(main)
