"""`othello bench env`: how fast the vector environment is."""

import click


@click.command()
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.001),
    default=1.0,
    show_default=True,
    help="How long to measure each figure, in each of three rounds.",
)
@click.option(
    "--games", type=click.IntRange(min=1), default=4096, show_default=True, help="Games that go on together."
)
def command(seconds: float, games: int) -> None:
    """Steps a second of random legal actions on 8x8: an action of the agent and the opponent's answer.

    Gymnasium's vector environment, beside OpenSpiel and PGX where they are installed. Every figure is over
    the processor time of all threads.
    """
    from othello.bench.measure_env import report

    for line in report(seconds, games):
        click.echo(line)
