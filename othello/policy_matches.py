"""Matches of what runs learned by each checkpoint, and the options and the output of a comparison."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from othello.candidates import opponents
from othello.ending import interruptible, playing
from othello.openings import Matches, lines_of
from othello.options import argument, option, options
from othello.player_names import named
from othello.shared_options import FILE, a_player_or_run, a_run, a_runs_dir, a_seed
from othello.workers import workers
from rlglue.exit_codes import INTERRUPTED

if TYPE_CHECKING:
    from experiment.compare.judging.trial import Judgement, Trial
    from experiment.compare.sweep.policies import Policy, PolicyResult
    from experiment.run.results.run_folder import RunFolder
    from experiment.show.tables import Table


PICTURE: Final = "comparison.png"


@options
class _Against:
    sweep: str | None = option("Compare the runs of this sweep: its name or its folder.", metavar="NAME")
    opponent: tuple[str, ...] = option(
        "Play the policy of every kept checkpoint of every run against this player.",
        metavar="TEXT",
        shell_complete=a_player_or_run,
        section="Matches of what was learned",
    )


@options
class CompareOptions(_Against, Matches):
    """Options of `othello experiment compare`."""

    runs: tuple[str, ...] = argument(metavar="RUN...", nargs=-1, shell_complete=a_run)
    seed: int = a_seed("Seed of these matches.")
    output: Path | None = option(
        f"The first picture; the others go beside it.  [default: {PICTURE} beside the runs]",
        type=FILE,
        section="Results",
    )
    markdown: bool = option("Print the tables as Markdown.")
    runs_dir: Path = a_runs_dir()


def compare_policies(
    groups: "Mapping[str, Sequence[RunFolder]]", picture: Path, said: CompareOptions
) -> None:
    """Play the matches, print their tables, draw their picture and write them down beside it."""
    from experiment.compare.sweep.figures import of_policies
    from experiment.compare.sweep.policies import policies
    from experiment.compare.sweep.tables import match_table, policy_tables
    from experiment.show.plots import save_both
    from experiment.show.tables import as_csv
    from game.files import replace

    kept = policies(groups)
    _say_what_is_missing(groups, kept)
    trials = [pair for policy in kept for pair in _trials(policy, said)]
    results = _play(trials, said)
    if results:
        print_tables(policy_tables(results), said.markdown)
        own = picture.with_stem(f"{picture.stem}-policies")
        say_where(save_both(of_policies(results), own), said.markdown)
        replace(own.with_suffix(".csv"), as_csv(match_table(results)))
    if len(results) < len(trials):
        click.echo(f"stopped after {len(results)} of {len(trials)} matches", err=True)
        raise SystemExit(INTERRUPTED)


def _say_what_is_missing(groups: "Mapping[str, Sequence[RunFolder]]", kept: "Sequence[Policy]") -> None:
    """Say which runs kept only their last checkpoints, or none; raise ClickException if all kept none."""
    for folders in groups.values():
        for folder in folders:
            own = [policy for policy in kept if policy.run == folder.path.name]
            if not any(policy.was_kept for policy in own):
                what = f"only its newest {len(own)} checkpoints" if own else "no checkpoint"
                click.echo(f"{folder.path.name} kept {what}: --keep-policies keeps all", err=True)
    if not kept:
        raise click.ClickException("no run has kept anything to play with: train with --keep-policies")


def _trials(policy: "Policy", said: CompareOptions) -> "list[tuple[Policy, Trial]]":
    """Return the matches of a policy; raise click.BadParameter."""
    from experiment.compare.judging.trial import Trial
    from experiment.compare.sweep.policies import in_words

    found = named(str(policy.path), said.runs_dir, "RUN")
    assert found.size  # noqa: S101  a checkpoint is of one board
    lines = lines_of(said.openings, found.size)
    rest = found.size, lines, said.repeat, said.seed, in_words(policy)
    others = opponents(said.opponent, found.size, said.runs_dir)
    return [(policy, Trial(found.text, text, *rest, name)) for name, text in others.items()]


def _play(trials: "Sequence[tuple[Policy, Trial]]", said: CompareOptions) -> "list[PolicyResult]":
    """Play matches; after an interrupt only those that came to their end count."""
    from rich.console import Console

    from experiment.compare.judging.judge import judge, played_by
    from experiment.compare.sweep.policies import PolicyResult
    from game.threads import use_threads

    use_threads(1)
    judgements: list[Judgement] = []
    with playing(), interruptible(), workers(said.jobs, said.ray) as playing_on:
        judge([trial for _, trial in trials], played_by(playing_on), Console(stderr=True), judgements)
    whole = [each for each in judgements if each.summary.total.games == each.trial.games]
    return [
        PolicyResult(policy, each.trial.opponent, each.summary)
        for (policy, _), each in zip(trials, whole, strict=False)
    ]


def print_tables(tables: "Sequence[Table]", as_markdown: bool) -> None:
    """Print tables, as Markdown if asked, and what their intervals are."""
    from rich.console import Console

    from experiment.show.tables import as_markdown as markdown_of
    from experiment.show.terminal import grid

    if as_markdown:
        click.echo("\n\n".join(markdown_of(table) for table in tables))
        return
    console = Console()
    console.print(*(grid(table) for table in tables))
    console.print(*dict.fromkeys(table.says for table in tables), sep="\n", markup=False, highlight=False)


def say_where(picture: Path, as_markdown: bool) -> None:
    """Say where a picture is; Markdown is not disturbed by that."""
    click.echo(f"picture: {picture}, and the same as .svg", err=as_markdown)
