"""Results of a tournament for programs: JSON, and tables as CSV."""

from pathlib import Path
from typing import Any

import numpy as np

from experiment.compare.ratings.elo import RATED, Ratings
from experiment.compare.ratings.pairs import Numbers
from experiment.compare.tournament.meetings import Meeting, circles, meetings
from experiment.compare.tournament.results import Results
from experiment.run.results.text_files import csv_text
from experiment.study.statistics.paired import PAIRED
from game.files import replace

Row = list[object]


def as_json(results: Results, ratings: Ratings | None) -> dict[str, Any]:
    """Return everything; players by their places in `players`, numbers that are not there as null."""
    return {
        "games": len(results.points),
        "openings": len(set(results.openings.tolist())),
        "intervals": {"rating": RATED, "score": PAIRED},
        "players": _players(results, ratings),
        "matrices": {name: _listed(numbers) for name, numbers in _matrices(results).items()},
        "pairs": [dict(zip(_PAIR, row, strict=True)) for row in _pairs(results, ratings)],
        "circles": [circle._asdict() for circle in circles(_meetings(results, ratings))],
    }


def write_csv(results: Results, ratings: Ratings | None, folder: Path) -> list[Path]:
    """Write ratings.csv, pairs.csv and a file for each matrix into a folder; return them; raise OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    players = _players(results, ratings)
    tables: dict[str, list[Row]] = {
        "ratings": [list(players[0]), *(list(player.values()) for player in players)],
        "pairs": [_PAIR, *_pairs(results, ratings)],
        **{name: _table(results, numbers) for name, numbers in _matrices(results).items()},
    }
    return [_written(folder / f"{name}.csv", rows) for name, rows in tables.items()]


def _players(results: Results, ratings: Ratings | None) -> list[dict[str, Any]]:
    totals, games, forfeits = results.totals(), results.games().sum(1), results.forfeits()
    return [
        {
            "player": results.names[place],
            "text": who.text,
            "digest": who.digest,
            "id": who.id,
            "games": int(games[place]),
            "score": float(totals[place]),
            "forfeits": int(forfeits[place]),
            **_rating(ratings, place),
        }
        for place, who in enumerate(results.entrants)
    ]


def _rating(ratings: Ratings | None, place: int) -> dict[str, float | None]:
    if ratings is None:
        return {"rating": None, "low": None, "high": None}
    found = ratings.of(place)
    return {"rating": found.value, "low": found.interval.low, "high": found.interval.high}


_PAIR: Row = ["first", "second", "games", "wins", "losses", "score", "low", "high", "expected", "final_score"]


def _pairs(results: Results, ratings: Ratings | None) -> list[Row]:
    """Return each pair that met: the first is the one with the higher rating; numbers are the first's."""
    games, wins, finals = results.games(), results.wins(), _listed(results.final_scores().fair)
    return [
        [
            results.names[a],
            results.names[b],
            int(games[a, b]),
            int(wins[a, b]),
            int(wins[b, a]),
            score.value,
            *score.interval,
            expected,
            finals[a][b],
        ]
        for a, b, score, expected in _meetings(results, ratings)
    ]


def _matrices(results: Results) -> dict[str, Numbers]:
    scores, finals = results.scores(), results.final_scores()
    return {
        "wins": results.wins(),
        "score_as_black": scores.as_black,
        "score_as_white": scores.as_white,
        "score": scores.fair,
        "final_score_as_black": finals.as_black,
        "final_score_as_white": finals.as_white,
        "final_score": finals.fair,
    }


def _meetings(results: Results, ratings: Ratings | None) -> list[Meeting]:
    return [] if ratings is None else meetings(results, ratings)


def _table(results: Results, numbers: Numbers) -> list[Row]:
    rows: list[Row] = [["player", *results.names]]
    return rows + [[name, *row] for name, row in zip(results.names, _listed(numbers), strict=True)]


def _listed(numbers: Numbers) -> list[list[float | None]]:
    """Return a matrix without its diagonal, and null for what is not there."""
    off = np.where(np.eye(len(numbers)) > 0, np.nan, numbers)
    return [[None if np.isnan(value) else float(value) for value in row] for row in off]


def _written(path: Path, rows: list[Row]) -> Path:
    replace(path, csv_text(rows))
    return path
