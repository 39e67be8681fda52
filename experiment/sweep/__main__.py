"""`othello experiment sweep` and `compare`: runs that differ in an option or two."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello import training_options as options
from othello.completion import a_run
from othello.config_file import checked, read_toml
from othello.options import run, runs_dir_option
from rlglue.messages import shortened

if TYPE_CHECKING:
    from experiment.results.run_folder import RunFolder
    from experiment.sweep.folder import SweepFolder
    from experiment.sweep.variants import Sweep, Variant

PICTURE = "comparison.png"

_runs_dir = runs_dir_option("Where run folders are.")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--jobs", type=click.IntRange(1), default=2, show_default=True, help="Runs at once.")
@click.option("--seeds", metavar="0,1,2", help="Take these instead of the file's.")
@_runs_dir
def sweep(file: Path, jobs: int, seeds: str | None, runs_dir: Path) -> None:
    """Carry out the runs that FILE describes, and compare them.

    FILE is TOML: shared options at the top or in [run], `seeds = [0, 1, 2]`, and a table [variants.NAME] for
    each variant. Ctrl-C has the runs save; the same command goes on.
    """
    with options.foreseen():
        plan = _read(file, seeds)
        from experiment.results.lock import held
        from experiment.sweep.folder import SweepFolder
        from experiment.sweep.runner import run_sweep

        folder = SweepFolder.make(runs_dir, file.stem)
        with options.interrupts() as interrupts, held(folder.path):
            folder.record_variants(plan)
            failed = run_sweep(plan, folder, jobs, interrupts)
        if interrupts.requested:
            click.echo("stopped; go on with the same command")
            options.end_of(interrupts)
        _compare_sweep(folder, None, as_markdown=False)
        _say_how_to_repeat(plan)
    if failed:
        raise click.ClickException(f"{failed} of {len(plan.jobs())} runs failed: see the lines above")


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, shell_complete=a_run)
@click.option("--sweep", metavar="NAME", help="The runs of a sweep, given by its name or its folder.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"Where the picture goes.  [default: {PICTURE} beside the runs]",
)
@click.option("--markdown", is_flag=True, help="Print the tables as Markdown.")
@_runs_dir
def compare(
    runs: Sequence[str], sweep: str | None, output: Path | None, markdown: bool, runs_dir: Path
) -> None:
    """Compare runs (names or folders): tables and a picture of what they won without exploration.

    Runs that differ in the seed only are put together. Boards of unlike sizes stand apart.
    """
    if bool(runs) == bool(sweep):
        raise click.UsageError("expected either runs or --sweep")
    with options.foreseen():
        if sweep:
            from experiment.sweep.folder import SweepFolder

            _compare_sweep(SweepFolder.open(runs_dir, sweep), output, markdown)
            return
        from experiment.results.run_folder import RunFolder
        from experiment.sweep.settings import grouped

        folders = [RunFolder.open(runs_dir, name) for name in runs]
        groups, differences = grouped(folders)
        _compare(groups, output or folders[0].path.parent / PICTURE, markdown)
        for name, own in differences.items():
            if own:
                click.echo(f"{name}: {own}", err=markdown)


def _read(file: Path, seeds: str | None) -> "Sweep":
    """Return the sweep of a file; raise UsageError if one of its variants cannot be carried out."""
    from experiment.sweep.variants import SweepError, read_sweep

    table = read_toml(file)
    try:
        plan = read_sweep(table, None if seeds is None else [int(word) for word in seeds.split(",")])
    except SweepError as error:
        raise click.UsageError(f"{file}: {error}") from None
    except ValueError:
        said = shortened(seeds or "", 80)
        raise click.BadParameter(f"{said!r} is no list such as 0,1,2", param_hint="--seeds") from None
    for variant in plan.variants:
        _check(variant, f"{file}, variant {variant.name}")
    return plan


def _check(variant: "Variant", where: str) -> None:
    from experiment.__main__ import check_in_process, train

    checked(click.Context(train), variant.options, where)
    try:
        check_in_process(train.make_context("train", variant.arguments(0)[2:]).params)
    except click.UsageError as error:
        raise click.UsageError(f"{where}: {error.format_message()}") from None


def _compare_sweep(folder: "SweepFolder", output: Path | None, as_markdown: bool) -> None:
    groups = {variant: folder.runs(variant) for variant in folder.variants()}
    _compare(groups, output or folder.path / PICTURE, as_markdown)


def _compare(runs: dict[str, list["RunFolder"]], output: Path, as_markdown: bool) -> None:
    """Print the tables and draw the picture."""
    from rich.console import Console

    from experiment.sweep.comparison import read_groups
    from experiment.sweep.figure import draw
    from experiment.sweep.statistics import INTERVAL
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
        click.echo(INTERVAL)
    output.parent.mkdir(parents=True, exist_ok=True)
    draw(groups, output)
    click.echo(f"picture: {output}", err=as_markdown)


def _say_how_to_repeat(plan: "Sweep") -> None:
    from experiment.display.shell_commands import othello

    click.echo("a run of each variant by itself:")
    for variant in plan.variants:
        click.echo(f"  {othello(*variant.arguments(plan.seeds[0]))}")


if __name__ == "__main__":
    run(sweep)
