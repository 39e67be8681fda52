"""`othello glue`: run only an RL-Glue server, for programs that are started separately."""

import click

from othello_lab.commands import fields
from othello_lab.commands.options import option, options, takes
from rlglue.scripts import configure_logging


@options
class _Options:
    host: str = fields.host()
    port: int = fields.port()
    once: bool = option("End after the first experiment, as the original rl_glue did.")
    verbose: bool = option("Log more messages.")


@takes(_Options)
def command(options: _Options) -> None:
    """Serve RL-Glue for an agent, an environment and experiments that you start yourself.

    The server serves one experiment after another, while the agent and the environment stay connected. After
    Ctrl-C the server and the agent end, and the environment waits for the next server.
    """
    from rlglue.server import Server

    configure_logging(options.verbose)
    try:
        with Server(options.host, options.port, experiments=True) as server:
            server.serve(options.once)
    except KeyboardInterrupt:
        click.echo("stopped", err=True)
        raise
