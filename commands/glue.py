"""`othello glue`: a server alone, for agent, environment and any number of experiments."""

import click

from othello_lab.commands.options import option, options, takes
from othello_lab.commands.shared_options import a_host, a_port
from rlglue.scripts import configure_logging


@options
class _Options:
    host: str = a_host()
    port: int = a_port()
    once: bool = option("End after the first experiment, as the historic rl_glue did.")
    replace: bool = option(
        "A second agent, environment or experiment takes the place of the first instead of being refused."
    )
    verbose: bool = option("Log more.")


@takes(_Options)
def command(said: _Options) -> None:
    """Connect agent, environment and experiment, which are started elsewhere: an RL-Glue server alone.

    It serves one experiment after another, while agent and environment stay connected. Ctrl-C ends it; then
    the agent ends, and an environment waits for the next server.
    """
    # Imported here so that --help does not wait for numpy.
    from rlglue.server import Server

    configure_logging(said.verbose)
    try:
        with Server(said.host, said.port, replace=said.replace, experiments=True) as server:
            server.serve(said.once)
    except KeyboardInterrupt:
        click.echo("stopped", err=True)
        raise
