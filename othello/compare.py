"""`othello experiment compare`: tables and a picture of several runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello.completion import a_run
from othello.ending import reported_errors
from othello.options import runs_dir_option

if TYPE_CHECKING:
    from experiment.results.run_folder import RunFolder
    from experiment.sweep.folder import SweepFolder

PICTURE = "comparison.png"


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, shell_complete=a_run)
@click.option("--sweep", metavar="NAME", help="The runs of a sweep, given by its name or its folder.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"Where the picture goes.  [default: {PICTURE} beside the runs]",
)
@click.option("--markdown", is_flag=True, help="Print the tables as Markdown.")
@runs_dir_option("Where run folders are.")
def command(
    runs: Sequence[str], sweep: str | None, output: Path | None, markdown: bool, runs_dir: Path
) -> None:
    """Compare runs (names or folders): tables and a picture of what they won without exploration.

    Runs that differ in the seed only are put together. Boards of unlike sizes stand apart.
    """
    if bool(runs) == bool(sweep):
        raise click.UsageError("expected either runs or --sweep")
    with reported_errors():
        if sweep:
            from experiment.sweep.folder import SweepFolder

            compare_sweep(SweepFolder.open(runs_dir, sweep), output, markdown)
            return
        from experiment.results.run_folder import RunFolder
        from experiment.sweep.differences import grouped

        folders = [RunFolder.open(runs_dir, name) for name in runs]
        groups, differences = grouped(folders)
        _compare(groups, output or folders[0].path.parent / PICTURE, markdown)
        for name, own in differences.items():
            if own:
                click.echo(f"{name}: {own}", err=markdown)


def compare_sweep(folder: "SweepFolder", output: Path | None, as_markdown: bool) -> None:
    """Print the tables of a sweep and draw its picture, into its own folder unless told otherwise."""
    groups = {variant: folder.runs(variant) for variant in folder.variants()}
    _compare(groups, output or folder.path / PICTURE, as_markdown)


def _compare(runs: dict[str, list["RunFolder"]], output: Path, as_markdown: bool) -> None:
    """Print the tables and draw the picture."""
    from rich.console import Console

    from experiment.statistics.runs import OVER_RUNS
    from experiment.sweep.comparison import read_groups
    from experiment.sweep.figure import draw
    from experiment.sweep.tables import markdown, rich_table, tables

    groups, left_out = read_groups(runs)
    if left_out:
        click.echo(f"left out, not finished or without evaluations: {', '.join(left_out)}", err=True)
    if not groups:
        raise click.ClickException("nothing to compare: no run has come to its end with an evaluation")
    if as_markdown:
        click.echo("\n\n".join(markdown(table) for table in tables(groups)))
    else:
        Console().print(*(rich_table(table) for table in tables(groups)))
        click.echo(OVER_RUNS)
    output.parent.mkdir(parents=True, exist_ok=True)
    draw(groups, output)
    click.echo(f"picture: {output}", err=as_markdown)
