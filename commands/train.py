"""`othello experiment train`: train with agent and environment over TCP, or in this process."""

import click

from othello_lab.commands import fields
from othello_lab.commands.agent import an_agent
from othello_lab.commands.options import option, options, refuse, takes
from othello_lab.commands.training import EpisodeOptions, agent_and_environment, parts_of, planned_episodes
from othello_lab.commands.workers import interruptible
from othello_lab.experiment.run.record import ENVIRONMENT_OPTIONS, AgentPart, EnvironmentPart


@options
class TrainOptions(EpisodeOptions):
    """The options of `othello experiment train`."""

    agent: str = an_agent(
        "The agent that learns or plays. This option and the options of the environment need --in-process.",
        section="Agent",
    )
    glue: str | None = option(
        "Use this running server instead of a new server.", metavar="HOST:PORT", section="Connection"
    )
    in_process: bool = option("Run agent and environment in this process, without TCP.")
    host: str = fields.host()
    port: int = fields.port()
    connect_timeout: float = fields.connect_timeout()
    config: None = fields.config()


@takes(TrainOptions)
def command(options: TrainOptions) -> None:
    """Train an agent in an environment, and evaluate the agent.

    The agent and the environment connect to an RL-Glue server, which this command starts at --host and
    --port. With --glue, the command uses a running server. With --in-process, the agent and the environment
    run in the process of the command.
    """
    if options.glue and options.in_process:
        raise click.UsageError("--glue and --in-process: expected one of them")
    if options.glue:
        refuse(("host", "port"), "the server is that of --glue")
    if options.in_process:
        refuse(("host", "port", "connect_timeout"), "nobody connects to --in-process")
        from othello_lab.game.threads import use_threads

        use_threads(1)
    else:
        names = ("agent", *ENVIRONMENT_OPTIONS)
        refuse(names, "this goes to `othello agent` or `othello environment`; or add --in-process")
    with interruptible() as interrupts, planned_episodes(options, lambda: recorded_parts(options)) as plan:
        from othello_lab.experiment.run import launch

        if options.in_process:
            parts, again = launch.in_process(*agent_and_environment(plan)), " --in-process"
        elif options.glue:
            parts, again = launch.joining(options.glue, options.connect_timeout), f" --glue {options.glue}"
        else:
            parts, again = launch.hosting((options.host, options.port), options.connect_timeout), ""
        launch.carry_out(plan, parts, interrupts, f"experiment train{again}")


def recorded_parts(options: TrainOptions) -> tuple[AgentPart, EnvironmentPart]:
    """Return the recorded agent and environment. Without --in-process, agent and environment are empty.

    Raises click.BadParameter if the agent is a program or an option is invalid.
    """
    if not options.in_process:
        return AgentPart(), EnvironmentPart()
    agent, environment = parts_of(options)
    if agent.text is None:
        why = "--in-process starts no program: leave one of the two out"
        raise click.BadParameter(why, param_hint="--agent")
    return agent, environment
