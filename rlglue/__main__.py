"""The command `glue`: a server alone, for agent, environment and any number of experiments; and its speed."""

import click

from othello import options


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
    try:
        with Server(host, port, replace=replace, experiments=True) as server:
            server.serve(once)
    except KeyboardInterrupt:
        click.echo("stopped", err=True)
        raise


@click.command("glue")
@click.option(
    "--seconds", type=click.FloatRange(min=0.1), default=10.0, show_default=True, help="How long to measure."
)
def bench_glue(seconds: float) -> None:
    """Steps a second over TCP and the processor time of each process a step.

    A trivial agent and environment beside bare sockets that exchange the same bytes, then on a server alone
    with an experiment elsewhere, and a random agent against the Othello environment on 8x8.
    """
    from othello.bench.glue import hosted, measure, run, run_alone

    click.echo(str(run(seconds)))
    click.echo(f"server alone, experiment elsewhere: {run_alone(seconds / 2)}")
    with hosted(_random_agent, _othello_environment) as glue:
        measure(glue, 0.5, "server")  # starts and caches count for nothing
        speed = measure(glue, seconds / 2, "server")
    click.echo(f"random agent, Othello environment 8x8: {speed}")


def _random_agent(host: str, port: int) -> None:
    from agent.make import make_agent
    from othello.bench.glue_parts import processor_time
    from rlglue.client import serve_agent

    agent = make_agent("random")
    vars(agent)["agent_message"] = processor_time
    serve_agent(agent, host, port)


def _othello_environment(host: str, port: int) -> None:
    from environment.othello import OthelloEnvironment
    from othello.bench.glue_parts import processor_time
    from rlglue.client import serve_environment

    environment = OthelloEnvironment()
    vars(environment)["env_message"] = processor_time
    serve_environment(environment, host, port)


if __name__ == "__main__":
    options.run(main, name="python -m rlglue")
