"""The report of a tournament: ratings, who beats whom, what is against the ratings, and games."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from othello_lab.experiment.compare.ratings import RATED, Ratings
from othello_lab.experiment.compare.tournament import tables
from othello_lab.experiment.compare.tournament.figures import figures
from othello_lab.experiment.compare.tournament.meetings import (
    Meeting,
    about_circles,
    against_ratings,
    circles,
    meetings,
)
from othello_lab.experiment.compare.tournament.results import Results, ratings_of
from othello_lab.experiment.compare.tournament.store import reading
from othello_lab.experiment.show.report.games import STAR, Wish, records_of, shown_games, spread
from othello_lab.experiment.show.report.page import PHONE, Fact, Page, Picture, Section, picture
from othello_lab.experiment.show.tables import Table
from othello_lab.experiment.show.wording import between, percent, plural
from othello_lab.experiment.study.statistics.intervals import WILSON, wilson
from othello_lab.experiment.study.statistics.units import PAIRED
from othello_lab.game.files import open_regular
from othello_lab.game.records import DATABASES

_MOST_CIRCLES, _MOST_PAIRS = 10, 20
"""The limit of what is shown."""
_SQLITE = b"SQLite format 3\0"
"""How a database begins."""
_HEAT_MAPS = ("scores", "final_scores", "colours")
_SAID = {
    "ratings": (
        "Ratings",
        "Each player's rating with its interval; the numbers are in the table.",
    ),
    "scores": ("Who beats whom", "Heat map of the scores of the rows against the columns; see the table."),
    "final_scores": ("By how much", "Heat map of the mean final scores; see the table."),
    "colours": ("As black and as white", "Two heat maps of the scores, one for each colour; see the tables."),
}


def is_database(path: Path) -> bool:
    """Tell whether a file is an SQLite database, or an empty file with the name of one."""
    with open_regular(path) as file:
        begin = file.read(len(_SQLITE))
    return begin == _SQLITE or (not begin and path.suffix.lower() in DATABASES)


def page_of_tournament(path: Path, wish: Wish) -> Page:
    """Return the report of a tournament's database, with games to step through.

    Without ratings, where the games do not link all players, it has the matrices alone. Raises ValueError
    without games, and as the adviser does.
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
    shown = shown_games(records, wish)
    says = f"{len(shown):,} of {len(played):,} games, evenly spread. {STAR}"
    return _page(path.stem, results, shown, says)


def _page(name: str, results: Results, shown: Sequence[dict[str, Any]], says: str) -> Page:
    ratings = ratings_of(results)
    found = meetings(results, ratings)
    wide, phone = figures(results, ratings), figures(results, ratings, PHONE)
    pictures = {name: picture(wide[name], phone[name], name, *_SAID[name]) for name in wide}
    sections = [
        _standing(results, ratings, [pictures[name] for name in pictures if name == "ratings"]),
        _who_beats_whom(results, [pictures[name] for name in _HEAT_MAPS]),
        *([] if ratings is None else [_against(results, found)]),
        Section("Players", tables=[tables.who_they_are(results)]),
    ]
    openings = len(set(results.openings.tolist()))
    players, games = plural(len(results.names), "player"), plural(len(results.points), "game")
    subtitle = f"{players}, {games} from {plural(openings, 'opening')}, both colours"
    return Page(f"Tournament {name}", subtitle, [*_facts(results, ratings)], sections, shown, [says])


def _facts(results: Results, ratings: Ratings | None) -> Iterator[Fact]:
    if ratings is not None:
        best = ratings.of(0)
        yield Fact("highest rating", results.names[0], f"{best.value:+.0f} ± {best.reach:.0f} (95 %)")
    games = len(results.points)
    for what, worth in (("black wins", 1.0), ("white wins", 0.0), ("drawn", 0.5)):
        share = float((results.points == worth).mean())
        yield Fact(what, percent(share), f"95 %: {between(*wilson(share, games))}")


def _standing(results: Results, ratings: Ratings | None, pictures: Sequence[Picture]) -> Section:
    if ratings is None:
        says = "There are no ratings: no games link all players."
    else:
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
    others = [replace(table, folded=True) for table in matrices.values()]
    return Section("Who beats whom", [says], pictures, [first, *others])


def _against(results: Results, found: Sequence[Meeting]) -> Section:
    """Return what one number for each player does not say."""
    upsets = [meeting for meeting in found if meeting.is_upset]
    odd = [meeting for meeting in found if meeting.is_unexpected]
    says = [
        against_ratings(found),
        *_circles(results, found),
    ]
    others = sorted((it for it in odd if not it.is_upset), key=lambda it: -it.surprise)
    pairs = [*upsets, *others]
    return Section("Against the ratings", says, tables=[_against_table(results, pairs)] if pairs else [])


def _against_table(results: Results, pairs: Sequence[Meeting]) -> Table:
    rest = f" {len(pairs) - _MOST_PAIRS} more are left out." if len(pairs) > _MOST_PAIRS else ""
    note = (
        f"Interval: {PAIRED}. Expected: by the ratings. First those where the lower-rated was ahead, then "
        f"those that are farthest from what is expected.{rest}"
    )
    return tables.pairs(results, pairs[:_MOST_PAIRS], note)


def _circles(results: Results, found: Sequence[Meeting]) -> Iterator[str]:
    every = circles(found)
    yield about_circles(every)
    for circle in every[:_MOST_CIRCLES]:
        way = " > ".join(results.names[player] for player in (*circle.players, circle.players[0]))
        yield way + ("" if circle.is_clear else " (may be chance)")
