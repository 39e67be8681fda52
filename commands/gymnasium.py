"""`othello gymnasium`: run a Gymnasium environment as a process that connects to an RL-Glue server."""

import json
from typing import Any

import click

from othello_lab.commands import fields
from othello_lab.commands.errors import blaming
from othello_lab.commands.options import Number, ProgramText, argument, option, options, takes, whole_number
from othello_lab.game.program_trust import check_may_start
from rlglue.scripts import configure_logging


@options
class _Options(fields.EnvironmentClient):
    name: str = argument(metavar="ID", type=ProgramText())
    seed: int | None = fields.seed(
        "Seed of the first episode, which also determines all later episodes.", default=None, section=""
    )
    arguments: tuple[str, ...] = option(
        "An argument of the environment. The option may be given several times.",
        "--set",
        metavar="KEY=VALUE",
        type=ProgramText(),
    )
    max_steps: int | None = whole_number(
        "Truncate an episode after this number of steps. With 0, do not truncate episodes.  [default: the "
        "limit of ID]"
    )
    discount: float = option("Discount factor in the task specification.", default=0.99, type=Number(0, 1))
    config: None = fields.config()


@takes(_Options)
def command(options: _Options) -> None:
    """Serve the Gymnasium environment ID, such as CartPole-v1, to the RL-Glue server at HOST:PORT.

    With MODULE:ID, the command first imports the module, which registers the environment. The spaces of
    observations and actions must be Discrete, MultiDiscrete, MultiBinary or Box. When an experiment ends, the
    environment waits for the next experiment, until Ctrl-C.
    """
    from othello_lab.environment.adapters.rl_glue import GymnasiumEnvironment, WrongNumbersError
    from rlglue.client import serve_environment

    configure_logging()
    with blaming("--set"):
        values = dict(map(_pair, options.arguments))
        for text in options.arguments:
            check_may_start(text, is_command=True)
    with blaming("ID"):
        if ":" in options.name:  # MODULE:ID names a module to import
            check_may_start(options.name, is_command=True)
    env = _make(options.name, -1 if options.max_steps == 0 else options.max_steps, values)
    try:
        with blaming("ID"):
            environment = GymnasiumEnvironment(env, options.seed, options.discount)
        serve_environment(environment, *options.server, stay=not options.once)
    except WrongNumbersError as error:
        raise click.ClickException(f"the environment cannot take the action of the agent: {error}") from None
    finally:
        env.close()


def _pair(text: str) -> tuple[str, Any]:
    """Parse KEY=VALUE, where VALUE is JSON or text. Raises ValueError without `=` or a valid key."""
    key, equals, value = text.partition("=")
    if not (key.isidentifier() and equals):
        raise ValueError(f"{text!r} is no KEY=VALUE")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value


def _make(name: str, max_steps: int | None, values: dict[str, Any]) -> Any:
    import gymnasium

    try:
        return gymnasium.make(name, max_episode_steps=max_steps, **values)
    except (gymnasium.error.Error, ImportError, TypeError, ValueError) as error:
        raise click.BadParameter(" ".join(str(error).split()), param_hint="ID") from None
