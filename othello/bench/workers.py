"""`othello bench workers`: how much faster self-play is with more workers."""

import click

from othello.agent import AgentText
from othello.selfplay_options import DEFAULT_LEARNER
from othello.workers import pools, ray_option


@click.command()
@click.option(
    "--learner",
    type=AgentText(),
    default=DEFAULT_LEARNER,
    show_default=True,
    metavar="TEXT",
    help="The learner that learns from the games.",
)
@click.option(
    "--jobs",
    type=click.IntRange(2),
    default=2,
    show_default=True,
    help="Number of workers to compare with one.",
)
@ray_option
@click.option("--size", default=8, show_default=True, help="Length of a side: even, 4 to 16.")
@click.option(
    "--rounds",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    help="Rounds that are played with each number of workers.",
)
@click.option(
    "--shards",
    type=click.IntRange(1),
    default=4,
    show_default=True,
    help="Parts of 512 games that each worker plays in a round.",
)
def command(learner: str, jobs: int, ray: str | None, size: int, rounds: int, shards: int) -> None:
    """Measure self-play with one worker and with several, and estimate it for up to 1,000 workers.

    It prints games a second, the time that the learner needs for them, and the bytes that travel. The two
    take turns, so that a noisy machine disturbs both. Have as many free processors as workers.
    """
    from game.threads import use_threads
    from othello.bench.measure_workers import report

    use_threads(1)
    with pools(1, jobs, ray=ray) as (one, several):
        for line in report(learner, size, one, (several, jobs), rounds, shards):
            click.echo(line)
