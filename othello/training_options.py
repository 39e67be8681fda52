"""Options that `train` and `run` share. Only `__main__` imports this: it needs click."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from experiment.training.config import TrainingConfig, config_for
from othello.commands import section
from othello.completion import a_player, a_run
from othello.config_file import spelled
from othello.options import runs_dir_option, seed_option

if TYPE_CHECKING:
    from experiment.training.plan import Plan
    from experiment.training.run_config import Part, Program
    from experiment.workers.interrupts import Interrupts

Command = TypeVar("Command", bound=Callable[..., Any])

ON_RESUME = {
    "resume",
    "episodes",
    "watch",
    "runs_dir",
    "host",
    "port",
    "connect_timeout",
    "glue",
    "in_process",
    "yes",
}
"""What may be said together with --resume; all else is as it was recorded."""

_DEFAULTS = TrainingConfig()


def _count(name: str, default: int | str, text: str, lowest: int = 0) -> Callable[[Command], Command]:
    """Return an option that is a count; a default in words is None, for `config_for` to fill in."""
    value, shown = (default, True) if isinstance(default, int) else (None, default)
    return click.option(name, type=click.IntRange(lowest), default=value, show_default=shown, help=text)


def training_options(command: Command) -> Command:
    """Add what says how a run is conducted and where it is written."""
    for options in (_run_folder_options, _evaluation_options, _conduct_options):
        command = options(command)
    return command


_conduct_options = section(
    "Training",
    _count(
        "--episodes",
        _DEFAULTS.episodes,
        "Training games. Exploration and evaluations follow their number unless they are given.",
        lowest=1,
    ),
    _count("--max-steps", _DEFAULTS.max_steps, "Cut a game off after so many actions; 0: never."),
    seed_option("Of all randomness."),
    click.option("--watch", is_flag=True, help="Show the board in play."),
)
_evaluation_options = section(
    "Evaluation",
    _count("--eval-every", "a tenth of --episodes", "Training games between evaluations; 0: none."),
    _count("--eval-games", "a fiftieth of --episodes, 50 to 100", "Games of each."),
    _count(
        "--final-games",
        "a fifth of --episodes, 200 to 1,000",
        "Games of the last evaluation; 0: none.",
    ),
    click.option(
        "--eval-opponent",
        multiple=True,
        metavar="TEXT",
        shell_complete=a_player,
        help="Evaluate against this player too; give it as often as you like.",
    ),
    click.option(
        "--yardstick/--no-yardstick",
        default=None,
        help="Play gtp-rhino at the end.  [default: where it is installed, on 8x8]",
    ),
)
_run_folder_options = section(
    "Run folder",
    click.option("--name", help="Name of the run folder.  [default: date and time]"),
    runs_dir_option("Where run folders are made."),
    click.option(
        "--resume",
        metavar="NAME",
        shell_complete=a_run,
        help="Go on with that run as if it had never stopped.",
    ),
    click.option("--yes", is_flag=True, help="Start the programs that the run was recorded with, unasked."),
    _count("--save-every", "--eval-every", "Training games between checkpoints; 0: only at the end."),
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


@contextmanager
def interrupts() -> Iterator["Interrupts"]:
    """Have Ctrl-C, SIGTERM and SIGHUP handled while a run goes on."""
    from experiment.workers.interrupts import Interrupts

    with Interrupts() as handled:
        yield handled


@contextmanager
def planned(
    context: click.Context, values: dict[str, Any], agent: "Part", environment: "Part", starts: bool = True
) -> Iterator["Plan"]:
    """Make the plan of a new run, or of the one that --resume names, and hold its folder.

    `starts`: agent and environment are started here, with the programs that they may need.
    """
    from experiment.results.lifecycle import held
    from experiment.results.run_folder import RunFolder
    from experiment.training.plan import new_plan, resumed_plan

    if values["yardstick"] is None:  # an environment that we do not make takes no program for its opponent
        values["yardstick"] = environment is not None and "command" not in environment
    config = training_config(values)
    runs, name = values["runs_dir"], values["resume"]
    if name:
        why = "a resumed run keeps what was recorded; only --episodes may change"
        refuse(context, set(context.params) - ON_RESUME, why)
        episodes = config.episodes if "episodes" in given(context) else None
        with held(RunFolder.open(runs, name)):
            plan = resumed_plan(runs, name, episodes)
            if starts and not values["yes"]:
                _ask_about(plan.programs, plan.folder.path)
            yield plan
    else:
        plan = new_plan(runs, values["name"], config, values["seed"], agent, environment)
        with held(plan.folder):
            yield plan


def _ask_about(programs: Sequence["Program"], folder: Path) -> None:
    """Ask whether a resume may start programs that its folder names; raise UsageError if not.

    The folder may be somebody else's, and a program can do anything.
    """
    if not programs:
        return
    named = "; ".join(map(str, programs))
    if not _on_terminal():
        raise click.UsageError(f"{folder} would start programs ({named}): if you know them, add --yes")
    click.echo(f"{folder} was recorded with programs that are started now:")
    for program in programs:
        click.echo(f"  {program}")
    if not click.confirm("Start them?"):
        raise click.UsageError(f"{folder} is not resumed: its programs were not to be started")


def _on_terminal() -> bool:
    """Tell whether there is somebody to ask."""
    return sys.stdin.isatty()


def end_of(interrupts: "Interrupts") -> None:
    """End the command with the exit code of an interrupt, if there was one; call it last."""
    if interrupts.requested:
        raise SystemExit(interrupts.exit_status)


@contextmanager
def foreseen() -> Iterator[None]:
    """Turn errors that a user can make or meet into one line and an exit code."""
    from experiment.results.lock import InUseError
    from experiment.results.run_folder import RunFolderError, RunFolderGoneError
    from experiment.sweep.variants import SweepError
    from experiment.training.commands import CommandError
    from experiment.workers.interrupts import exit_status
    from rlglue.errors import GlueError

    try:
        yield
    except (GlueError, InUseError, RunFolderGoneError) as error:
        raise click.ClickException(str(error)) from None
    except (CommandError, RunFolderError, SweepError) as error:
        raise click.UsageError(str(error)) from None
    except BrokenPipeError:  # which is silence
        raise
    except OSError as error:  # such as a full disk
        where = f"{error.filename}: " if error.filename else ""
        raise click.ClickException(f"{where}{error.strerror or error}") from None
    except KeyboardInterrupt as stop:
        click.echo("stopped at once", err=True)
        raise SystemExit(exit_status(stop)) from None
