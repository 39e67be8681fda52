"""`othello experiment compare`: tables and pictures of several runs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello.ending import blaming, reported_errors
from othello.options import takes
from othello.policy_matches import PICTURE, CompareOptions, compare_policies, print_tables, say_where

if TYPE_CHECKING:
    from experiment.compare.sweep.folder import SweepFolder
    from experiment.run.results.run_folder import RunFolder

    Groups = Mapping[str, Sequence[RunFolder]]


@takes(CompareOptions)
def command(said: CompareOptions) -> None:
    """Compare runs (names or folders): tables and pictures of what they win, and of how training went.

    Runs that differ only in the seed count as one. Each size of board has tables of its own.
    """
    if bool(said.runs) == bool(said.sweep):
        raise click.UsageError("expected either runs or --sweep")
    if said.output:
        _check_picture(said.output)
    with reported_errors():
        runs_dir = said.runs_dir
        groups, differences, beside = (
            _sweep(runs_dir, said.sweep) if said.sweep else _runs(runs_dir, said.runs)
        )
        picture = said.output or beside / PICTURE
        _say_what_is_damaged(groups)
        _compare(groups, picture, said.markdown, needed=not said.opponent)
        for name, own in differences.items():
            if own:
                click.echo(f"options of {name}: {own}", err=said.markdown)
        if said.opponent:
            compare_policies(groups, picture, said)


def _check_picture(path: Path) -> None:
    from experiment.show.plots import check_suffix

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
    from experiment.compare.sweep import figures
    from experiment.compare.sweep.comparison import read_groups
    from experiment.compare.sweep.tables import tables
    from experiment.show.plots import save_both

    groups, left_out = read_groups(runs)
    if left_out:
        click.echo(f"left out, not finished or without evaluations: {', '.join(left_out)}", err=True)
    if groups:
        print_tables(tables(groups), as_markdown)
        say_where(save_both(figures.of_evaluations(groups), picture), as_markdown)
    elif needed:
        raise click.ClickException("nothing to compare: no run has come to its end with an evaluation")
    training = figures.of_training(runs)
    if training:
        own = picture.with_stem(f"{picture.stem}-training")
        say_where(save_both(training, own), as_markdown)
