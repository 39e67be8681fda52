"""The tables of a tournament, as terminal text, JSON or CSV."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

import numpy as np

from othello_lab.experiment.compare.ratings import RATED, Numbers, Ratings
from othello_lab.experiment.compare.tournament.entrants import Entrant
from othello_lab.experiment.compare.tournament.results import (
    Meeting,
    Results,
    against_ratings,
    contradictions,
    meetings,
)
from othello_lab.experiment.show.tables import Column, Table, as_csv, lines, matrix_lines
from othello_lab.experiment.show.wording import share
from othello_lab.experiment.study.statistics.intervals import Estimate
from othello_lab.experiment.study.statistics.units import PAIRED
from othello_lab.game.safe_files import replace
from rlglue.messages import truncate_middle

_DIGITS = 12  # number of shown digits of a SHA-256
_MOST = 10  # maximum number of printed pairs
_SHORTEST, _SHORTEST_NAME = 10, 14  # minimum length of a truncated name: in a line, and next to a matrix
Write = Callable[[float], str]


class Standing(NamedTuple):
    """A player of a tournament with its results."""

    name: str
    who: Entrant
    games: int
    score: float
    forfeits: int
    rating: Estimate | None
    ahead: Estimate | None  # The rating minus the next player's. None for the last player or without ratings.


_STANDINGS: tuple[Column[Standing], ...] = (
    Column("", lambda it: it.name, key="player"),
    Column("player", lambda it: it.name + f"  ({it.forfeits} forfeited)" * (it.forfeits > 0), key=""),
    Column("rating", lambda it: it.rating and it.rating.value, "{:+.0f}".format),
    Column("", lambda it: it.rating and it.rating.interval.low, key="low"),
    Column("", lambda it: it.rating and it.rating.interval.high, key="high"),
    Column("±", lambda it: it.rating and it.rating.reach, "{:.0f}".format, key=""),
    Column("ahead of next", lambda it: it.ahead, "{:.0f}".format, key=""),
    Column("score", lambda it: it.score, "{:.3f}".format),
    Column("games", lambda it: it.games, "{:,}".format),
    Column("", lambda it: it.forfeits, key="forfeits"),
    Column("", lambda it: it.who.text, key="text"),
    Column("", lambda it: it.who.digest, key="digest"),
    Column("", lambda it: it.who.id, key="id"),
)
_ENTRANTS: tuple[Column[Standing], ...] = (
    Column("player", lambda it: it.name),
    Column("text", lambda it: it.who.text, wide=True),
    Column("digest of its file", lambda it: it.who.digest and it.who.digest[:_DIGITS]),
)


def players(results: Results, ratings: Ratings | None) -> Table:
    """Return a table with each player's rating and score, in the order of the results."""
    return Table.of("Players by rating", _STANDINGS, _standings(results, ratings), numbered=True)


def who_they_are(results: Results) -> Table:
    """Return a table with each player's registry text and file digest."""
    says = "The first digits of SHA-256; - where no file is behind one."
    return Table.of("Who they are", _ENTRANTS, _standings(results, None), says, numbered=True)


def _standings(results: Results, ratings: Ratings | None) -> Iterator[Standing]:
    totals, games, forfeits = results.totals(), results.games().sum(1), results.forfeits()
    last = len(results.names) - 1
    for place, (name, who) in enumerate(zip(results.names, results.entrants, strict=True)):
        rating = ratings.of(place) if ratings else None
        ahead = ratings.difference(place, place + 1) if ratings and place < last else None
        counts = int(games[place]), float(totals[place]), int(forfeits[place])
        yield Standing(name, who, *counts, rating, ahead)


def pairs(results: Results, met: Sequence[Meeting], says: str = "") -> Table:
    """Return a table with one row for each meeting, from the view of the higher-rated player."""
    names, games, wins = results.names, results.games(), results.wins()
    finals = results.final_scores().fair
    columns: tuple[Column[Meeting], ...] = (
        Column("", lambda it: names[it.first], key="first"),
        Column("higher rated", lambda it: f"{it.first + 1}. {names[it.first]}", key=""),
        Column("", lambda it: names[it.second], key="second"),
        Column("lower rated", lambda it: f"{it.second + 1}. {names[it.second]}", key="", wide=True),
        Column("", lambda it: int(games[it.first, it.second]), key="games"),
        Column("", lambda it: int(wins[it.first, it.second]), key="wins"),
        Column("", lambda it: int(wins[it.second, it.first]), key="losses"),
        Column("score of the higher", lambda it: it.score.value, "{:.3f}".format, "score"),
        Column("interval", lambda it: it.score.interval, "{0.low:.3f} to {0.high:.3f}".format, ""),
        Column("", lambda it: it.score.interval.low, key="low"),
        Column("", lambda it: it.score.interval.high, key="high"),
        Column("expected", lambda it: it.expected, "{:.3f}".format),
        Column("", lambda it: float(finals[it.first, it.second]), key="final_score"),
    )
    return Table.of("Pairs against the ratings", columns, met, says)


def matrices(results: Results, all_digits: bool = True) -> dict[str, Table]:
    """Return the matrices by name. Each cell has a result of the row's player against the column's player."""
    names, scores, finals = results.names, results.scores(), results.final_scores()
    wins = np.where(np.eye(len(names)) > 0, np.nan, results.wins())
    points = partial(share, digits=3 if all_digits else 2)
    discs = ("{:+.1f}" if all_digits else "{:+.0f}").format
    score, final = "the row's wins and half the draws, as a share", "its discs minus the column's at the end"
    return {
        "wins": matrix("Wins of the row against the column", names, wins, "{:.0f}".format),
        "score_as_black": matrix(f"Score as black: {score}", names, scores.as_black, points),
        "score_as_white": matrix("Score as white", names, scores.as_white, points),
        "score": matrix("Score, fair to colour: the mean of both", names, scores.fair, points),
        "final_score_as_black": matrix(f"Mean final score as black: {final}", names, finals.as_black, discs),
        "final_score_as_white": matrix("Mean final score as white", names, finals.as_white, discs),
        "final_score": matrix("Mean final score, fair to colour", names, finals.fair, discs),
    }


def matrix(title: str, names: Sequence[str], numbers: Numbers, write: Write) -> Table:
    """Return a matrix [P, P] as a table, with a dot for nan."""
    columns = [
        Column[str]("player"),
        *(
            Column[str](f"{place}", write=lambda value: "·" if np.isnan(value) else write(value), key=name)
            for place, name in enumerate(names, 1)
        ),
    ]
    rows = [(name, *row) for name, row in zip(names, numbers.tolist(), strict=True)]
    return Table(title, columns, rows, numbered=True, matrix=True)


def text(results: Results, ratings: Ratings | None, width: int, with_matrices: bool = False) -> Iterator[str]:
    """Yield the results as lines of text."""
    if ratings is None:
        yield "No ratings: there are no games that link all players"
    else:
        yield from lines(players(results, ratings))
        yield "rating: Elo's scale, 400 points are odds of 10 to 1; the mean is 0"
        yield f"±: {RATED}"
        yield ""
        yield from _against_ratings(results, meetings(results, ratings), width)
    for name, count in zip(results.names, results.forfeits().tolist(), strict=True):
        if count:
            yield f"forfeits: {count:.0f} by {name}, counted as lost; the mean final scores leave them out"
    if not with_matrices:
        yield ""
        yield "--matrices shows who beat whom: wins, scores and discs of every pair"
        return
    has_room = 4 + _SHORTEST_NAME + len(results.names) * len(" +12.5 ") <= width
    for table in matrices(results, has_room).values():
        yield ""
        yield from matrix_lines(table, width)


def _against_ratings(results: Results, met: Sequence[Meeting], width: int) -> Iterator[str]:
    yield from wrap(against_ratings(met), width)
    room = max(_SHORTEST, (width - 54) // 2)
    for meeting in contradictions(met)[:_MOST]:
        first, second = (
            f"#{place + 1} {truncate_middle(results.names[place], room)}" for place in meeting[:2]
        )
        remark = "  (may be chance)" * (meeting.is_upset and not meeting.is_clear)
        yield f"  {first} - {second}: {meeting.score.value:.3f}, expected {meeting.expected:.3f}{remark}"


def as_json(results: Results, ratings: Ratings | None) -> dict[str, Any]:
    """Return all results as a JSON dictionary. Matrices are in the order of `players`, with null for nan."""
    met = meetings(results, ratings)
    return {
        "games": len(results.points),
        "openings": len(set(results.openings.tolist())),
        "intervals": {"rating": RATED, "score": PAIRED},
        "players": players(results, ratings).records,
        "matrices": {name: [row for _, *row in table.values] for name, table in matrices(results).items()},
        "pairs": pairs(results, met).records,
    }


def write_csv(results: Results, ratings: Ratings | None, folder: Path) -> None:
    """Write ratings.csv, pairs.csv and a file for each matrix into a folder. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "ratings": players(results, ratings),
        "pairs": pairs(results, meetings(results, ratings)),
        **matrices(results),
    }
    for name, table in files.items():
        replace(folder / f"{name}.csv", as_csv(table))
