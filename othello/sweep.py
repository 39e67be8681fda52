"""`othello experiment sweep`: runs that differ in an option or two."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello_lab.experiment.show.shell_commands import othello
from othello_lab.othello import selfplay, train
from othello_lab.othello.agent import DEFAULT_AGENT
from othello_lab.othello.compare import compare_sweep
from othello_lab.othello.config_file import checked, programs_named, read_toml
from othello_lab.othello.ending import interruptible, reported_errors
from othello_lab.othello.options import argument, declared, option, options, takes, whole_number
from othello_lab.othello.permission import permit
from othello_lab.othello.selfplay import SelfPlayOptions
from othello_lab.othello.selfplay import checked as checked_selfplay
from othello_lab.othello.shared_options import a_runs_dir
from othello_lab.othello.train import TrainOptions, check_in_process
from othello_lab.othello.workers import ray_option, started_by
from rlglue.messages import shortened

if TYPE_CHECKING:
    from othello_lab.experiment.compare.sweep.variants import Sweep, Variant
    from othello_lab.experiment.run.programs import Program


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
        plan = planned_sweep(said.file, said.seeds)
        from othello_lab.experiment.compare.sweep.folder import SweepFolder, run_sweep
        from othello_lab.experiment.run.lock import held

        folder = SweepFolder.make(said.runs_dir, said.file.stem)
        with started_by(said.jobs, said.ray) as start, interruptible() as interrupts, held(folder.path):
            folder.record_variants(plan)
            failed = run_sweep(plan, folder, said.jobs, interrupts, start)
            if interrupts.requested:
                click.echo("stopped: the same command goes on")
        compare_sweep(folder, as_markdown=False)
        _say_how_to_repeat(plan)
    if failed:
        raise click.ClickException(f"{failed} of {len(plan.jobs())} runs failed: see the lines above")


def planned_sweep(file: Path, seeds: str | None) -> "Sweep":
    """Return the sweep of a file; raise UsageError if one of its variants cannot be carried out."""
    from othello_lab.experiment.compare.sweep.variants import SweepError, read_sweep

    table = read_toml(file)
    try:
        plan = read_sweep(
            table, DEFAULT_AGENT, None if seeds is None else [int(word) for word in seeds.split(",")]
        )
    except SweepError as error:
        raise click.UsageError(f"{file}: {error}") from None
    except ValueError:
        said = shortened(seeds or "", 80)
        raise click.BadParameter(f"{said!r} is no list such as 0,1,2", param_hint="--seeds") from None
    named = [
        program for variant in plan.variants for program in _check(variant, f"{file}, variant {variant.name}")
    ]
    permit(list(dict.fromkeys(named)), file)
    return plan


def _check(variant: "Variant", where: str) -> "list[Program]":
    """Return the programs that a variant names; raise UsageError if it cannot be carried out."""
    at_once = variant.command[0] == "selfplay"
    command, words = selfplay.command if at_once else train.command, variant.arguments(0)
    context = click.Context(command)
    values = checked(context, variant.options, where)
    programs = programs_named(context, values)
    try:
        values = command.make_context(words[0], words[len(variant.command) :]).params
        if at_once:
            checked_selfplay(declared(SelfPlayOptions, values))
        else:
            check_in_process(declared(TrainOptions, values))
    except click.UsageError as error:
        raise click.UsageError(f"{where}: {error.format_message()}") from None
    return programs


def _say_how_to_repeat(plan: "Sweep") -> None:
    click.echo("to run one variant alone:")
    for variant in plan.variants:
        click.echo(f"  {othello(*variant.arguments(plan.seeds[0]))}")
