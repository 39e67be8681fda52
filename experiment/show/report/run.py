"""The report of a run: how it went, whom it beats, what it plays, and how it was set up."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from experiment.run.evaluation.result import Evaluation
from experiment.run.results.run_folder import RunFolder
from experiment.run.results.unreadable import unreadable_rows
from experiment.show.evaluation_table import each_colour, sums, table
from experiment.show.headline import NEVER_MET, headline
from experiment.show.report.page import Fact, Page, Picture, Section
from experiment.show.run_picture import finals_of
from experiment.show.tables import Column, Table
from experiment.show.wording import between, percent
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
    return f"Without learning and exploration, after {after:,} training games; won % with its {WILSON}."


def _results(evaluations: Sequence[Evaluation], config: dict[str, Any]) -> list[Table]:
    """Return the table of the last evaluation."""
    last = max((result.episode for result in evaluations), default=0)
    own = (result for result in evaluations if result.episode == last)
    return [table("The last evaluation", each_colour(own, config))] if evaluations else []


def _every_evaluation(evaluations: Sequence[Evaluation], config: dict[str, Any]) -> list[Table]:
    """Return a table of all evaluations, both colours together."""
    rows = [
        row._replace(after=episode)
        for episode in sorted({result.episode for result in evaluations})
        for row in sums((result for result in evaluations if result.episode == episode), config)
    ]
    return [table("Every evaluation", rows, f"Won % with its {WILSON}.", folded=True)] if rows else []


_SET_UP: tuple[Column[tuple[str, str]], ...] = (
    Column("name", lambda it: it[0]),
    Column("value", lambda it: it[1], wide=True),
)


def _set_up(config: dict[str, Any]) -> Table:
    return Table.of("Configuration", _SET_UP, _flat("", config), folded=True)


def _flat(name: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield the values of nested tables with the names on the way to each."""
    if isinstance(value, dict) and value:
        for key, part in value.items():
            yield from _flat(f"{name}.{key}" if name else str(key), part)
    else:
        yield name, value if isinstance(value, str) else json.dumps(value)
