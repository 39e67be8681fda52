"""`othello environment`: the environment as a process that meets the others over RL-Glue."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from environment.config import FIRST, EnvironmentConfig
from othello.completion import a_player
from othello.config_file import config_option
from othello.ending import blaming
from othello.groups import Command, section
from othello.options import client_options, seed_option
from rlglue.logs import configure_logging

F = TypeVar("F", bound=Callable[..., Any])


def environment_options(command: F) -> F:
    """Add the options that say what the environment is made of; also for commands that start one."""
    defaults = EnvironmentConfig()
    return section(
        "Environment",
        click.option(
            "--size", default=defaults.size, show_default=True, help="Length of a side: even, 4 to 16."
        ),
        click.option(
            "--opponent",
            default=defaults.opponent,
            show_default=True,
            shell_complete=a_player,
            help="The player against the agent; with `self` the agent plays both sides.",
        ),
        click.option(
            "--first",
            type=click.Choice(FIRST),
            default=defaults.first,
            show_default=True,
            help="Who moves first, as black.",
        ),
        click.option(
            "--random-opening",
            type=click.IntRange(0, 60),
            default=defaults.random_opening,
            show_default=True,
            help="Begin games with random plies: a random number of them, 0 to this.",
        ),
        _reward("win", defaults.reward_win, 1),
        _reward("draw", defaults.reward_draw, 0),
        _reward("loss", defaults.reward_loss, -1),
    )(command)


def _reward(result: str, default: float, in_selfplay: int) -> Callable[[F], F]:
    text = f"The agent's reward for a {result}; in self-play it is {in_selfplay}."
    return click.option(f"--reward-{result}", default=default, show_default=True, help=text)


def make_environment(**values: Any) -> Any:  # noqa: ANN401  options in, an OthelloEnvironment out, imported late
    """Return an OthelloEnvironment from option values; raise click.BadParameter for a wrong one."""
    from environment.othello import OthelloEnvironment
    from game.board import check_size

    with blaming("--size"):
        check_size(values["size"])
    with blaming("--reward-win, --reward-draw, --reward-loss"):
        config = EnvironmentConfig(**values)
    with blaming("--opponent"):
        return OthelloEnvironment(config)


@click.command(cls=Command)
@environment_options
@seed_option()
@click.option(
    "--allow-opponent",
    multiple=True,
    metavar="TEXT",
    help="An opponent that a message may ask for, besides the built-in players.",
)
@click.option("--render", is_flag=True, help="Print every position.")
@client_options
@config_option
def command(host: str, port: int, connect_timeout: float, stay: bool, **values: Any) -> None:  # noqa: ANN401  options
    """Serve the Othello environment to the RL-Glue server at HOST:PORT.

    Start an agent (`othello agent`) and an experiment (`othello experiment train`) too.
    """
    from game.threads import use_threads
    from rlglue.client import serve_environment

    configure_logging()
    use_threads(1)
    environment = make_environment(**values)
    from environment.othello import NotStartedError
    from game.players.base import UnplayableError

    try:
        serve_environment(environment, host, port, connect_timeout, stay)
    except (NotStartedError, UnplayableError) as error:
        raise click.ClickException(str(error)) from None
    finally:
        environment.env_cleanup()
