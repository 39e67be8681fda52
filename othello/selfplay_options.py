"""Options of `othello selfplay` that no other command has."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from othello.agent import AgentText
from othello.completion import a_player, a_player_or_run
from othello.groups import section
from othello.options import DEFAULT_SIZE, seed_option
from othello.workers import workers_options

F = TypeVar("F", bound=Callable[..., Any])
DEFAULT_LEARNER = "ntuple"
LENGTHS = {"games", "minutes", "plies"}
"""The options that say how long a run is."""


def selfplay_options(command: F) -> F:
    """Add who learns, for how long, and from which games."""
    return _training_options(_games_options(command))


_training_options = section(
    "Training",
    click.option(
        "--learner",
        type=AgentText(),
        default=DEFAULT_LEARNER,
        show_default=True,
        metavar="TEXT",
        shell_complete=a_player,
        help="The learner: dqn, ntuple, td or mcq, with options such as ntuple,lam=0.5.",
    ),
    click.option(
        "--games",
        type=click.IntRange(1),
        default=200_000,
        show_default=True,
        help="Number of training games. Schedules, and how often it is evaluated, follow from it.",
    ),
    click.option(
        "--minutes",
        type=click.FloatRange(0, min_open=True),
        help="Instead of --games: minutes of training, without the evaluations.",
    ),
    click.option(
        "--plies",
        type=click.IntRange(1),
        help="Instead of --games: decisions of both sides; the round that reaches this number is the last.",
    ),
    click.option(
        "--from",
        metavar="RUN|PATH",
        shell_complete=a_player_or_run,
        help="Begin with the policy of this run or checkpoint; it must be of the same learner.",
    ),
    workers_options,
    click.option(
        "--device",
        metavar="auto|cpu|cuda[:N]",
        help="Where dqn plays and learns; with cuda all games are on the GPU.  [default: cpu]",
    ),
    seed_option("Seed of all randomness."),
)
_games_options = section(
    "Games",
    click.option("--size", default=DEFAULT_SIZE, show_default=True, help="Length of a side: even, 4 to 16."),
    click.option(
        "--games-at-once",
        type=click.IntRange(1),
        default=1024,
        show_default=True,
        help="Games of a round: they are played, then learned from. A process takes 512 at a time.",
    ),
    click.option(
        "--random-opening",
        type=click.IntRange(0, 60),
        default=10,
        show_default=True,
        help="Begin games with random plies: a random number of them, 0 to this.",
    ),
    click.option(
        "--opponents",
        metavar="NAME=SHARE,...",
        help="Opponents of the learner, each with its share of the games: random, corner-greedy, "
        "random-weights (new square weights in each game), past (earlier policies of the learner), or an "
        "evaluator, which looks one ply ahead. In the rest of the games the learner plays itself; none: in "
        "all.  [default: opponents in three games of five]",
    ),
)
