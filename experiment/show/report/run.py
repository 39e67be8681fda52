"""The report of a run: how it went, with plots, whom it beats, what it plays, and how it was set up."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from matplotlib.figure import Figure

from othello_lab.experiment.run.outcomes import Evaluation
from othello_lab.experiment.run.player_names import Named
from othello_lab.experiment.run.record import NEVER_MET, headline
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show.evaluation_table import each_colour, sums, table
from othello_lab.experiment.show.report.games import STAR, Wish, opponents_of, run_games
from othello_lab.experiment.show.report.page import (
    PHONE,
    WIDE,
    Fact,
    Page,
    Picture,
    Section,
    inline_svg,
    picture,
)
from othello_lab.experiment.show.run_files import read
from othello_lab.experiment.show.run_picture import draw_finals, draw_panel, draw_rates, finals_of
from othello_lab.experiment.show.tables import Column, Table
from othello_lab.experiment.show.titles import height_of, legend_below, legend_beside
from othello_lab.experiment.show.training_charts import panels
from othello_lab.experiment.show.wording import between, percent
from othello_lab.experiment.study.statistics.intervals import WILSON, wilson

_FACTS = 5
"""How many opponents the page begins with."""
_SET_UP: tuple[Column[tuple[str, str]], ...] = (
    Column("name", lambda it: it[0]),
    Column("value", lambda it: it[1], wide=True),
)


def page_of_run(folder: RunFolder, policy: Named | None, size: int, wish: Wish) -> Page:
    """Return the report of a run, without games where it has no policy that plays here.

    Raises RunFolderError, AdviserError.
    """
    shown, says = _run_games(folder, policy, size, wish) if policy and wish.games else ([], [])
    config, evaluations = folder.config(), folder.evaluations()
    sections = [
        Section("Results", [_about_results(evaluations)], tables=_results(evaluations, config)),
        Section("Curves", [], [*run_pictures(folder)], _every_evaluation(evaluations, config)),
        Section(
            "Set-up",
            ["As it stands in config.json."],
            tables=[Table.of("Configuration", _SET_UP, _flat("", config), folded=True)],
        ),
    ]
    if damaged := folder.unreadable_rows():
        sections.insert(0, Section("Damaged files", damaged))
    return Page(
        title=f"Run {folder.path.resolve().name}",
        subtitle=headline(config),
        facts=[*_facts(folder, evaluations)],
        sections=[section for section in sections if section.says or section.pictures or section.tables],
        games=shown,
        games_say=says,
    )


def _run_games(
    folder: RunFolder, policy: Named, size: int, wish: Wish
) -> tuple[list[dict[str, Any]], list[str]]:
    try:
        shown = run_games(policy, size, opponents_of(folder, size), wish)
    except ValueError as error:
        wish.terminal.print(f"no games to step through: {error}", markup=False, soft_wrap=True)
        return [], []
    says = (
        f"Played for this report from its newest policy, without exploration, with seed {wish.seed}; "
        f"they are in none of the counts above. {STAR}"
    )
    return shown, [says]


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


def _flat(name: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield the values of nested tables with the names on the way to each."""
    if isinstance(value, dict) and value:
        for key, part in value.items():
            yield from _flat(f"{name}.{key}" if name else str(key), part)
    else:
        yield name, value if isinstance(value, str) else json.dumps(value)


def run_pictures(folder: RunFolder) -> Iterator[Picture]:
    """Yield the plots of a run; what there is no data for is left out."""
    run = read(folder)

    def along(width: float) -> Figure:
        figure = Figure(figsize=(width, 4.2), layout="constrained")
        draw_rates(figure.subplots(), run)
        (legend_beside if width == WIDE else legend_below)(figure)
        return figure

    def ends(width: float) -> Figure:
        figure = Figure(figsize=(width, height_of([final.lane for final in finals])), layout="constrained")
        draw_finals(figure.subplots(), finals, run.evaluations[-1].episode)
        return figure

    if run.games:
        says = "Share of games won along the training, in training and in evaluations with their intervals."
        yield picture(along(WIDE), along(PHONE), "rates", "While it learned", says)
    if finals := finals_of(run.evaluations, run.config):
        says = "Share of games won against each opponent in the last evaluation, with its interval."
        yield picture(ends(WIDE), ends(PHONE), "finals", "At the end", says)
    for place, chart in enumerate(panels(run.curves)):
        figure = Figure(figsize=(PHONE, 2.9), layout="constrained")
        draw_panel(figure.subplots(), chart, run.games)
        yield Picture(inline_svg(figure, f"panel-{place}", chart.title, chart.says))
