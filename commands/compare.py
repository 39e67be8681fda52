"""`othello experiment compare`: compare several runs in tables and a picture."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from rich.console import Console

from othello_lab.commands import fields
from othello_lab.commands.errors import blaming
from othello_lab.commands.options import argument, option, options, takes

if TYPE_CHECKING:
    from othello_lab.experiment.run.run_folder import RunFolder

    Groups = Mapping[str, Sequence[RunFolder]]

PICTURE: Final = "comparison.png"


@options
class _Options:
    runs: tuple[str, ...] = argument(metavar="RUN...", nargs=-1, shell_complete=fields.complete_run)
    sweep: str | None = option("Compare the runs of the sweep with this name or this folder.", metavar="NAME")
    output: Path | None = option(
        f"File of the picture.  [default: {PICTURE} in the folder of the runs]", type=fields.FILE
    )
    runs_dir: Path = fields.runs_dir()


@takes(_Options)
def command(options: _Options) -> None:
    """Compare the evaluations of runs in tables and a picture.

    RUN is the name or the folder of a run. Runs that differ only in the seed count as one run. Each board
    size has its own tables.
    """
    from othello_lab.experiment.compare.runs import check_each_once, grouped, same_seeds
    from othello_lab.experiment.compare.sweep import folder_of
    from othello_lab.experiment.run.run_folder import RunFolder
    from othello_lab.experiment.show.plots import check_suffix

    if bool(options.runs) == bool(options.sweep):
        raise click.UsageError("expected either runs or --sweep")
    if options.output:
        with blaming("--output"):
            check_suffix(options.output)
    differences: Mapping[str, str] = {}
    if options.sweep:
        folder = folder_of(options.runs_dir, options.sweep)
        groups = variants_of(folder)
    else:
        folders = [RunFolder.open(options.runs_dir, name) for name in options.runs]
        check_each_once(folders)
        groups, differences = grouped(folders)
        folder = folders[0].path.parent
        for line in same_seeds(groups):
            click.echo(line, err=True)
    for run in (run for runs in groups.values() for run in runs):
        for line in run.unreadable_rows():
            click.echo(f"{run.path.name}: {line}", err=True)
    compare(groups, options.output or folder / PICTURE)
    for name, differing in differences.items():
        if differing:
            click.echo(f"options of {name}: {differing}")


def variants_of(folder: Path) -> "Groups":
    """Return the runs of the sweep in a folder, by variant."""
    from othello_lab.experiment.compare.sweep import recorded_variants, runs_of

    return {variant: runs_of(folder, variant) for variant in recorded_variants(folder)}


def compare(runs: "Groups", picture: Path) -> None:
    """Print tables that compare groups of runs, and save the figure as `picture`."""
    from othello_lab.experiment.compare import run_figures
    from othello_lab.experiment.compare.runs import read_groups, tables
    from othello_lab.experiment.show.plots import save_both
    from othello_lab.experiment.show.tables import grid

    groups, left_out = read_groups(runs)
    if left_out:
        click.echo(f"left out, not finished or without evaluations: {', '.join(left_out)}", err=True)
    if not groups:
        raise click.ClickException("nothing to compare: no run is finished and has an evaluation")
    console, every = Console(), [*tables(groups)]
    console.print(*map(grid, every))
    console.print(*dict.fromkeys(table.says for table in every), sep="\n", markup=False, highlight=False)
    click.echo(f"picture: {save_both(run_figures.of_evaluations(groups), picture)}, and the same as .svg")
