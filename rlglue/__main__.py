"""The command `glue`: a server alone, for agent, environment and any number of experiments; and its speed."""

import signal
from types import FrameType

import click

from rlglue import options


@click.command("glue")
@options.server_address_options
@click.option("--once", is_flag=True, help="End with the first experiment, as the historic rl_glue did.")
@click.option(
    "--replace",
    is_flag=True,
    help="A second agent, environment or experiment takes the place of the first instead of being refused.",
)
@click.option("--verbose", is_flag=True, help="Log more.")
def main(host: str, port: int, once: bool, replace: bool, verbose: bool) -> None:
    """Serve one experiment after another; agent and environment stay connected between them.

    Ctrl-C ends it and tells both.
    """
    # Imported here so that --help does not wait for numpy.
    from rlglue.logs import configure_logging
    from rlglue.server import Server

    configure_logging(verbose)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with Server(host, port, replace=replace, experiments=True) as server:
            server.serve(once)
    except KeyboardInterrupt:
        click.echo("stopped", err=True)


@click.command("glue")
@click.option(
    "--seconds", type=click.FloatRange(min=0.1), default=10.0, show_default=True, help="How long to measure."
)
def bench_glue(seconds: float) -> None:
    """Steps a second over TCP, beside bare sockets that exchange the same bytes."""
    from rlglue.bench import run

    click.echo(str(run(seconds)))


def _interrupt(signal_number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    options.run(main, name="python -m rlglue")
