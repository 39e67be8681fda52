"""The reports on runs, tournaments and files of games."""

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from matplotlib.figure import Figure

from othello_lab.experiment.compare.ratings import RATED, Ratings
from othello_lab.experiment.compare.tournament import tables
from othello_lab.experiment.compare.tournament.figures import figures
from othello_lab.experiment.compare.tournament.results import (
    Meeting,
    Results,
    against_ratings,
    contradictions,
    meetings,
    ratings_of,
)
from othello_lab.experiment.compare.tournament.store import reading
from othello_lab.experiment.run.outcomes import Evaluation
from othello_lab.experiment.run.player_names import Named
from othello_lab.experiment.run.record import NEVER_MET, headline
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show.pages.games import (
    STAR,
    Wish,
    games_of_run,
    records_of,
    result_of,
    score_of,
    spread,
    viewed_games,
)
from othello_lab.experiment.show.pages.page import (
    Fact,
    Page,
    Picture,
    Section,
)
from othello_lab.experiment.show.plots import as_svg, figure_of, height_of, legend_beside
from othello_lab.experiment.show.record_tables import (
    differences,
    opening_table,
    pair_table,
    player_table,
    score_chart,
    transcripts,
)
from othello_lab.experiment.show.run_curves import panels, read
from othello_lab.experiment.show.run_end import each_colour, sums, table
from othello_lab.experiment.show.run_picture import draw_finals, draw_panel, draw_rates, finals_of
from othello_lab.experiment.show.tables import Column, Table
from othello_lab.experiment.show.wording import between, percent, plural
from othello_lab.experiment.study.statistics.intervals import STUDENT, WILSON, mean_of, wilson
from othello_lab.experiment.study.statistics.units import PAIRED
from othello_lab.game import Colour
from othello_lab.game.play import Played
from othello_lab.game.records import Record, entries, faults_of
from othello_lab.game.records.record import first_few
from othello_lab.game.registry import short_name

_WIDE, _SMALL = 8.6, 4.2  # inches: the widths of plots over the whole page, and of small plots


def _picture(figure: Figure, title: str, says: str, wide: bool = True) -> Picture:
    url = f"data:image/svg+xml;base64,{b64encode(as_svg(figure)).decode()}"
    return Picture(url, f"{title}: {says}", wide)


# A run

_FACTS: Final = 5  # the largest number of opponents among the facts at the top
_SET_UP: tuple[Column[str], ...] = (Column("name"), Column("value", wide=True))


def page_of_run(folder: RunFolder, policy: Named | None, size: int, wish: Wish) -> Page:
    """Return the report of a run. Without a policy that can play, the report has no games.

    Raises RunFolderError if the run cannot be read, and AdviserError if the adviser cannot compute values.
    """
    games: list[dict[str, Any]] = []
    if policy and wish.games:
        try:
            games = games_of_run(folder, policy, size, wish)
        except ValueError as error:
            wish.terminal.print(f"no games to step through: {error}", markup=False, soft_wrap=True)
    says = (
        f"Played for this report from its newest policy, without exploration, with seed {wish.seed}; "
        f"they are in none of the counts above. {STAR}"
    )
    config, evaluations = folder.config(), folder.evaluations()
    set_up = Table("Configuration", _SET_UP, [*_flat("", config)], folded=True)
    sections = [
        Section("Damaged files", folder.unreadable_rows()),
        _last_evaluation(evaluations, config),
        Section("Curves", [], [*_run_pictures(folder)], _every_evaluation(evaluations, config)),
        Section("Set-up", ["As it stands in config.json."], tables=[set_up]),
    ]
    return Page(
        f"Run {folder.path.resolve().name}",
        headline(config),
        [*_run_facts(folder, evaluations)],
        [section for section in sections if section.says or section.pictures or section.tables],
        games,
        [says] if games else [],
    )


def _run_facts(folder: RunFolder, evaluations: Sequence[Evaluation]) -> Iterator[Fact]:
    config = folder.config()
    yield Fact("training games", f"{folder.games():,}", f"seed {config['seed']}" if "seed" in config else "")
    for tally, lane in finals_of(evaluations, config)[:_FACTS]:
        low, high = wilson(tally.win_rate, tally.games)
        says = f"95 %: {between(low, high)} of {tally.games:,} games"
        opponent = lane.name.removeprefix(NEVER_MET)
        never = ", never met" if opponent != lane.name else ""
        yield Fact(f"won against {opponent}{never}", percent(tally.win_rate), says)


def _last_evaluation(evaluations: Sequence[Evaluation], config: dict[str, Any]) -> Section:
    if not evaluations:
        return Section("Results", ["The run has no evaluation yet."])
    last = max(result.episode for result in evaluations)
    rows = each_colour((result for result in evaluations if result.episode == last), config)
    says = f"Without learning and exploration, after {last:,} training games; won % with its {WILSON}."
    return Section("Results", [says], tables=[table("The last evaluation", rows)])


def _every_evaluation(evaluations: Sequence[Evaluation], config: dict[str, Any]) -> list[Table]:
    """Return a table of all evaluations, with both colours added up. Return [] without evaluations."""
    rows = [
        row._replace(after=episode)
        for episode in sorted({result.episode for result in evaluations})
        for row in sums((result for result in evaluations if result.episode == episode), config)
    ]
    return [table("Every evaluation", rows, f"Won % with its {WILSON}.", folded=True)] if rows else []


def _flat(name: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield the keys and values of nested dictionaries. A key has the form `outer.inner`."""
    if isinstance(value, dict) and value:
        for key, part in value.items():
            yield from _flat(f"{name}.{key}" if name else str(key), part)
    else:
        yield name, value if isinstance(value, str) else json.dumps(value)


def _run_pictures(folder: RunFolder) -> Iterator[Picture]:
    run = read(folder)

    if run.games:
        figure = Figure(figsize=(_WIDE, 4.2), layout="constrained")
        draw_rates(figure.subplots(), run)
        legend_beside(figure)
        says = "Share of games won along the training, in training and in evaluations with their intervals."
        yield _picture(figure, "While it learned", says)
    if lanes := [lane for _, lane in finals_of(run.evaluations, run.config)]:
        figure = Figure(figsize=(_WIDE, height_of(lanes)), layout="constrained")
        draw_finals(figure.subplots(), lanes, run.evaluations[-1].episode)
        says = "Share of games won against each opponent in the last evaluation, with its interval."
        yield _picture(figure, "At the end", says)
    for chart in panels(run.curves):
        figure = Figure(figsize=(_SMALL, 2.9), layout="constrained")
        draw_panel(figure.subplots(), chart, run.games)
        yield _picture(figure, chart.title, chart.says, wide=False)


# A tournament

_MOST_PAIRS = 20
_ABOUT: Final = {
    "ratings": ("Ratings", "Each player's rating with its interval; the numbers are in the table."),
    "scores": ("Who beats whom", "Heat map of the scores of the rows against the columns; see the table."),
    "final_scores": ("By how much", "Heat map of the mean final scores; see the table."),
    "colours": ("As black and as white", "Two heat maps of the scores, one for each colour; see the tables."),
}  # the title and the description of each picture


def page_of_tournament(path: Path, wish: Wish) -> Page:
    """Return the report of the database of a tournament.

    Raises ValueError if there are no games, and AdviserError if the adviser cannot compute values.
    """
    with reading(path) as store:
        entrants = store.entrants()
        known = {who.id for who in entrants}
        played = [game for game in store.games() if {game.key.black, game.key.white} <= known]
        size = store.size
    if not played:
        raise ValueError(f"{path} has no games yet")
    results = Results.of(entrants, played).sorted()
    try:
        records = [*records_of(spread(played, wish.games), results, size)]
    except ValueError as error:
        raise ValueError(f"{path}, {error}") from None
    games = viewed_games(records, wish)
    ratings = ratings_of(results)
    drawn = figures(results, ratings)
    pictures = {name: _picture(figure, *_ABOUT[name]) for name, figure in drawn.items()}
    sections = [
        _standing(results, ratings, [] if ratings is None else [pictures.pop("ratings")]),
        _who_beats_whom(results, [*pictures.values()]),
        *([] if ratings is None else [_against(results, meetings(results, ratings))]),
        Section("Players", tables=[tables.who_they_are(results)]),
    ]
    openings = plural(len(set(results.openings.tolist())), "opening")
    subtitle = f"{plural(len(results.names), 'player')}, {plural(len(played), 'game')} from {openings}"
    says = f"{len(games):,} of {len(played):,} games, evenly spread. {STAR}"
    facts = [*_tournament_facts(results, ratings)]
    return Page(f"Tournament {path.stem}", f"{subtitle}, both colours", facts, sections, games, [says])


def _tournament_facts(results: Results, ratings: Ratings | None) -> Iterator[Fact]:
    if ratings is not None:
        best = ratings.of(0)
        yield Fact("highest rating", results.names[0], f"{best.value:+.0f} ± {best.reach:.0f} (95 %)")
    yield from _shares_won(results.points.tolist())


def _shares_won(points: Sequence[float]) -> Iterator[Fact]:
    """Yield the shares of games with each result, from black's points."""
    for what, worth in (("black wins", 1.0), ("white wins", 0.0), ("drawn", 0.5)):
        share = points.count(worth) / max(1, len(points))
        yield Fact(what, percent(share), f"95 %: {between(*wilson(share, len(points)))}")


def _standing(results: Results, ratings: Ratings | None, pictures: Sequence[Picture]) -> Section:
    says = "There are no ratings: no games link all players."
    if ratings is not None:
        says = (
            f"Points of Elo's scale, with mean 0: 400 points are odds of 10 to 1. ±: {RATED}; "
            f"of the shares above: {WILSON}."
        )
    return Section("Ratings", [says], pictures, [tables.players(results, ratings)])


def _who_beats_whom(results: Results, pictures: Sequence[Picture]) -> Section:
    says = (
        "Each row's player against each column's. A score is the share of games won, half of the drawn ones "
        "added; a final score is own discs minus the other's, the empty squares to the winner."
    )
    matrices = tables.matrices(results)
    first = matrices.pop("score")
    others = [replace(matrix, folded=True) for matrix in matrices.values()]
    return Section("Who beats whom", [says], pictures, [first, *others])


def _against(results: Results, played: Sequence[Meeting]) -> Section:
    pairs = contradictions(played)
    rest = f" {len(pairs) - _MOST_PAIRS} more are left out." if len(pairs) > _MOST_PAIRS else ""
    note = (
        f"Interval: {PAIRED}. Expected: by the ratings. First those where the lower-rated was ahead, then "
        f"those that are farthest from what is expected.{rest}"
    )
    table = [tables.pairs(results, pairs[:_MOST_PAIRS], note)] if pairs else []
    return Section("Against the ratings", [against_ratings(played)], tables=table)


# A file of games


def page_of_records(path: Path, wish: Wish) -> Page:
    """Return the report of a file of games. Raises AdviserError, and ValueError without games."""
    listing = entries(path)
    faults = faults_of(listing)
    numbered = [(number, entry) for number, entry in enumerate(listing, 1) if isinstance(entry, Record)]
    records = [record for _, record in numbered]
    if not records:
        raise ValueError(f"{path} has no games")
    games = viewed_games([entry for _, entry in spread(numbered, wish.games)], wish)
    says = [] if len(games) == len(records) else [f"{len(games):,} of {len(records):,} games, evenly spread."]
    sections = [Section("Transcripts", tables=[transcripts(numbered)])]
    if len(records) > 1:
        sections.insert(0, _results(records))
    sizes = ", ".join(f"{size}x{size}" for size in sorted({record.game.size for record in records}))
    subtitle = f"{plural(len(records), 'game')} of Othello on {sizes}"
    facts = [*_record_facts(records)]
    return Page(f"Games of {path.name}", subtitle, facts, sections, games, [*says, *first_few(faults)])


def _results(records: Sequence[Record]) -> Section:
    over = [record for record in records if record.is_over]
    note = f"The intervals above: {WILSON}; of the mean {STUDENT} over the games."
    results = [player_table(over, note), pair_table(over), opening_table(over)]
    open_ = len(records) - len(over)
    rest = f" Games without a result are left out of all counts: {open_}." if open_ else ""
    says = f"A score is the share of games won, half of the drawn ones added.{rest}"
    chart = score_chart(records)
    about = f"Histogram of black's discs minus white's at the end of {len(differences(records)):,} games."
    picture = _picture(figure_of("", [chart], 1, (_WIDE, 3.0)), chart.title, about)
    return Section("Results", [says], [picture], [table for table in results if table.rows])


def _record_facts(records: Sequence[Record]) -> Iterator[Fact]:
    if len(records) == 1:
        (record,) = records
        yield Fact("black", short_name(record.black) or "-")
        yield Fact("white", short_name(record.white) or "-")
        yield Fact("result", score_of(record), result_of(record))
        return
    over = [record for record in records if record.is_over]
    yield Fact("games", f"{len(records):,}")
    yield from _shares_won([Played(record, Colour.BLACK).points for record in over])
    if ends := differences(over):
        mean = mean_of(ends)
        says = f"± {mean.reach:.2f} (95 %)" if len(ends) > 1 else ""
        yield Fact("black's discs minus white's, mean", f"{mean.value:+.2f}", says)
