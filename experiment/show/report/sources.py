"""Files that a report can be made of: a database of a tournament, or games."""

from pathlib import Path

from experiment.compare.tournament.anchor import ratings_of
from experiment.compare.tournament.figures import figures
from experiment.compare.tournament.results import Results
from experiment.compare.tournament.store import reading
from experiment.show.report.games import STAR, Wish, records_of, shown_games, spread
from experiment.show.report.inline_svg import PHONE
from experiment.show.report.page import Page
from experiment.show.report.records import records_page
from experiment.show.report.tournament import tournament_page
from game.records import SUFFIXES, readable
from game.records.selection import left_out

_SQLITE = b"SQLite format 3\0"
"""How a database begins."""


def page_of_file(path: Path, wish: Wish) -> Page:
    """Return the report of a file, by its kind.

    Raises ValueError for one of no known kind, or without games, and as readers of files and the adviser do.
    """
    if _is_database(path):
        return _of_tournament(path, wish)
    if path.suffix.lower() in SUFFIXES:
        return _of_records(path, wish)
    kinds = f"a file of games ({', '.join(SUFFIXES)}) or a database of `othello tournament`"
    raise ValueError(f"a report cannot be made of {path}: expected {kinds}")


def _is_database(path: Path) -> bool:
    """Tell whether a file is of SQLite, or an empty one that is called so."""
    with path.open("rb") as file:
        begin = file.read(len(_SQLITE))
    return begin == _SQLITE or (not begin and path.suffix.lower() in (".sqlite", ".db"))


def _of_tournament(path: Path, wish: Wish) -> Page:
    with reading(path) as store:
        entrants = store.entrants()
        known = {who.id for who in entrants}
        played = [game for game in store.games() if {game.key.black, game.key.white} <= known]
        size = store.size
    if not played:
        raise ValueError(f"{path} has no games yet")
    results = Results.of(entrants, played).sorted()
    shown = shown_games(records_of(spread(played, wish.games), results, size), wish)
    says = f"{len(shown):,} of {len(played):,} games, evenly spread. {STAR}"
    ratings = ratings_of(results)
    wide, phone = figures(results, ratings), figures(results, ratings, PHONE)
    drawn = {name: (wide[name], phone[name]) for name in wide}
    return tournament_page(f"Tournament {path.stem}", results, ratings, drawn, shown, [says])


def _of_records(path: Path, wish: Wish) -> Page:
    records, faults = readable(path)
    if not records:
        raise ValueError(f"{path} has no games")
    shown = shown_games(spread(records, wish.games), wish)
    says = [] if len(shown) == len(records) else [f"{len(shown):,} of {len(records):,} games, evenly spread."]
    return records_page(f"Games of {path.name}", records, shown, [*says, *left_out(faults)])
