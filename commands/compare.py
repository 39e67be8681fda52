"""`othello experiment compare`: tables and pictures of several runs, and matches of what they learned."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from rich.console import Console

from othello_lab.commands.checks import named, opponents
from othello_lab.commands.ending import blaming
from othello_lab.commands.openings import Matches, lines_of
from othello_lab.commands.options import argument, option, options, takes
from othello_lab.commands.reporting import interruptible, playing, reported_errors
from othello_lab.commands.shared_options import FILE, a_player_text, a_run, a_runs_dir, a_seed
from othello_lab.commands.workers import workers

if TYPE_CHECKING:
    from othello_lab.experiment.compare.judging.trial import Judgement, Trial
    from othello_lab.experiment.compare.runs import Policy, PolicyResult
    from othello_lab.experiment.compare.sweep import SweepFolder
    from othello_lab.experiment.run.run_folder import RunFolder
    from othello_lab.experiment.show.tables import Table

    Groups = Mapping[str, Sequence[RunFolder]]

PICTURE: Final = "comparison.png"


@options
class _Against:
    sweep: str | None = option("Compare the runs of this sweep: its name or its folder.", metavar="NAME")
    opponent: tuple[str, ...] = a_player_text(
        "Play the policy of every kept checkpoint of every run against this player.",
        section="Matches of what was learned",
    )


@options
class _Options(_Against, Matches):
    runs: tuple[str, ...] = argument(metavar="RUN...", nargs=-1, shell_complete=a_run)
    seed: int = a_seed("Seed of these matches.")
    output: Path | None = option(
        f"The first picture; the others go beside it.  [default: {PICTURE} beside the runs]",
        type=FILE,
        section="Results",
    )
    markdown: bool = option("Print the tables as Markdown.")
    runs_dir: Path = a_runs_dir()


@takes(_Options)
def command(said: _Options) -> None:
    """Compare runs (names or folders): tables and pictures of what they win, and of how training went.

    Runs that differ only in the seed count as one. Each size of board has tables of its own.
    """
    if bool(said.runs) == bool(said.sweep):
        raise click.UsageError("expected either runs or --sweep")
    if said.output:
        from othello_lab.experiment.show.plots import check_suffix

        with blaming("--output"):
            check_suffix(said.output)
    with reported_errors():
        groups, differences, beside = _sweep(said.runs_dir, said.sweep) if said.sweep else _runs(said)
        picture = said.output or beside / PICTURE
        _say_what_is_damaged(groups)
        _compare(groups, picture, said.markdown, needed=not said.opponent)
        for name, own in differences.items():
            if own:
                click.echo(f"options of {name}: {own}", err=said.markdown)
        if said.opponent:
            _compare_policies(groups, picture, said)


def _say_what_is_damaged(groups: "Groups") -> None:

    for folders in groups.values():
        for folder in folders:
            for line in folder.unreadable_rows():
                click.echo(f"{folder.path.name}: {line}", err=True)


def _runs(said: _Options) -> "tuple[Groups, Mapping[str, str], Path]":
    """Return runs, those that differ in the seed only together, what sets them apart, and where they are."""
    from othello_lab.experiment.compare.runs import check_each_once, grouped, same_seeds
    from othello_lab.experiment.run.run_folder import RunFolder

    folders = [RunFolder.open(said.runs_dir, name) for name in said.runs]
    check_each_once(folders)
    groups, differences = grouped(folders)
    for line in same_seeds(groups):
        click.echo(line, err=True)
    return groups, differences, folders[0].path.parent


def _sweep(runs_dir: Path, name: str) -> "tuple[Groups, Mapping[str, str], Path]":
    """Return the same of a sweep, whose variants say themselves what sets them apart."""
    from othello_lab.experiment.compare.sweep import SweepFolder

    folder = SweepFolder.open(runs_dir, name)
    return _variants(folder), {}, folder.path


def _variants(folder: "SweepFolder") -> "Groups":
    return {variant: folder.runs(variant) for variant in folder.variants()}


def compare_sweep(folder: "SweepFolder", as_markdown: bool) -> None:
    """Print the tables of a sweep and draw its pictures, into its own folder."""
    _compare(_variants(folder), folder.path / PICTURE, as_markdown)


def _compare(runs: "Groups", picture: Path, as_markdown: bool, needed: bool = True) -> None:
    """Print the tables and draw the pictures; raise ClickException if there is nothing and it is needed."""
    from othello_lab.experiment.compare import run_figures
    from othello_lab.experiment.compare.runs import read_groups, tables
    from othello_lab.experiment.show.plots import save_both

    groups, left_out = read_groups(runs)
    if left_out:
        click.echo(f"left out, not finished or without evaluations: {', '.join(left_out)}", err=True)
    if groups:
        _print_tables([*tables(groups)], as_markdown)
        _say_where(save_both(run_figures.of_evaluations(groups), picture), as_markdown)
    elif needed:
        raise click.ClickException("nothing to compare: no run has come to its end with an evaluation")
    training = run_figures.of_training(runs)
    if training:
        own = picture.with_stem(f"{picture.stem}-training")
        _say_where(save_both(training, own), as_markdown)


def _compare_policies(groups: "Groups", picture: Path, said: _Options) -> None:
    """Play the matches, print their tables, draw their picture and write them down beside it."""
    from othello_lab.experiment.compare.run_figures import of_policies
    from othello_lab.experiment.compare.runs import match_table, policies, policy_tables
    from othello_lab.experiment.show.plots import save_both
    from othello_lab.experiment.show.tables import as_csv
    from othello_lab.game.files import replace

    kept = policies(groups)
    _say_what_is_missing(groups, kept)
    trials = [pair for policy in kept for pair in _trials(policy, said)]
    results, exit_status = _play(trials, said)
    if results:
        _print_tables([*policy_tables(results)], said.markdown)
        own = picture.with_stem(f"{picture.stem}-policies")
        _say_where(save_both(of_policies(results), own), said.markdown)
        replace(own.with_suffix(".csv"), as_csv(match_table(results)))
    if len(results) < len(trials):
        click.echo(f"stopped after {len(results)} of {len(trials)} matches", err=True)
        raise SystemExit(exit_status)


def _say_what_is_missing(groups: "Groups", kept: "Sequence[Policy]") -> None:
    """Say which runs kept only their last checkpoints, or none; raise ClickException if all kept none."""
    for folders in groups.values():
        for folder in folders:
            own = [policy for policy in kept if policy.run == folder.path.name]
            if not any(policy.was_kept for policy in own):
                what = f"only its newest {len(own)} checkpoints" if own else "no checkpoint"
                click.echo(f"{folder.path.name} kept {what}: --keep-policies keeps all", err=True)
    if not kept:
        raise click.ClickException("no run has kept anything to play with: train with --keep-policies")


def _trials(policy: "Policy", said: _Options) -> "list[tuple[Policy, Trial]]":
    """Return the matches of a policy; raise click.BadParameter."""
    from othello_lab.experiment.compare.judging.trial import Trial

    found = named(str(policy.path), said.runs_dir, "RUN")
    assert found.size  # noqa: S101  a checkpoint is of one board
    lines = lines_of(said.openings, found.size)
    rest = found.size, lines, said.repeat, said.seed, str(policy)
    others = opponents(said.opponent, found.size, said.runs_dir)
    return [(policy, Trial(found.text, text, *rest, name)) for name, text in others.items()]


def _play(trials: "Sequence[tuple[Policy, Trial]]", said: _Options) -> "tuple[list[PolicyResult], int]":
    """Play matches; after an interrupt only those that came to their end count, and its exit code is told."""
    from othello_lab.experiment.compare.judging.trial import judge, played_by
    from othello_lab.experiment.compare.runs import PolicyResult
    from othello_lab.game.threads import use_threads

    use_threads(1)
    judgements: list[Judgement] = []
    with playing(), interruptible() as interrupts, workers(said.jobs, said.ray) as playing_on:
        judge([trial for _, trial in trials], played_by(playing_on), Console(stderr=True), judgements)
    whole = [each for each in judgements if each.summary.total.games == each.trial.games]
    results = [
        PolicyResult(policy, each.trial.opponent, each.summary)
        for (policy, _), each in zip(trials, whole, strict=False)
    ]
    return results, interrupts.exit_status


def _print_tables(tables: "Sequence[Table]", as_markdown: bool) -> None:
    """Print tables, as Markdown if asked, and what their intervals are."""
    from othello_lab.experiment.show.tables import as_markdown as markdown_of
    from othello_lab.experiment.show.tables import grid

    if as_markdown:
        click.echo("\n\n".join(markdown_of(table) for table in tables))
        return
    console = Console()
    console.print(*(grid(table) for table in tables))
    console.print(*dict.fromkeys(table.says for table in tables), sep="\n", markup=False, highlight=False)


def _say_where(picture: Path, as_markdown: bool) -> None:
    """Say where a picture is; Markdown is not disturbed by that."""
    click.echo(f"picture: {picture}, and the same as .svg", err=as_markdown)
