"""`othello environment`: run the environment as a process that connects to an RL-Glue server."""

from typing import Any

import click

from othello_lab.commands import fields
from othello_lab.commands.errors import blaming
from othello_lab.commands.options import option, options, takes, values_of, whole_number
from othello_lab.environment.config import FIRST, ILLEGAL_ACTION, EnvironmentConfig
from rlglue.scripts import configure_logging

_DEFAULTS = EnvironmentConfig()


def _check_reward(context: click.Context, parameter: click.Parameter, reward: str) -> str:
    with blaming("--reward"):
        return EnvironmentConfig(reward=reward).reward


@options
class EnvironmentOptions:
    """The environment options of every command that starts an environment."""

    size: int = fields.size(section="Environment")
    opponent: str = option(
        "The opponent of the agent. With `self`, the agent plays both sides.",
        default=_DEFAULTS.opponent,
        shell_complete=fields.complete_player,
    )
    first: str = option(
        "The side that plays black and moves first.", default=_DEFAULTS.first, type=click.Choice(FIRST)
    )
    random_opening: int = whole_number(
        "Maximum number of random plies at the start of a game.", default=_DEFAULTS.random_opening, highest=60
    )
    illegal_action: str = option(
        "Effect of an illegal action: the agent loses the game, or the action is ignored. After an ignored "
        "action the reward is 0, and the agent acts again.",
        default=_DEFAULTS.illegal_action,
        type=click.Choice(ILLEGAL_ACTION),
    )
    reward: str = option(
        "The rewards at the end of a game for a win, a draw and a loss. In self-play the rewards are 1, 0 "
        "and -1. With `discs`, the reward is the disc difference.",
        default=_DEFAULTS.reward,
        metavar="WIN,DRAW,LOSS|discs",
        callback=_check_reward,
    )


def make_environment(**values: Any) -> Any:
    """Return an OthelloEnvironment with these options. Raises click.BadParameter for an invalid value."""
    from othello_lab.environment.othello import OthelloEnvironment

    config = EnvironmentConfig(**values)
    for text in config.allow_opponent:
        from othello_lab.commands.checks import check_player

        check_player("--allow-opponent", text, config.size)
    with blaming("--opponent"):
        return OthelloEnvironment(config)


@options
class _Options(fields.EnvironmentClient, EnvironmentOptions):
    seed: int = fields.seed("Seed of all randomness.", section="")
    allow_opponent: tuple[str, ...] = option(
        "Let messages choose this opponent. Messages can always choose the built-in players.", metavar="TEXT"
    )
    render: bool = option("Print every position.")
    config: None = fields.config()


@takes(_Options)
def command(options: _Options) -> None:
    """Serve the Othello environment to the RL-Glue server at HOST:PORT.

    An agent (`othello agent`) and an experiment (`othello experiment train`) connect to the same server. When
    the experiment ends, the environment waits for the next experiment, until Ctrl-C.
    """
    from rlglue.client import serve_environment
    from rlglue.scripts import use_threads

    configure_logging()
    use_threads(1)
    environment = make_environment(**values_of(options, EnvironmentConfig))
    from othello_lab.environment.othello import NotStartedError

    try:
        serve_environment(environment, *options.server, stay=not options.once)
    except NotStartedError as error:
        raise click.ClickException(str(error)) from None
    finally:
        environment.env_cleanup()
