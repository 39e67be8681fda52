"""`othello experiment train`: train an agent in an environment, both started separately."""

from othello_lab.commands import fields
from othello_lab.commands.options import option, options, refuse, takes
from othello_lab.commands.training import EpisodeOptions, planned_episodes
from othello_lab.commands.workers import interruptible
from othello_lab.experiment.run.record import AgentPart, EnvironmentPart


@options
class _Options(EpisodeOptions):
    glue: str | None = option(
        "Use this running server instead of a new server.", metavar="HOST:PORT", section="Connection"
    )
    host: str = fields.host()
    port: int = fields.port()
    connect_timeout: float = fields.connect_timeout()
    config: None = fields.config()


@takes(_Options)
def command(options: _Options) -> None:
    """Train an agent in an environment, and evaluate the agent.

    The agent and the environment connect to an RL-Glue server, which this command starts at --host and
    --port. With --glue, the command uses a running server.
    """
    if options.glue:
        refuse(("host", "port"), "the server is that of --glue")
    with (
        interruptible() as interrupts,
        planned_episodes(options, lambda: (AgentPart(), EnvironmentPart())) as plan,
    ):
        from othello_lab.experiment.run import launch

        if options.glue:
            parts, again = launch.joining(options.glue, options.connect_timeout), f" --glue {options.glue}"
        else:
            parts, again = launch.hosting((options.host, options.port), options.connect_timeout), ""
        launch.carry_out(plan, parts, interrupts, f"experiment train{again}")
