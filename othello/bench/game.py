"""`othello bench game`: how fast the rules are."""

import click

from othello.ending import blaming


@click.command()
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.001),
    default=0.3,
    show_default=True,
    help="Seconds for each figure, in each of three rounds.",
)
@click.option("--only", default="", metavar="TEXT", help="Measure only what has this text in its name.")
def command(seconds: float, only: str) -> None:
    """Measure moves, games and positions a second, beside other libraries where they are installed."""
    from othello.bench.measure_game import report

    with blaming("--only"):
        lines = report(seconds, only)
    for line in lines:
        click.echo(line)
