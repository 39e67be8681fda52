"""`othello experiment compare`: tables and pictures of several runs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from othello.comparison_output import print_tables, say_where
from othello.completion import a_player_or_run, a_run
from othello.ending import blaming, reported_errors
from othello.groups import Command, section
from othello.options import openings_options, runs_dir_option, seed_option
from othello.policy_matches import compare_policies
from othello.workers import workers_options

if TYPE_CHECKING:
    from experiment.compare.sweep.folder import SweepFolder
    from experiment.run.results.run_folder import RunFolder

    Groups = Mapping[str, Sequence[RunFolder]]

PICTURE = "comparison.png"


@click.command(cls=Command)
@click.argument("runs", metavar="RUN...", nargs=-1, shell_complete=a_run)
@click.option("--sweep", metavar="NAME", help="Compare the runs of this sweep: its name or its folder.")
@section(
    "Matches of what was learned",
    click.option(
        "--opponent",
        multiple=True,
        metavar="TEXT",
        shell_complete=a_player_or_run,
        help="Play the policy of every kept checkpoint of every run against this player.",
    ),
    openings_options,
    seed_option("Seed of these matches."),
    workers_options,
)
@section(
    "Results",
    click.option(
        "--output",
        type=click.Path(dir_okay=False, path_type=Path),
        help=f"The first picture; the others go beside it.  [default: {PICTURE} beside the runs]",
    ),
    click.option("--markdown", is_flag=True, help="Print the tables as Markdown."),
)
@runs_dir_option("Where run folders are.")
def command(
    runs: Sequence[str],
    sweep: str | None,
    output: Path | None,
    markdown: bool,
    runs_dir: Path,
    **matches: Any,  # noqa: ANN401  options
) -> None:
    """Compare runs (names or folders): tables and pictures of what they win, and of how training went.

    Runs that differ only in the seed count as one. Each size of board has tables of its own.
    """
    if bool(runs) == bool(sweep):
        raise click.UsageError("expected either runs or --sweep")
    if output:
        _check_picture(output)
    with reported_errors():
        groups, differences, beside = _sweep(runs_dir, sweep) if sweep else _runs(runs_dir, runs)
        picture = output or beside / PICTURE
        _say_what_is_damaged(groups)
        _compare(groups, picture, markdown, needed=not matches["opponent"])
        for name, own in differences.items():
            if own:
                click.echo(f"{name}: {own}", err=markdown)
        if matches["opponent"]:
            compare_policies(groups, picture, markdown, runs_dir, matches)


def _check_picture(path: Path) -> None:
    from experiment.show.pictures import check_suffix

    with blaming("--output"):
        check_suffix(path)


def _say_what_is_damaged(groups: "Groups") -> None:
    from experiment.run.results.unreadable import unreadable_rows

    for folders in groups.values():
        for folder in folders:
            for line in unreadable_rows(folder):
                click.echo(f"{folder.path.name}: {line}", err=True)


def _runs(runs_dir: Path, names: Sequence[str]) -> "tuple[Groups, Mapping[str, str], Path]":
    """Return runs, those that differ in the seed only together, what sets them apart, and where they are."""
    from experiment.compare.sweep.differences import check_each_once, grouped, same_seeds
    from experiment.run.results.run_folder import RunFolder

    folders = [RunFolder.open(runs_dir, name) for name in names]
    check_each_once(folders)
    groups, differences = grouped(folders)
    for line in same_seeds(groups):
        click.echo(line, err=True)
    return groups, differences, folders[0].path.parent


def _sweep(runs_dir: Path, name: str) -> "tuple[Groups, Mapping[str, str], Path]":
    """Return the same of a sweep, whose variants say themselves what sets them apart."""
    from experiment.compare.sweep.folder import SweepFolder

    folder = SweepFolder.open(runs_dir, name)
    return _variants(folder), {}, folder.path


def _variants(folder: "SweepFolder") -> "Groups":
    return {variant: folder.runs(variant) for variant in folder.variants()}


def compare_sweep(folder: "SweepFolder", as_markdown: bool) -> None:
    """Print the tables of a sweep and draw its pictures, into its own folder."""
    _compare(_variants(folder), folder.path / PICTURE, as_markdown)


def _compare(runs: "Groups", picture: Path, as_markdown: bool, needed: bool = True) -> None:
    """Print the tables and draw the pictures; raise ClickException if there is nothing and it is needed."""
    from experiment.compare.sweep import figure, running_figure
    from experiment.compare.sweep.comparison import read_groups
    from experiment.compare.sweep.tables import tables
    from experiment.show.pictures import save_both

    groups, left_out = read_groups(runs)
    if left_out:
        click.echo(f"left out, not finished or without evaluations: {', '.join(left_out)}", err=True)
    if groups:
        print_tables(tables(groups), as_markdown)
        say_where(save_both(figure.figure_of(groups), picture), as_markdown)
    elif needed:
        raise click.ClickException("nothing to compare: no run has come to its end with an evaluation")
    training = running_figure.figure_of(runs)
    if training:
        own = picture.with_stem(f"{picture.stem}-training")
        say_where(save_both(training, own), as_markdown)
