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
    help="Who learns from the games.",
)
@click.option(
    "--jobs", type=click.IntRange(2), default=2, show_default=True, help="Workers, beside one alone."
)
@ray_option
@click.option("--size", default=8, show_default=True, help="Length of a side: even, 4 to 16.")
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True, help="Played with each.")
@click.option(
    "--shards",
    type=click.IntRange(1),
    default=4,
    show_default=True,
    help="Of 512 games, that each worker plays a round.",
)
def command(learner: str, jobs: int, ray: str | None, size: int, rounds: int, shards: int) -> None:
    """Games a second that one worker and several play, what a learner needs for them, bytes that travel, and
    what a model makes of these for 1 to 1,000 workers.

    They take turns, so that a noisy machine disturbs them alike; it needs as many free processors as workers.
    """
    from game.threads import use_threads
    from othello.bench.measure_workers import report

    use_threads(1)
    with pools(1, jobs, ray=ray) as (one, several):
        for line in report(learner, size, one, (several, jobs), rounds, shards):
            click.echo(line)
