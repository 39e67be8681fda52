"""Options that `run` and `experiment train` share, and how their values are read."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from experiment.run.training.config import TrainingConfig, config_for
from othello.completion import a_player, a_run
from othello.config_file import spelled
from othello.groups import section
from othello.options import runs_dir_option, seed_option

Command = TypeVar("Command", bound=Callable[..., Any])

ON_RESUME = {
    "resume",
    "episodes",
    "games",
    "minutes",
    "plies",
    "jobs",
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


def _count(name: str, default: int | str, text: str, lowest: int = 0) -> Callable[[Command], Command]:
    """Return an option that is a count; a default in words is None, for `config_for` to fill in."""
    value, shown = (default, True) if isinstance(default, int) else (None, default)
    return click.option(name, type=click.IntRange(lowest), default=value, show_default=shown, help=text)


def training_options(command: Command) -> Command:
    """Add what says how a run is trained, evaluated and written down."""
    for options in (run_folder_options, evaluation_options("--episodes"), _training_options):
        command = options(command)
    return command


_training_options = section(
    "Training",
    _count(
        "--episodes",
        _DEFAULTS.episodes,
        "Number of training games. How long the agent explores and how often it is evaluated follow from it.",
        lowest=1,
    ),
    _count("--max-steps", _DEFAULTS.max_steps, "Cut a game off after this many actions; 0: never."),
    seed_option("Seed of all randomness."),
    click.option("--watch", is_flag=True, help="Show the board in play."),
)


def evaluation_options(length: str) -> Callable[[Command], Command]:
    """Return what adds how a run is evaluated; `length` is the option that says how many games it has."""
    return section(
        "Evaluation",
        _count(
            "--eval-every",
            f"a tenth of {length}",
            "Training games from one evaluation to the next; 0: no evaluations.",
        ),
        _count("--eval-games", f"a fiftieth of {length}, 50 to 100", "Games of each evaluation."),
        _count(
            "--final-games",
            f"a fifth of {length}, 200 to 1,000",
            "Games of the evaluation at the end; 0: no evaluation.",
        ),
        click.option(
            "--eval-opponent",
            multiple=True,
            metavar="TEXT",
            shell_complete=a_player,
            help="Evaluate against this player too; may be given several times.",
        ),
        click.option(
            "--yardstick/--no-yardstick",
            default=None,
            help="Play the program gtp-rhino at the end.  [default: on 8x8 where it is installed]",
        ),
    )


run_folder_options = section(
    "Run folder",
    click.option("--name", help="Name of the run folder.  [default: date and time]"),
    runs_dir_option("Where run folders are made."),
    click.option(
        "--resume",
        metavar="NAME",
        shell_complete=a_run,
        help="Go on with this run as if it had never stopped.",
    ),
    _count(
        "--save-every", "--eval-every", "Training games from one checkpoint to the next; 0: only at the end."
    ),
    click.option(
        "--keep-policies",
        is_flag=True,
        help="Keep all policies, not only the newest three, for `experiment compare --opponent`.",
    ),
)


def training_config(values: dict[str, Any]) -> TrainingConfig:
    """Take the values of a TrainingConfig out of option values."""
    names = [field.name for field in fields(TrainingConfig) if field.name in values]
    return config_for(**{name: values.pop(name) for name in names})


def given(context: click.Context) -> set[str]:
    """Return the names of the options that stand on the command line or in the file of --config."""
    source, said = context.get_parameter_source, (ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP)
    return {name for name in context.params if source(name) in said}


def refuse(context: click.Context, names: set[str], why: str) -> None:
    """Raise UsageError if one of the options is given."""
    for name in sorted(given(context) & names):
        raise click.UsageError(f"{spelled(name, '--' + name.replace('_', '-'))}: {why}")
