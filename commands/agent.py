"""`othello agent TEXT`: an agent as a process that meets the others over RL-Glue."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from othello_lab.commands.config_file import spelled
from othello_lab.commands.ending import blaming
from othello_lab.commands.options import Command, argument, option, options, takes, whole_number
from othello_lab.commands.programs import ProgramText
from othello_lab.commands.shared_options import (
    FOLDER,
    Client,
    a_config,
    a_player_or_run,
    a_player_text,
    a_runs_dir,
    a_seed,
    board_size,
)
from rlglue.address import CHECKPOINT_DIR, SEED
from rlglue.scripts import INTERRUPTED, configure_logging

HUMAN = "human"
"""The agent that is the person at the terminal."""
DEFAULT_AGENT = "dqn"
"""Who learns where nobody is named."""
_WORDS = "othello.words"
"""The key of the context's `meta` that has the typed words."""


class AgentText(ProgramText):
    """An agent as a text, or as a table of a file: its options, with a name if it is not dqn."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text."""
        if isinstance(value, str):
            return value
        if not isinstance(value, dict):
            self.fail(f"{value!r} is neither a text nor a table")
        from othello_lab.game.registry import RegistryError, compose

        try:
            return compose({"name": DEFAULT_AGENT, **value})
        except RegistryError as error:
            self.fail(str(error))


def an_agent(text: str, **settings: Any) -> Any:  # noqa: ANN401  a str
    """Return the field of --agent with that help, for commands that start an agent."""
    return a_player_text(text, default=DEFAULT_AGENT, type=AgentText(), **settings)


@options
class _Agent:
    agent: str = argument(DEFAULT_AGENT, type=AgentText(), metavar="[TEXT]", shell_complete=a_player_or_run)
    size: int | None = board_size("Refuse environments with another board size.  [default: accept any]")
    seed: int = a_seed("Seed of all its randomness.", envvar=SEED, show_envvar=True)
    checkpoint_dir: Path = option(
        "The folder of the messages save and load.",
        default=Path("checkpoints"),
        type=FOLDER,
        envvar=CHECKPOINT_DIR,
        show_envvar=True,
    )
    threads: int = whole_number(
        "Threads of torch; with 1 the same seed gives the same run to the byte.", default=1, lowest=1
    )
    device: str | None = option(
        "The torch device of the networks of dqn, alphazero or ppo; other learners use the CPU.  "
        "[default: cpu]",
        metavar="auto|cpu|cuda[:N]",
    )
    gpu: int | None = whole_number("The spelling of 2017: N for cuda:N, -1 for cpu.", lowest=-1, metavar="N")
    runs_dir: Path = a_runs_dir()


@options
class _Options(_Agent, Client):
    # An agent ends with its experiment, so that the next experiment can have another agent.
    stay: bool = option("Wait for the next experiment when one ends, and keep what was learned.")
    config: None = a_config()


class _AgentCommand(Command):
    """A command whose help lists the options of the learner that stands before --help."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See click."""
        ctx.meta[_WORDS] = [*args]
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of the learner that was typed, if it is one."""
        typed, _, _ = self.make_parser(ctx).parse_args(ctx.meta.get(_WORDS, []))
        from othello_lab.agent.learner import method_names
        from othello_lab.game.registry import RegistryError, parse

        with suppress(RegistryError):
            spec = parse(str(typed["agent"]))
            if spec.name in method_names():
                from othello_lab.commands.players import write_learner

                write_learner(formatter, spec.name, spec.options.get("preset", ""))


@takes(_Options, cls=_AgentCommand)
def command(said: _Options) -> None:
    """Serve an agent to the RL-Glue server at HOST:PORT.

    TEXT is a learner with its options, such as dqn or dqn,preset=classic,frames=1; `othello agent dqn --help`
    lists the options of dqn. Or it is a player, which does not learn: one of `othello players` such as
    greedy, a run's name, the path of a run's folder or of a checkpoint. Or it is `human`: you see what the
    environment shows, in any environment, and type what to do.
    """
    from othello_lab.agent.make import make_agent
    from othello_lab.agent.task import TaskError
    from othello_lab.game.errors import UnplayableError
    from othello_lab.game.threads import use_threads
    from rlglue.client import serve_agent

    configure_logging()
    if said.agent == HUMAN:
        _serve_person(said)
        return
    use_threads(said.threads)
    device = _device(said.device, said.gpu)
    argument = spelled("agent", "TEXT")
    text = _text(said.agent, said.runs_dir, argument)
    with blaming(argument):
        made = make_agent(text, said.seed, said.checkpoint_dir, said.size, device)
    try:
        serve_agent(made, *said.server, said.stay)
    except (TaskError, UnplayableError) as error:
        raise click.ClickException(str(error)) from None
    finally:
        made.agent_cleanup()


def _serve_person(said: _Options) -> None:
    """Serve the person at this terminal until the server is done or the person leaves."""
    from othello_lab.console.human_agent import HumanAgent
    from othello_lab.console.terminal import Left, standard_terminal
    from othello_lab.game.errors import UnplayableError
    from rlglue.client import serve_agent

    try:
        serve_agent(HumanAgent(standard_terminal(), said.size), *said.server, said.stay)
    except Left as how:
        click.echo(str(how))
    except UnplayableError as error:
        raise click.ClickException(str(error)) from None
    except KeyboardInterrupt:
        click.echo("\nInterrupted: you have left.")
        raise SystemExit(INTERRUPTED) from None


def _device(device: str | None, gpu: int | None) -> str:
    """Return the torch device of either option; raise click.UsageError."""
    if device is not None and gpu is not None:
        raise click.UsageError("--device and --gpu: expected one of them")
    text = device or ("cpu" if gpu in (None, -1) else f"cuda:{gpu}")
    from othello_lab.agent.make import read_device

    with blaming("--device" if device else "--gpu"):
        return read_device(text)


def _text(agent: str, runs_dir: Path, argument: str) -> str:
    """Return the text of a learner as it was typed, of any other agent that of its player."""
    from othello_lab.agent.make import learns
    from othello_lab.game.registry import RegistryError, parse

    with suppress(RegistryError):  # a path
        if learns(parse(agent)):
            return agent
    from othello_lab.commands.checks import named  # here: a learner needs none of it

    return named(agent, runs_dir, argument).text
