"""`othello bench glue`: how fast the protocol runs."""

import click


@click.command()
@click.option(
    "--seconds", type=click.FloatRange(min=0.1), default=10.0, show_default=True, help="Seconds to measure."
)
def command(seconds: float) -> None:
    """Measure steps a second over TCP, and what a step costs each process.

    First with a trivial agent and environment, beside bare sockets that exchange the same bytes; then with
    the experiment in a process of its own; then with a random agent in the Othello environment on 8x8.
    """
    from othello.bench.measure_glue import hosted, measure, run, run_alone

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
