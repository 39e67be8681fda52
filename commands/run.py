"""`othello run`: train with environment, agent and experiment in three processes."""

from typing import TYPE_CHECKING

import click

from othello_lab.commands import fields
from othello_lab.commands.agent import an_agent
from othello_lab.commands.config_file import ProgramText, spelled
from othello_lab.commands.errors import blaming
from othello_lab.commands.options import option, options, refuse, takes
from othello_lab.commands.training import EpisodeOptions, check_programs, parts_of, planned_episodes
from othello_lab.commands.workers import interruptible
from othello_lab.experiment.run.record import ENVIRONMENT_OPTIONS

if TYPE_CHECKING:
    from othello_lab.experiment.run.plan import Plan


@options
class _Options(EpisodeOptions):
    agent: str = an_agent(
        "A learner such as dqn, a player, a run, or the command line of your own program.",
        section="Agent",
    )
    environment: str | None = option(
        "The command line of your own environment program.",
        type=ProgramText(),
        metavar="COMMAND",
        section="Environment",
    )
    host: str = fields.host(
        "Address on which the server of the run listens.", section="Connection", rare=True
    )
    port: int = fields.port("Port on which the server of the run listens.  [default: a free port]", default=0)
    connect_timeout: float = fields.connect_timeout()
    config: None = fields.config()


@takes(_Options)
def command(options: _Options) -> None:
    """Train an agent, with the environment, the agent and the experiment in three processes.

    At the end, the command evaluates the agent, and prints a table of results and a verdict. The command also
    prints how to play against the agent.
    """
    from othello_lab.experiment.run import launch
    from othello_lab.experiment.workers.trio import RefusedOptionError

    if options.environment:
        refuse(ENVIRONMENT_OPTIONS, "this belongs in the command of --environment")
    try:
        with (
            interruptible() as interrupts,
            planned_episodes(options, lambda: parts_of(options, options.environment)) as plan,
        ):
            if options.resume:
                _check_recorded(plan)
            parts = launch.trio(plan, (options.host, options.port), options.connect_timeout)
            launch.carry_out(plan, parts, interrupts, "run")
    except RefusedOptionError as refusal:
        raise click.BadParameter(refusal.why, param_hint=spelled(refusal.option, refusal.option)) from None


def _check_recorded(plan: "Plan") -> None:
    """Raise click.BadParameter if a resumed run would start a program that is not trusted."""
    from othello_lab.experiment.workers.trio import split_command

    with blaming("--resume"):
        for command in filter(None, (plan.agent.command, plan.environment.command)):
            split_command(command)
    if size := plan.environment.size:
        players = plan.agent.text, plan.environment.opponent, *plan.config.eval_opponent
        check_programs("--resume", players, size)
