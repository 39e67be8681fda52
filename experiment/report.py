"""What a run says at its end."""

from collections.abc import Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from experiment.evaluation import FROM_OPENINGS, Evaluation, by_opponent, in_words, total
from experiment.run_folder import RunFolder
from experiment.training import Report
from experiment.yardstick import LEVELS


def print_report(
    console: Console, report: Report, folder: RunFolder, plot: Path | None, resume_command: str
) -> None:
    """Print the final evaluation, where everything is, and what to do next."""

    def say(text: str) -> None:
        console.print(text, markup=False, highlight=False, soft_wrap=True)

    if report.evaluations:
        say("\nWithout learning and exploration:")
        for results in by_opponent(report.evaluations).values():
            say(in_words(results))
        console.print(_table(report.evaluations))
    for results in by_opponent(report.yardstick).values():
        say(_level(results))
    for note in dict.fromkeys(_notes(report)):
        say(f"note: {note}")
    if report.interrupted:
        say(f"stopped after {report.episodes} episodes; the run is in {folder.path}")
        if report.checkpoint:
            say(f"go on with: {resume_command}")
        else:
            say("the agent has saved no checkpoint, so it cannot go on")
    else:
        say(f"run:  {folder.path}")
    if plot:
        say(f"plot: {plot}")
    if report.policy:
        say(f"play against it: ./scripts/play dqn:{Path(report.policy).as_posix()}")


def _notes(report: Report) -> list[str]:
    missing = [f"no games against gtp-rhino: {report.no_yardstick}"] if report.no_yardstick else []
    as_it_is = [f"evaluated as it is: {note}" for result in report.evaluations for note in result.notes]
    return [*missing, *report.notes, *as_it_is]


def _table(evaluations: Sequence[Evaluation]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("against", overflow="fold")
    table.add_column("as", no_wrap=True)
    for heading in ("games", "won", "drawn", "lost", "won %", "score %"):
        table.add_column(heading, justify="right", no_wrap=True)
    for evaluation in evaluations:
        table.add_row(*_cells(evaluation))
    return table


def _cells(evaluation: Evaluation) -> list[str]:
    tally = evaluation.tally
    counts = [f"{number:,}" for number in (tally.games, tally.win, tally.draw, tally.loss)]
    score = f"{100 * tally.score:.1f} ± {100 * tally.score_error:.1f}"
    return [evaluation.opponent, evaluation.colour, *counts, f"{100 * tally.win_rate:.1f}", score]


def _level(results: Sequence[Evaluation]) -> str:
    """Say how the agent did against one level of the yardstick."""
    tally = total(results)
    names = {text + FROM_OPENINGS: name for name, text in LEVELS.items()}
    split = " / ".join(f"{result.tally.score:.3f}" for result in results)
    return (
        f"against {names[results[0].opponent]}: score {tally.score:.3f} ± {tally.score_error:.3f} "
        f"(as black / as white {split}), {tally.games} games from openings"
    )
