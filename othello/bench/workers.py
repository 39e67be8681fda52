"""`othello bench workers`: how much faster self-play is with more workers."""

import click

from othello.agent import AgentText
from othello.options import option, options, takes
from othello.selfplay_options import DEFAULT_LEARNER
from othello.shared_options import a_size
from othello.workers import pools, ray_option


@options
class _Options:
    learner: str = option(
        "The learner that learns from the games.", default=DEFAULT_LEARNER, type=AgentText(), metavar="TEXT"
    )
    jobs: int = option("Number of workers to compare with one.", default=2, type=click.IntRange(2))
    ray: str | None = ray_option()
    size: int = a_size()
    rounds: int = option(
        "Rounds that are played with each number of workers.", default=5, type=click.IntRange(1)
    )
    shards: int = option(
        "Parts of 512 games that each worker plays in a round.", default=4, type=click.IntRange(1)
    )


@takes(_Options)
def command(said: _Options) -> None:
    """Measure self-play with one worker and with several, and estimate it for up to 1,000 workers.

    It prints games a second, the time that the learner needs for them, and the bytes that travel. The two
    take turns, so that a noisy machine disturbs both. Have as many free processors as workers.
    """
    from game.threads import use_threads
    from othello.bench.measure_workers import report

    use_threads(1)
    with pools(1, said.jobs, ray=said.ray) as (one, several):
        for line in report(said.learner, said.size, one, (several, said.jobs), said.rounds, said.shards):
            click.echo(line)
