"""`othello bench learn`: how fast the DQN learns."""

import click


@click.command()
@click.option(
    "--repetitions",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Updates in each round; the rest is measured this often.",
)
@click.option(
    "--transitions",
    type=click.IntRange(min=2000),
    default=1_000_000,
    show_default=True,
    help="Transitions in the replay memory that large batches are drawn from.",
)
def command(repetitions: int, transitions: int) -> None:
    """Measure the DQN on 8x8 in one thread: updates and decisions a second, and its replay memory.

    Where stable-baselines3 is installed, its DQN is measured too, with the same network, batch and kind of
    optimiser.
    """
    from othello.bench.measure_learn import report

    for line in report(repetitions, transitions):
        click.echo(line)
