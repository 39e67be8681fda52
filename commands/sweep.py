"""`othello experiment sweep`: carry out and compare runs that differ in some options."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello_lab.commands import fields, run, selfplay
from othello_lab.commands.agent import DEFAULT_AGENT
from othello_lab.commands.checks import check_player
from othello_lab.commands.compare import PICTURE, compare, variants_of
from othello_lab.commands.config_file import as_typed, read_toml
from othello_lab.commands.environment import make_environment
from othello_lab.commands.errors import blaming
from othello_lab.commands.options import argument, option, options, takes
from othello_lab.commands.workers import interruptible
from othello_lab.experiment.run.record import table_of
from othello_lab.experiment.show.wording import othello
from othello_lab.game.program_trust import note
from othello_lab.game.registry import parse
from rlglue.messages import truncate_middle

if TYPE_CHECKING:
    from othello_lab.experiment.compare.sweep import Sweep, Variant


@options
class _Options:
    file: Path = argument(type=click.Path(path_type=Path))
    jobs: int = fields.jobs("Number of runs that train at the same time.", default=2)
    seeds: str | None = option("Use these seeds instead of the seeds in FILE.", metavar="0,1,2")
    runs_dir: Path = fields.runs_dir()


@takes(_Options)
def command(options: _Options) -> None:
    """Carry out and compare the runs that FILE describes.

    FILE is a TOML file. The options of all runs are at the top of FILE or in the table [run]. The line `seeds
    = [0, 1, 2]` lists the seeds. A table [variants.NAME] has the options of one variant. A variant with the
    option `learner` instead of `agent` is a run of `othello selfplay`. After Ctrl-C the runs save their state
    and end. The same command continues the runs.
    """
    from othello_lab.experiment.compare.sweep import prepare, run_sweep
    from othello_lab.experiment.run.lock import held

    plan = planned_sweep(options.file, options.seeds, options.runs_dir)
    folder = options.runs_dir / options.file.stem
    folder.mkdir(parents=True, exist_ok=True)
    with interruptible() as interrupts, held(folder):
        prepare(plan, folder)
        failed = run_sweep(plan, folder, options.jobs, interrupts)
        if interrupts.requested:
            click.echo("stopped: the same command goes on")
    compare(variants_of(folder), folder / PICTURE)
    click.echo("to run one variant alone:")
    for variant in plan.variants:
        click.echo(f"  {othello(*variant.arguments(plan.seeds[0]))}")
    if failed:
        raise click.ClickException(f"{failed} of {len(plan.jobs())} runs failed: see the lines above")


def planned_sweep(file: Path, seeds: str | None, runs_dir: Path) -> "Sweep":
    """Read and check the sweep of a file. Raises UsageError if the file or a variant is invalid."""
    from othello_lab.experiment.compare.sweep import SweepError, read_sweep
    from othello_lab.experiment.run.run_folder import is_name

    table = read_toml(file)
    note(file, table)
    if not is_name(file.stem):
        why = f"{file.stem!r} is no name of a sweep: use letters, digits, '-', '_' and '.' only"
        raise click.BadParameter(why, param_hint="FILE")
    try:
        numbers = None if seeds is None else [int(number) for number in seeds.split(",")]
        plan = read_sweep(table, DEFAULT_AGENT, numbers)
    except SweepError as error:
        raise click.UsageError(f"{file}: {error}") from None
    except ValueError:
        why = f"{truncate_middle(seeds or '', 80)!r} is no list such as 0,1,2"
        raise click.BadParameter(why, param_hint="--seeds") from None
    for variant in plan.variants:
        _check(variant, file, runs_dir / file.stem)
    return plan


def _check(variant: "Variant", file: Path, runs_dir: Path) -> None:
    is_selfplay = variant.command[0] == "selfplay"
    command = selfplay.command if is_selfplay else run.command
    arguments = [*variant.command[1:], f"--runs-dir={runs_dir}"]
    values = as_typed(command, variant.options, f"{file}, variant {variant.name}")
    try:
        # Parse the options in a context of the variant's command.
        with command.make_context(command.name, arguments, default_map=values) as context:
            if is_selfplay:
                selfplay.checked(selfplay.SelfPlayOptions(**context.params))
            else:
                _check_parts(run.TrioOptions(**context.params))
    except click.UsageError as error:
        raise click.UsageError(f"{file}, variant {variant.name}: {error.format_message()}") from None


def _check_parts(options: run.TrioOptions) -> None:
    """Raise click.BadParameter if agent, environment or an opponent is invalid, without importing torch."""
    from othello_lab.agent.make import check_learner, learns

    agent, environment = run.parts_of(options)
    if agent.text is None:
        raise click.BadParameter("a sweep starts no program: name a learner", param_hint="--agent")
    if learns(parse(agent.text)):
        with blaming("--agent"):
            check_learner(agent.text, options.size)
    else:
        check_player("--agent", agent.text, options.size)
    make_environment(**(table_of(environment) or {})).env_cleanup()
    for text in options.eval_opponent:
        check_player("--eval-opponent", text, options.size)
