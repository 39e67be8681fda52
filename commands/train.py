"""`othello experiment train`: a run with the parts that connect, or with both in this process."""

import click

from othello_lab.commands.agent import an_agent
from othello_lab.commands.options import option, options, refuse, takes
from othello_lab.commands.reporting import interruptible
from othello_lab.commands.shared_options import a_config, a_connect_timeout, a_host, a_port
from othello_lab.commands.training import (
    EpisodeOptions,
    agent_and_environment,
    checked_parts,
    planned_episodes,
)
from othello_lab.experiment.run.record import ENVIRONMENT_OPTIONS, AgentPart, EnvironmentPart


@options
class TrainOptions(EpisodeOptions):
    """Options of `othello experiment train`."""

    agent: str = an_agent(
        "The agent that learns or plays; needs --in-process, as all options of the environment do.",
        section="Agent",
    )
    glue: str | None = option(
        "Join this running server instead of hosting one.", metavar="HOST:PORT", section="Connection"
    )
    in_process: bool = option("Run agent and environment in this process, without TCP.")
    host: str = a_host()
    port: int = a_port()
    connect_timeout: float = a_connect_timeout()
    config: None = a_config()


@takes(TrainOptions)
def command(said: TrainOptions) -> None:
    """Train the agent and the environment that connect, and evaluate the agent.

    It hosts the RL-Glue server at --host and --port, unless there is --glue or --in-process.
    """
    if said.glue and said.in_process:
        raise click.UsageError("--glue and --in-process: expected one of them")
    if said.glue:
        refuse(("host", "port"), "the server is that of --glue")
    if said.in_process:
        refuse(("host", "port", "connect_timeout"), "nobody connects to --in-process")
        from othello_lab.game.threads import use_threads

        use_threads(1)
    else:
        parts = ("agent", *ENVIRONMENT_OPTIONS)
        refuse(parts, "this goes to `othello agent` or `othello environment`; or add --in-process")
    with interruptible() as interrupts, planned_episodes(said, said.in_process, lambda: _parts(said)) as plan:
        from othello_lab.experiment.run import launch

        if said.in_process:
            both, again = launch.in_process(*agent_and_environment(plan)), " --in-process"
        elif said.glue:
            both, again = launch.joining(said.glue, said.connect_timeout), f" --glue {said.glue}"
        else:
            both, again = launch.hosting((said.host, said.port), said.connect_timeout), ""
        launch.carry_out(plan, both, interrupts, f"experiment train{again}", said.watch)


def check_in_process(said: TrainOptions) -> tuple[AgentPart, EnvironmentPart]:
    """Return agent and environment of `train --in-process` as a run records them.

    Raises click.BadParameter for options that cannot be carried out.
    """
    agent, environment = checked_parts(said)
    if agent.text is None:
        raise click.BadParameter(
            "--in-process starts no program: leave one of the two out", param_hint="--agent"
        )
    return agent, environment


def _parts(said: TrainOptions) -> tuple[AgentPart, EnvironmentPart]:
    return check_in_process(said) if said.in_process else (AgentPart(), EnvironmentPart())
