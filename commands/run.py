"""`othello run`: train with environment, agent and experiment in three processes, or in this process."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello_lab.commands import fields
from othello_lab.commands.agent import DEFAULT_AGENT
from othello_lab.commands.checks import check_player, named
from othello_lab.commands.environment import EnvironmentOptions
from othello_lab.commands.errors import blaming
from othello_lab.commands.options import ProgramText, option, options, refuse, takes, values_of
from othello_lab.commands.training import EpisodeOptions, agent_and_environment, planned_episodes
from othello_lab.commands.workers import interruptible
from othello_lab.experiment.run.record import ENVIRONMENT_OPTIONS, AgentPart, EnvironmentPart, agent_part
from othello_lab.game.registry import starts_a_program

if TYPE_CHECKING:
    from othello_lab.experiment.run.plan import Plan


@options
class TrioOptions(EnvironmentOptions, EpisodeOptions):
    """The options of `othello run`."""

    agent: str = fields.player(
        "A learner such as dqn, a player, a run, or the command line of your own program.",
        default=DEFAULT_AGENT,
        section="Agent",
    )
    environment: str | None = option(
        "The command line of your own environment program.",
        type=ProgramText(),
        metavar="COMMAND",
        section="Environment",
    )
    in_process: bool = option("Run agent and environment in this process, without TCP.", section="Connection")
    connect_timeout: float = fields.connect_timeout()
    config: None = fields.config()


@takes(TrioOptions)
def command(options: TrioOptions) -> None:
    """Train an agent, with the environment, the agent and the experiment in three processes.

    At the end, the command evaluates the agent, and prints a table of results and a verdict. The command also
    prints how to play against the agent.
    """
    from othello_lab.experiment.run import launch
    from othello_lab.experiment.workers.trio import RefusedOptionError

    if options.environment:
        refuse(ENVIRONMENT_OPTIONS, "this belongs in the command of --environment")
    if options.in_process:
        refuse(("environment", "connect_timeout"), "--in-process starts no program")
        from rlglue.scripts import use_threads

        use_threads(1)
    try:
        with interruptible() as interrupts, planned_episodes(options, lambda: parts_of(options)) as plan:
            if options.in_process:
                parts = launch.in_process(*agent_and_environment(plan))
                launch.carry_out(plan, parts, interrupts, "run --in-process")
                return
            _check_programs(plan, bool(options.resume))
            launch.carry_out(plan, launch.trio(plan, options.connect_timeout), interrupts, "run")
    except RefusedOptionError as refusal:
        raise click.BadParameter(refusal.why, param_hint=refusal.option) from None


def parts_of(options: TrioOptions) -> tuple[AgentPart, EnvironmentPart]:
    """Return the records of agent and environment. Raises BadParameter for an invalid command."""
    from othello_lab.experiment.workers.trio import split_command

    agent = agent_part_of(options.agent, options.runs_dir)
    if options.environment is None:
        return agent, EnvironmentPart(**values_of(options, EnvironmentPart))
    with blaming("--environment"):
        split_command(options.environment)
    return agent, EnvironmentPart(command=options.environment)


def agent_part_of(text: str, runs_dir: Path) -> AgentPart:
    """Return the record of a learner, a player, a run or a program. Raises click.BadParameter."""
    part = agent_part(text)
    if part.text is not None:
        return part
    player = named(text, runs_dir, "--agent")
    return part if player.command else AgentPart(player.text)


def _check_programs(plan: "Plan", is_resumed: bool) -> None:
    """Raise click.BadParameter if a run's program cannot be started or is not trusted."""
    from othello_lab.experiment.workers.trio import split_command

    agent, environment = plan.agent, plan.environment
    for name, command in {"--agent": agent.command, "--environment": environment.command}.items():
        with blaming("--resume" if is_resumed else name):
            if command:
                split_command(command)
    players = [("--agent", agent.text), ("--opponent", environment.opponent)]
    players += [("--eval-opponent", text) for text in plan.config.eval_opponent]
    for name, text in players:
        if text and environment.size and starts_a_program(text):
            check_player("--resume" if is_resumed else name, text, environment.size)
