"""Options that `run`, `experiment train` and `selfplay` share, and the configuration that they make."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from experiment.run.record import TrainingConfig, config_for
from othello.options import option, options, values_of
from othello.shared_options import a_player, a_run, a_runs_dir, a_seed

ON_RESUME = {
    "resume",
    "episodes",
    "games",
    "minutes",
    "plies",
    "jobs",
    "device",
    "watch",
    "runs_dir",
    "host",
    "port",
    "connect_timeout",
    "glue",
    "in_process",
}
"""What may be said together with --resume; all else is as it was recorded."""

_DEFAULTS = TrainingConfig()


def _count(text: str, default: int | None = None, lowest: int = 0, **settings: Any) -> Any:  # noqa: ANN401  an int
    """Return the field of a count; without a default it is None, for `config_for` to fill in."""
    return option(text, default=default, type=click.IntRange(lowest), **settings)


def _share(words: str) -> "Callable[[type[RunOptions]], str]":
    """Return the words of a default that follows from the option that says how long a run is."""
    return lambda declared: words.format(declared.length)


@options
class TrainingOptions:
    """How a run over RL-Glue is trained."""

    episodes: int = _count(
        "Number of training games. How long the agent explores and how often it is evaluated follow from it.",
        _DEFAULTS.episodes,
        lowest=1,
        section="Training",
    )
    max_steps: int = _count("Cut a game off after this many actions; 0: never.", _DEFAULTS.max_steps)
    seed: int = a_seed()
    watch: bool = option("Show the board in play.")


@options
class RunOptions:
    """How any run is evaluated and written down."""

    length = "--episodes"
    """The option that says how many games it has."""

    eval_every: int | None = _count(
        "Training games from one evaluation to the next; 0: no evaluations.",
        show_default=_share("a tenth of {}"),
        section="Evaluation",
    )
    eval_games: int | None = _count(
        "Games of each evaluation.", show_default=_share("a fiftieth of {}, 50 to 100")
    )
    final_games: int | None = _count(
        "Games of the evaluation at the end; 0: no evaluation.",
        show_default=_share("a fifth of {}, 200 to 1,000"),
    )
    eval_opponent: tuple[str, ...] = option(
        "Evaluate against this player too; may be given several times.",
        metavar="TEXT",
        shell_complete=a_player,
    )
    yardstick: bool | None = option(
        "Play the program gtp-rhino at the end.  [default: on 8x8 where it is installed]",
        "--yardstick/--no-yardstick",
    )

    name: str | None = option("Name of the run folder.  [default: date and time]", section="Run folder")
    runs_dir: Path = a_runs_dir("Where run folders are made.", section="Run folder")
    resume: str | None = option(
        "Go on with this run as if it had never stopped.", metavar="NAME", shell_complete=a_run
    )
    save_every: int | None = _count(
        "Training games from one checkpoint to the next; 0: only at the end.", show_default="--eval-every"
    )
    keep_policies: bool = option(
        "Keep all policies, not only the newest three, for `experiment compare --opponent`."
    )


@options
class EpisodeOptions(TrainingOptions, RunOptions):
    """Options of a run over RL-Glue."""


def training_config(said: RunOptions, episodes: int, **others: Any) -> TrainingConfig:  # noqa: ANN401  its fields
    """Return the configuration of a run of this many games; `others` come before what was said."""
    return config_for(**{**values_of(said, TrainingConfig), **others, "episodes": episodes})
