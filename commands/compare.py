"""`othello experiment compare`: tables and pictures of several runs, and matches of their policies."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from rich.console import Console

from othello_lab.commands import fields
from othello_lab.commands.checks import named, opponents
from othello_lab.commands.errors import blaming
from othello_lab.commands.openings import Matches, lines_of
from othello_lab.commands.options import argument, option, options, takes
from othello_lab.commands.workers import interruptible, playing, workers

if TYPE_CHECKING:
    from othello_lab.experiment.compare.evaluate import Judgement, Trial
    from othello_lab.experiment.compare.runs import Policy
    from othello_lab.experiment.compare.sweep import SweepFolder
    from othello_lab.experiment.run.run_folder import RunFolder
    from othello_lab.experiment.show.tables import Table

    Groups = Mapping[str, Sequence[RunFolder]]

PICTURE: Final = "comparison.png"


@options
class _Against:
    sweep: str | None = option("Compare the runs of this sweep: its name or its folder.", metavar="NAME")
    opponent: tuple[str, ...] = fields.player(
        "Play the policy of every kept checkpoint of every run against this player.",
        section="Matches of policies",
    )


@options
class _Options(Matches, _Against):
    runs: tuple[str, ...] = argument(metavar="RUN...", nargs=-1, shell_complete=fields.complete_run)
    seed: int = fields.seed("Seed of these matches.")
    output: Path | None = option(
        "File of the first picture; the others are saved in the same folder.  "
        f"[default: {PICTURE} beside the runs]",
        type=fields.FILE,
        section="Results",
    )
    markdown: bool = option("Print the tables as Markdown.")
    runs_dir: Path = fields.runs_dir()


@takes(_Options)
def command(options: _Options) -> None:
    """Compare runs (names or folders) in tables and pictures: their evaluations and learning curves.

    Runs that differ only in the seed count as one. Each board size has its own tables.
    """
    from othello_lab.experiment.compare.runs import check_each_once, grouped, same_seeds
    from othello_lab.experiment.compare.sweep import SweepFolder
    from othello_lab.experiment.run.run_folder import RunFolder
    from othello_lab.experiment.show.plots import check_suffix

    if bool(options.runs) == bool(options.sweep):
        raise click.UsageError("expected either runs or --sweep")
    if options.output:
        with blaming("--output"):
            check_suffix(options.output)
    differences: Mapping[str, str] = {}
    if options.sweep:
        sweep = SweepFolder.open(options.runs_dir, options.sweep)
        groups, folder = _variants(sweep), sweep.path
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
    picture = options.output or folder / PICTURE
    _compare(groups, picture, options.markdown, is_needed=not options.opponent)
    for name, own in differences.items():
        if own:
            click.echo(f"options of {name}: {own}", err=options.markdown)
    if options.opponent:
        _compare_policies(groups, picture, options)


def _variants(folder: "SweepFolder") -> "Groups":
    return {variant: folder.runs(variant) for variant in folder.variants()}


def compare_sweep(folder: "SweepFolder", as_markdown: bool) -> None:
    """Print the tables of a sweep and draw its pictures in the folder of the sweep."""
    _compare(_variants(folder), folder.path / PICTURE, as_markdown)


def _compare(runs: "Groups", picture: Path, as_markdown: bool, is_needed: bool = True) -> None:
    """Print tables and draw pictures; raise ClickException if `is_needed` and no run can be compared."""
    from othello_lab.experiment.compare import run_figures
    from othello_lab.experiment.compare.runs import read_groups, tables

    groups, left_out = read_groups(runs)
    if left_out:
        click.echo(f"left out, not finished or without evaluations: {', '.join(left_out)}", err=True)
    if groups:
        _print_tables([*tables(groups)], as_markdown)
        _save(run_figures.of_evaluations(groups), picture, as_markdown)
    elif is_needed:
        raise click.ClickException("nothing to compare: no run has come to its end with an evaluation")
    if training := run_figures.of_training(runs):
        _save(training, picture.with_stem(f"{picture.stem}-training"), as_markdown)


def _compare_policies(groups: "Groups", picture: Path, options: _Options) -> None:
    """Play the matches of the policies, print tables, draw a picture, and write a CSV file beside it."""
    from othello_lab.experiment.compare.evaluate import judge, played_by
    from othello_lab.experiment.compare.run_figures import of_policies
    from othello_lab.experiment.compare.runs import PolicyResult, match_table, policies, policy_tables
    from othello_lab.experiment.show.tables import as_csv
    from othello_lab.game.safe_files import replace
    from othello_lab.game.threads import use_threads

    use_threads(1)
    kept = policies(groups)
    _report_missing(groups, kept)
    trials = [pair for policy in kept for pair in _trials(policy, options)]
    judgements: list[Judgement] = []
    with interruptible() as interrupts, playing(), workers(options.jobs, options.ray) as processes:
        judge([trial for _, trial in trials], played_by(processes), Console(stderr=True), judgements)
    results = [
        PolicyResult(policy, one.trial.opponent, one.summary)
        for (policy, _), one in zip(trials, judgements, strict=False)
        if one.summary.total.games == one.trial.games  # leave out an interrupted match
    ]
    if results:
        _print_tables([*policy_tables(results)], options.markdown)
        own = picture.with_stem(f"{picture.stem}-policies")
        _save(of_policies(results), own, options.markdown)
        replace(own.with_suffix(".csv"), as_csv(match_table(results)))
    if len(results) < len(trials):
        click.echo(f"stopped after {len(results)} of {len(trials)} matches", err=True)
        raise SystemExit(interrupts.exit_status)


def _report_missing(groups: "Groups", kept: "Sequence[Policy]") -> None:
    """Print which runs kept only their newest checkpoints, or none; raise ClickException if there is none."""
    for folder in (folder for folders in groups.values() for folder in folders):
        own = [policy for policy in kept if policy.run == folder.path.name]
        if not any(policy.was_kept for policy in own):
            what = f"only its newest {len(own)} checkpoints" if own else "no checkpoint"
            click.echo(f"{folder.path.name} kept {what}: --keep-policies keeps all", err=True)
    if not kept:
        raise click.ClickException("no run has kept anything to play with: train with --keep-policies")


def _trials(policy: "Policy", options: _Options) -> "list[tuple[Policy, Trial]]":
    from othello_lab.experiment.compare.evaluate import Trial

    player = named(str(policy.path), options.runs_dir, "RUN")
    assert player.size  # noqa: S101  a checkpoint is for one board size
    lines = lines_of(options.openings, player.size)
    rest = player.size, lines, options.repeat, options.seed, str(policy)
    others = opponents(options.opponent, player.size, options.runs_dir)
    return [(policy, Trial(player.text, text, *rest, name)) for name, text in others.items()]


def _print_tables(tables: "Sequence[Table]", as_markdown: bool) -> None:
    """Print tables as Markdown, or as text followed by explanations of their intervals."""
    from othello_lab.experiment.show.tables import as_markdown as markdown_of
    from othello_lab.experiment.show.tables import grid

    if as_markdown:
        click.echo("\n\n".join(markdown_of(table) for table in tables))
        return
    console = Console()
    console.print(*(grid(table) for table in tables))
    console.print(*dict.fromkeys(table.says for table in tables), sep="\n", markup=False, highlight=False)


def _save(figure: Any, picture: Path, as_markdown: bool) -> None:
    from othello_lab.experiment.show.plots import save_both

    click.echo(f"picture: {save_both(figure, picture)}, and the same as .svg", err=as_markdown)
