"""`othello experiment sweep`: runs that differ in an option or two."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from othello_lab.commands import selfplay, train
from othello_lab.commands.agent import DEFAULT_AGENT
from othello_lab.commands.checks import agent_part_of, named
from othello_lab.commands.compare import compare_sweep
from othello_lab.commands.config_file import checked, read_toml
from othello_lab.commands.options import argument, declared, option, options, takes, whole_number
from othello_lab.commands.reporting import interruptible, reported_errors
from othello_lab.commands.selfplay import SelfPlayOptions
from othello_lab.commands.selfplay import checked as checked_selfplay
from othello_lab.commands.shared_options import a_runs_dir
from othello_lab.commands.train import TrainOptions, check_in_process
from othello_lab.commands.workers import ray_option, starter
from othello_lab.experiment.show.wording import othello
from othello_lab.game.launching import note
from rlglue.messages import truncate_middle

if TYPE_CHECKING:
    from othello_lab.experiment.compare.sweep import Sweep, Variant


@options
class _Options:
    file: Path = argument(type=click.Path(path_type=Path))
    jobs: int = whole_number("Runs that go on at the same time.", default=2, lowest=1)
    ray: str | None = ray_option()
    seeds: str | None = option("Use these seeds instead of the file's.", metavar="0,1,2")
    runs_dir: Path = a_runs_dir()


@takes(_Options)
def command(said: _Options) -> None:
    """Carry out the runs that FILE describes, and compare them.

    FILE is TOML: shared options at the top or in [run], `seeds = [0, 1, 2]`, and a table [variants.NAME] for
    each variant. A variant that names a learner instead of an agent is a run of `othello selfplay`. After
    Ctrl-C the runs save and end; the same command goes on with them.
    """
    with reported_errors():
        plan = planned_sweep(said.file, said.seeds, said.runs_dir)
        from othello_lab.experiment.compare.sweep import SweepFolder, run_sweep
        from othello_lab.experiment.run.lock import held

        folder = SweepFolder.make(said.runs_dir, said.file.stem)
        with starter(said.jobs, said.ray) as start, interruptible() as interrupts, held(folder.path):
            folder.record_variants(plan)
            failed = run_sweep(plan, folder, said.jobs, interrupts, start)
            if interrupts.requested:
                click.echo("stopped: the same command goes on")
        compare_sweep(folder, as_markdown=False)
        _say_how_to_repeat(plan)
    if failed:
        raise click.ClickException(f"{failed} of {len(plan.jobs())} runs failed: see the lines above")


def planned_sweep(file: Path, seeds: str | None, runs_dir: Path) -> "Sweep":
    """Return the sweep of a file, which may name runs of a folder.

    Raises UsageError if one of its variants cannot be carried out.
    """
    from othello_lab.experiment.compare.sweep import SweepError, read_sweep

    table = read_toml(file)
    note(file, table)
    try:
        plan = read_sweep(
            table, DEFAULT_AGENT, None if seeds is None else [int(word) for word in seeds.split(",")]
        )
    except SweepError as error:
        raise click.UsageError(f"{file}: {error}") from None
    except ValueError:
        said = truncate_middle(seeds or "", 80)
        raise click.BadParameter(f"{said!r} is no list such as 0,1,2", param_hint="--seeds") from None
    plan = replace(plan, variants=[_with_players(each, file, runs_dir) for each in plan.variants])
    for variant in plan.variants:
        _check(variant, file, runs_dir)
    return plan


def _with_players(variant: "Variant", file: Path, runs_dir: Path) -> "Variant":
    """Return a variant with the players that runs are in place of their names.

    Its own runs are in the folder of the sweep, and look for names there.
    """
    with _telling_of(variant, file):
        options = {key: _player(key, value, runs_dir) for key, value in variant.options.items()}
    return replace(variant, options=options)


def _player(option: str, value: Any, runs_dir: Path) -> Any:  # noqa: ANN401  whatever TOML has
    """Return the text of the player that a run is, if the value names one; else the value."""
    if option not in ("agent", "from") or not isinstance(value, str) or os.path.isabs(value):
        return value
    if not os.path.isfile(runs_dir / value / "config.json"):  # Path's own fails for a very long name
        return value
    if option == "agent":
        return agent_part_of(value, runs_dir).text or value
    return named(value, runs_dir, "--from").text


def _check(variant: "Variant", file: Path, runs_dir: Path) -> None:
    """Raise UsageError if a variant cannot be carried out."""
    at_once = variant.command[0] == "selfplay"
    command = selfplay.command if at_once else train.command
    words = [*variant.arguments(0), f"--runs-dir={runs_dir}"]
    checked(click.Context(command), variant.options, _where(variant, file))
    # Its options are looked at as those of its own command, not of this one.
    with _telling_of(variant, file), command.make_context(words[0], words[len(variant.command) :]) as own:
        if at_once:
            checked_selfplay(declared(SelfPlayOptions, own.params))
        else:
            check_in_process(declared(TrainOptions, own.params))


def _where(variant: "Variant", file: Path) -> str:
    return f"{file}, variant {variant.name}"


@contextmanager
def _telling_of(variant: "Variant", file: Path) -> Iterator[None]:
    """Begin complaints with what they are about."""
    try:
        yield
    except click.UsageError as error:
        raise click.UsageError(f"{_where(variant, file)}: {error.format_message()}") from None


def _say_how_to_repeat(plan: "Sweep") -> None:
    click.echo("to run one variant alone:")
    for variant in plan.variants:
        click.echo(f"  {othello(*variant.arguments(plan.seeds[0]))}")
