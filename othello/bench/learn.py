"""`othello bench learn`: how fast the DQN learns."""

import click


@click.command()
@click.option(
    "--repetitions",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Updates in each of the rounds, and how often the rest is measured.",
)
@click.option(
    "--transitions",
    type=click.IntRange(min=2000),
    default=1_000_000,
    show_default=True,
    help="In the replay memory that large batches are drawn from.",
)
def command(repetitions: int, transitions: int) -> None:
    """Updates a second, decisions, draws from replay and its memory, on 8x8 and in one thread.

    Updates are compared with those of stable-baselines3's DQN, where that is installed: the same network,
    batch and kind of optimiser.
    """
    from othello.bench.measure_learn import report

    for line in report(repetitions, transitions):
        click.echo(line)
