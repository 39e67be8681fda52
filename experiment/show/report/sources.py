"""Sources of a report: a run's folder, a database or a file of games."""

from pathlib import Path
from typing import Any

from experiment.compare.tournament.anchor import ratings_of
from experiment.compare.tournament.figures import figures
from experiment.compare.tournament.results import Results
from experiment.compare.tournament.store import reading
from experiment.run.results.player_names import Named
from experiment.run.results.run_folder import RunFolder
from experiment.show.report.games import Wish, opponents_of, records_of, run_games, shown_games, spread
from experiment.show.report.inline_svg import PHONE
from experiment.show.report.page import Page
from experiment.show.report.pictures import run_pictures
from experiment.show.report.records import records_page
from experiment.show.report.run import run_page
from experiment.show.report.tournament import tournament_page
from game.records import SUFFIXES, readable
from game.records.selection import left_out

_SQLITE = b"SQLite format 3\0"
"""How a database begins."""
_STAR = "A star marks the moves that were given."


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
    says = f"{len(shown):,} of {len(played):,} games, evenly spread. {_STAR}"
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


def page_of_run(folder: RunFolder, policy: Named | None, size: int, wish: Wish) -> Page:
    """Return the report of a run, without games where it has no policy that plays here.

    Raises RunFolderError, AdviserError.
    """
    shown, says = _run_games(folder, policy, size, wish) if policy and wish.games else ([], [])
    return run_page(folder, [*run_pictures(folder)], shown, says)


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
        f"they are in none of the counts above. {_STAR}"
    )
    return shown, [says]
