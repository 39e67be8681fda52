"""Results of a tournament for programs: JSON, and tables as CSV."""

from pathlib import Path
from typing import Any

from experiment.compare.ratings.elo import RATED, Ratings
from experiment.compare.tournament import tables
from experiment.compare.tournament.meetings import Meeting, circles, meetings
from experiment.compare.tournament.results import Results
from experiment.show.tables import as_csv
from experiment.study.statistics.units import PAIRED
from game.files import replace


def as_json(results: Results, ratings: Ratings | None) -> dict[str, Any]:
    """Return everything; players by their places in `players`, numbers that are not there as null."""
    found = _meetings(results, ratings)
    return {
        "games": len(results.points),
        "openings": len(set(results.openings.tolist())),
        "intervals": {"rating": RATED, "score": PAIRED},
        "players": tables.players(results, ratings).records,
        "matrices": {
            name: [row for _, *row in table.values] for name, table in tables.matrices(results).items()
        },
        "pairs": tables.pairs(results, found).records,
        "circles": [circle._asdict() for circle in circles(found)],
    }


def write_csv(results: Results, ratings: Ratings | None, folder: Path) -> None:
    """Write ratings.csv, pairs.csv and a file for each matrix into a folder; raise OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "ratings": tables.players(results, ratings),
        "pairs": tables.pairs(results, _meetings(results, ratings)),
        **tables.matrices(results),
    }
    for name, table in files.items():
        replace(folder / f"{name}.csv", as_csv(table))


def _meetings(results: Results, ratings: Ratings | None) -> list[Meeting]:
    return [] if ratings is None else meetings(results, ratings)
