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
        help="Who learns: dqn, ntuple, td, mcq, with options such as ntuple,lam=0.5.",
    ),
    click.option(
        "--games",
        type=click.IntRange(1),
        default=200_000,
        show_default=True,
        help="Training games. Schedules and evaluations follow their number unless they are given.",
    ),
    click.option(
        "--minutes",
        type=click.FloatRange(0, min_open=True),
        help="Train for so long instead, evaluations not counted; schedules follow the time.",
    ),
    click.option(
        "--plies",
        type=click.IntRange(1),
        help="Train on this many decisions instead, of both sides; the round that reaches them is the last.",
    ),
    click.option(
        "--from",
        metavar="RUN|PATH",
        shell_complete=a_player_or_run,
        help="Begin with the policy of this run or checkpoint of the same learner.",
    ),
    workers_options,
    click.option(
        "--device",
        metavar="auto|cpu|cuda[:N]",
        help="Where dqn plays and learns; on cuda the games are there too.  [default: cpu]",
    ),
    seed_option("Of all randomness."),
)
_games_options = section(
    "Games",
    click.option("--size", default=DEFAULT_SIZE, show_default=True, help="Length of a side: even, 4 to 16."),
    click.option(
        "--games-at-once",
        type=click.IntRange(1),
        default=1024,
        show_default=True,
        help="Games of a round, which is played before there is learning; processes share 512 and more.",
    ),
    click.option(
        "--random-opening",
        type=click.IntRange(0, 60),
        default=10,
        show_default=True,
        help="Play 0 to this many random plies first.",
    ),
    click.option(
        "--opponents",
        metavar="NAME=SHARE,...",
        help="Who plays one side of which share of the games: random, corner-greedy, random-weights (square "
        "weights drawn anew for each game), past (the learner as it was), or an evaluator, one ply deep; or "
        "none. In the rest the learner plays itself.  [default: a pool for three games in five]",
    ),
)
