"""The report of a run: how it went, whom it beats, what it plays, and how it was set up."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from experiment.run.episodes.outcomes import Tally
from experiment.run.evaluation.result import Evaluation, by_opponent, total
from experiment.run.results.run_folder import RunFolder
from experiment.run.results.unreadable import unreadable_rows
from experiment.show.display.final_plot import finals_of
from experiment.show.display.headline import NEVER_MET, headline, result_name
from experiment.show.display.wording import between, percent
from experiment.show.report.page import Column, Fact, Page, Picture, Section, Table
from experiment.study.statistics.shares import WILSON, wilson

_FACTS = 5
"""How many opponents the page begins with."""


def run_page(
    folder: RunFolder,
    pictures: Sequence[Picture],
    games: Sequence[dict[str, Any]],
    games_say: Sequence[str],
) -> Page:
    """Return the report of a run, with its plots and games of its policy; raise RunFolderError."""
    config, evaluations = folder.config(), folder.evaluations()
    sections = [
        Section("Results", [_about_results(evaluations)], tables=_results(evaluations, config)),
        Section("Curves", [], pictures, _every_evaluation(evaluations, config)),
        Section("Set-up", ["As it stands in config.json."], tables=[_set_up(config)]),
    ]
    if damaged := unreadable_rows(folder):
        sections.insert(0, Section("Damaged files", damaged))
    return Page(
        title=f"Run {folder.path.resolve().name}",
        subtitle=headline(config),
        facts=[*_facts(folder, evaluations)],
        sections=[section for section in sections if section.says or section.pictures or section.tables],
        games=games,
        games_say=games_say,
    )


def _facts(folder: RunFolder, evaluations: Sequence[Evaluation]) -> Iterator[Fact]:
    config = folder.config()
    yield Fact("training games", f"{folder.games():,}", f"seed {config['seed']}" if "seed" in config else "")
    for name, tally, *_ in finals_of(evaluations, config)[:_FACTS]:
        low, high = wilson(tally.win_rate, tally.games)
        says = f"95 %: {between(low, high)} of {tally.games:,} games"
        met = name.removeprefix(NEVER_MET)
        yield Fact(f"won against {met}{', never met' * (met != name)}", percent(tally.win_rate), says)


def _about_results(evaluations: Sequence[Evaluation]) -> str:
    if not evaluations:
        return "The run has no evaluation yet."
    after = max(result.episode for result in evaluations)
    return f"Without learning and exploration, after {after:,} training games. An interval is a {WILSON}."


_COLUMNS = (
    Column("against", number=False),
    Column("as", number=False),
    *map(Column, ("games", "won", "drawn", "lost", "share won", "interval")),
)


def _results(evaluations: Sequence[Evaluation], config: dict[str, Any]) -> list[Table]:
    """Return the table of the last evaluation."""
    last = max((result.episode for result in evaluations), default=0)
    own = by_opponent(result for result in evaluations if result.episode == last)
    rows = [row for opponent, results in own.items() for row in _rows(opponent, results, config)]
    return [Table("The last evaluation", _COLUMNS, rows)] if rows else []


def _rows(opponent: str, results: Sequence[Evaluation], config: dict[str, Any]) -> Iterator[list[str]]:
    name = result_name(opponent, config)
    if len(results) > 1:
        yield [name, "both", *_cells(total(results))]
    for result in results:
        yield [name, result.colour or "-", *_cells(result.tally)]


def _cells(tally: Tally) -> list[str]:
    counts = (tally.games, tally.win, tally.draw, tally.loss)
    return [
        *(f"{count:,}" for count in counts),
        percent(tally.win_rate),
        between(*wilson(tally.win_rate, tally.games)),
    ]


def _every_evaluation(evaluations: Sequence[Evaluation], config: dict[str, Any]) -> list[Table]:
    """Return a table of all evaluations, both colours together."""
    rows = []
    for episode in sorted({result.episode for result in evaluations}):
        for opponent, results in by_opponent(r for r in evaluations if r.episode == episode).items():
            rows.append([f"{episode:,}", result_name(opponent, config), *_cells(total(results))])
    columns = (Column("after games"), Column("against", number=False), *_COLUMNS[2:])
    return [Table("Every evaluation", columns, rows, f"Interval: {WILSON}.", folded=True)] if rows else []


def _set_up(config: dict[str, Any]) -> Table:
    rows = [[name, text] for name, text in _flat("", config)]
    return Table(
        "Configuration", (Column("name", False), Column("value", False, wide=True)), rows, folded=True
    )


def _flat(name: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield the values of nested tables with the names on the way to each."""
    if isinstance(value, dict) and value:
        for key, part in value.items():
            yield from _flat(f"{name}.{key}" if name else str(key), part)
    else:
        yield name, value if isinstance(value, str) else json.dumps(value)
