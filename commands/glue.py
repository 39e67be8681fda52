"""`othello glue`: serve RL-Glue alone, for agent, environment and experiments in other processes."""

import click

from othello_lab.commands import fields
from othello_lab.commands.options import option, options, takes
from rlglue.scripts import configure_logging


@options
class _Options:
    host: str = fields.host()
    port: int = fields.port()
    once: bool = option("End after the first experiment, as the historic rl_glue did.")
    replace: bool = option(
        "Let a second agent, environment or experiment replace the first instead of refusing it."
    )
    verbose: bool = option("Log more.")


@takes(_Options)
def command(options: _Options) -> None:
    """Connect agent, environment and experiment, which are started elsewhere: an RL-Glue server alone.

    It serves one experiment after another, while agent and environment stay connected. Ctrl-C ends it; then
    the agent ends, and an environment waits for the next server.
    """
    from rlglue.server import Server

    configure_logging(options.verbose)
    try:
        with Server(options.host, options.port, replace=options.replace, experiments=True) as server:
            server.serve(options.once)
    except KeyboardInterrupt:
        click.echo("stopped", err=True)
        raise
