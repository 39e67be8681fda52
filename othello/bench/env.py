"""`othello bench env`: how fast the vector environment is."""

import click


@click.command()
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.001),
    default=1.0,
    show_default=True,
    help="Seconds for each figure, in each of three rounds.",
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=4096,
    show_default=True,
    help="Games that are played together.",
)
def command(seconds: float, games: int) -> None:
    """Measure steps a second in Gymnasium: a random legal action on 8x8 and the opponent's answer.

    Gymnasium's vector environment, beside OpenSpiel and PGX where they are installed. Every figure is over
    the processor time of all threads.
    """
    from othello.bench.measure_env import report

    for line in report(seconds, games):
        click.echo(line)
