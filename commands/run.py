"""`othello run`: environment, agent and experiment as three processes."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from othello_lab.commands.agent import an_agent
from othello_lab.commands.config_file import spelled
from othello_lab.commands.options import option, options, refuse, takes
from othello_lab.commands.programs import ProgramText
from othello_lab.commands.reporting import interruptible
from othello_lab.commands.shared_options import a_config, a_connect_timeout, a_host, a_port
from othello_lab.commands.training import EpisodeOptions, parts_of, planned_episodes
from othello_lab.experiment.run.record import ENVIRONMENT_OPTIONS


@options
class _Options(EpisodeOptions):
    agent: str = an_agent(
        "A learner (dqn, ntuple, ...), a player, a run, or the command line of your own program.",
        section="Agent",
    )
    environment: str | None = option(
        "The command line of your own environment.",
        type=ProgramText(),
        metavar="COMMAND",
        section="Environment",
    )
    host: str = a_host("Address that the server of the run listens on.", section="Connection")
    port: int = a_port("Its port.  [default: any free one]", default=0)
    connect_timeout: float = a_connect_timeout()
    config: None = a_config()


@contextmanager
def _named_as_here() -> Iterator[None]:
    """Name an option that a child process has refused by its name here, or by its key in a file."""
    from othello_lab.experiment.workers.trio import RefusedOptionError

    try:
        yield
    except RefusedOptionError as refusal:
        raise click.BadParameter(refusal.why, param_hint=spelled(refusal.option, refusal.option)) from None


@takes(_Options)
def command(said: _Options) -> None:
    """Train an agent: environment, agent and experiment run as three processes.

    At the end it is measured: a table of results, what they come to in one line, and how to play it.
    """
    if said.environment:
        refuse(ENVIRONMENT_OPTIONS, "this belongs in the command of --environment")
    with (
        interruptible() as interrupts,
        _named_as_here(),
        planned_episodes(said, True, lambda: parts_of(said, said.environment)) as plan,
    ):
        from othello_lab.experiment.run import launch

        parts = launch.trio(plan, (said.host, said.port), said.connect_timeout)
        launch.carry_out(plan, parts, interrupts, "run", said.watch)
