"""`othello glue`: a server alone, for agent, environment and any number of experiments."""

import click

from othello.options import server_address_options


@click.command()
@server_address_options
@click.option("--once", is_flag=True, help="End after the first experiment, as the historic rl_glue did.")
@click.option(
    "--replace",
    is_flag=True,
    help="A second agent, environment or experiment takes the place of the first instead of being refused.",
)
@click.option("--verbose", is_flag=True, help="Log more.")
def command(host: str, port: int, once: bool, replace: bool, verbose: bool) -> None:
    """Connect agent, environment and experiment, which are started elsewhere: an RL-Glue server alone.

    It serves one experiment after another, while agent and environment stay connected. Ctrl-C ends it, and
    then they end too.
    """
    # Imported here so that --help does not wait for numpy.
    from rlglue.logs import configure_logging
    from rlglue.server import Server

    configure_logging(verbose)
    try:
        with Server(host, port, replace=replace, experiments=True) as server:
            server.serve(once)
    except KeyboardInterrupt:
        click.echo("stopped", err=True)
        raise
