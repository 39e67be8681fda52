"""Matches of what runs had learned by each of their checkpoints, with opponents that are named afterwards."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from othello.candidates import opponents
from othello.comparison_output import print_tables, say_where
from othello.ending import interruptible, playing
from othello.openings import lines_of
from othello.player_names import named
from othello.workers import workers
from rlglue.exit_codes import INTERRUPTED

if TYPE_CHECKING:
    from experiment.compare.judging.trial import Judgement, Trial
    from experiment.compare.sweep.policies import Policy, PolicyResult
    from experiment.run.results.run_folder import RunFolder


def compare_policies(
    groups: "Mapping[str, Sequence[RunFolder]]",
    picture: Path,
    as_markdown: bool,
    runs_dir: Path,
    options: Mapping[str, Any],
) -> None:
    """Play the matches, print their tables, draw their picture and write them down beside it."""
    from experiment.compare.sweep.policies import policies
    from experiment.compare.sweep.policies_figure import figure_of
    from experiment.compare.sweep.tables import match_table, policy_tables
    from experiment.show.files import as_csv
    from experiment.show.pictures import save_both
    from game.files import replace

    kept = policies(groups)
    _say_what_is_missing(groups, kept)
    trials = [pair for policy in kept for pair in _trials(policy, runs_dir, options)]
    results = _play(trials, options["jobs"], options["ray"])
    if results:
        print_tables(policy_tables(results), as_markdown)
        own = picture.with_stem(f"{picture.stem}-policies")
        say_where(save_both(figure_of(results), own), as_markdown)
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


def _trials(policy: "Policy", runs_dir: Path, options: Mapping[str, Any]) -> "list[tuple[Policy, Trial]]":
    """Return the matches of a policy; raise click.BadParameter."""
    from experiment.compare.judging.trial import Trial
    from experiment.compare.sweep.policies import in_words

    found = named(str(policy.path), runs_dir, "RUN")
    assert found.size  # noqa: S101  a checkpoint is of one board
    lines = lines_of(options["openings"], found.size)
    rest = found.size, lines, options["repeat"], options["seed"], in_words(policy)
    others = opponents(options["opponent"], found.size, runs_dir)
    return [(policy, Trial(found.text, text, *rest, name)) for name, text in others.items()]


def _play(trials: "Sequence[tuple[Policy, Trial]]", jobs: int, ray: str | None) -> "list[PolicyResult]":
    """Play matches; after an interrupt only those that came to their end count."""
    from rich.console import Console

    from experiment.compare.judging.judge import judge, played_by
    from experiment.compare.sweep.policies import PolicyResult
    from game.threads import use_threads

    use_threads(1)
    judgements: list[Judgement] = []
    with playing(), interruptible(), workers(jobs, ray) as playing_on:
        judge([trial for _, trial in trials], played_by(playing_on), Console(stderr=True), judgements)
    whole = [each for each in judgements if each.summary.total.games == each.trial.games]
    return [
        PolicyResult(policy, each.trial.opponent, each.summary)
        for (policy, _), each in zip(trials, whole, strict=False)
    ]
