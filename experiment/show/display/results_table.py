"""All results of a run's end in one table of 80 columns."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich import box
from rich.table import Table

from experiment.run.episodes.outcomes import Tally
from experiment.run.evaluation.references import random_mover
from experiment.run.evaluation.result import Evaluation, by_opponent, total
from experiment.run.results.run_folder import RunFolder
from experiment.run.results.run_result import RunResult
from experiment.show.display.headline import result_name
from experiment.show.display.names import SHORT
from experiment.study.statistics.shares import wilson


def results_table(report: RunResult, folder: RunFolder) -> Table:
    """Return the table: a row for each opponent and colour, beside it the first evaluation of the run."""
    config = folder.config()
    early = first_evaluation(folder.evaluations(), report.episodes)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("against", overflow="ellipsis")  # what gives way where there are less than 80 columns
    table.add_column("as", no_wrap=True)
    for heading in ("games", "won %", "95 %", "drawn", "lost", *(["before"] if early else [])):
        table.add_column(heading, justify="right", no_wrap=True)
    before = {(result.opponent, result.colour): _percent(result.tally) for result in early}
    for result in report.evaluations:
        key = result.opponent, result.colour
        table.add_row(
            result_name(result.opponent, config, SHORT),
            result.colour,
            *_numbers(result.tally),
            before.get(key, ""),
        )
        if result.opponent == report.evaluations[0].opponent:
            _add_random_mover(table, result, config)
    for cells in _sums([*report.held_out, *report.yardstick], config):
        table.add_row(*cells)
    return table


def first_evaluation(evaluations: Sequence[Evaluation], end: int) -> list[Evaluation]:
    """Return the first evaluation of a run, nothing if that is its last."""
    first = min((result.episode for result in evaluations), default=end)
    return [result for result in evaluations if result.episode == first < end]


def _add_random_mover(table: Table, result: Evaluation, config: Mapping[str, Any]) -> None:
    """Add what a random mover has against the same opponent, where that is known."""
    if tally := random_mover(config, result.opponent, result.colour):
        table.add_row("  a random mover's", result.colour, *_numbers(tally))


def _sums(results: Sequence[Evaluation], config: Mapping[str, Any]) -> Iterator[list[str]]:
    """A row for each opponent with both colours together."""
    for opponent, own in by_opponent(results).items():
        yield [result_name(opponent, config, SHORT), "both", *_numbers(total(own))]


def _numbers(tally: Tally) -> list[str]:
    low, high = wilson(tally.win_rate, tally.games)
    interval = f"{100 * low:.1f}-{100 * high:.1f}"
    return [f"{tally.games:,}", _percent(tally), interval, f"{tally.draw:,}", f"{tally.loss:,}"]


def _percent(tally: Tally) -> str:
    return f"{100 * tally.win_rate:.1f}"
