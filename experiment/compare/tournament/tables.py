"""The tables of a tournament: how each player stands, each pair that met, and the matrices of all pairs."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from othello_lab.experiment.compare.ratings import RATED, Numbers, Ratings
from othello_lab.experiment.compare.tournament.entrants import Entrant
from othello_lab.experiment.compare.tournament.meetings import Meeting, circles, meetings
from othello_lab.experiment.compare.tournament.results import Results
from othello_lab.experiment.show.tables import Column, Table, as_csv
from othello_lab.experiment.show.wording import share
from othello_lab.experiment.study.statistics.intervals import Estimate
from othello_lab.experiment.study.statistics.units import PAIRED
from othello_lab.game.files import replace

_DIGITS = 12
"""Of a digest."""
_SHORTEST_NAME = 14
Write = Callable[[float], str]


class Standing(NamedTuple):
    """A player of a tournament, and how it did."""

    name: str
    who: Entrant
    games: int
    score: float
    forfeits: int
    rating: Estimate | None
    ahead: Estimate | None
    """By how much its rating is above the next player's; None of the last."""

    @property
    def label(self) -> str:
        """Its name, with how many games it forfeited."""
        return f"{self.name}  ({self.forfeits} forfeited)" if self.forfeits else self.name


_STANDINGS: tuple[Column[Standing], ...] = (
    Column("", lambda it: it.name, key="player"),
    Column("player", lambda it: it.label, key=""),
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
_WHO: tuple[Column[Standing], ...] = (
    Column("player", lambda it: it.name),
    Column("text", lambda it: it.who.text, wide=True),
    Column("digest of its file", lambda it: it.who.digest and it.who.digest[:_DIGITS]),
)


def players(results: Results, ratings: Ratings | None) -> Table:
    """Return how each player stands, in the order of the results."""
    return Table.of("Players by rating", _STANDINGS, _standings(results, ratings), numbered=True)


def who_they_are(results: Results) -> Table:
    """Return the texts that the players were made from."""
    says = "The first digits of SHA-256; - where no file is behind one."
    return Table.of("Who they are", _WHO, _standings(results, None), says, numbered=True)


def _standings(results: Results, ratings: Ratings | None) -> list[Standing]:
    totals, games, forfeits = results.totals(), results.games().sum(1), results.forfeits()
    return [
        Standing(
            results.names[place],
            who,
            int(games[place]),
            float(totals[place]),
            int(forfeits[place]),
            None if ratings is None else ratings.of(place),
            _ahead(ratings, place),
        )
        for place, who in enumerate(results.entrants)
    ]


def _ahead(ratings: Ratings | None, place: int) -> Estimate | None:
    if ratings is None or place + 1 == len(ratings.points):
        return None
    return ratings.difference(place, place + 1)


def pairs(results: Results, found: Sequence[Meeting], says: str = "") -> Table:
    """Return pairs that met; all numbers are those of the first, which is the one with the higher rating."""
    names, games, wins = results.names, results.games(), results.wins()
    finals = results.final_scores().fair
    columns: tuple[Column[Meeting], ...] = (
        Column("", lambda it: names[it.first], key="first"),
        Column("higher rated", lambda it: _called(results, it.first), key=""),
        Column("", lambda it: names[it.second], key="second"),
        Column("lower rated", lambda it: _called(results, it.second), key="", wide=True),
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
    return Table.of("Pairs against the ratings", columns, found, says)


def _called(results: Results, place: int) -> str:
    """Return what a player is called where rows have no places: the columns of matrices have these alone."""
    return f"{place + 1}. {results.names[place]}"


def has_room(players: int, width: int) -> bool:
    """Tell whether a line of `width` has room for a row of a matrix with all its digits."""
    return 4 + _SHORTEST_NAME + players * len(" +12.5 ") <= width


def matrices(results: Results, all_digits: bool = True) -> dict[str, Table]:
    """Return what each player did against each, the rows' players against the columns', by their names."""
    names, scores, finals = results.names, results.scores(), results.final_scores()
    wins = np.where(np.eye(len(names)) > 0, np.nan, results.wins())
    points = partial(share, digits=3 if all_digits else 2)
    discs = ("{:+.1f}" if all_digits else "{:+.0f}").format
    own, final = "the row's wins and half the draws, as a share", "its discs minus the column's at the end"
    return {
        "wins": matrix("Wins of the row against the column", names, wins, "{:.0f}".format),
        "score_as_black": matrix(f"Score as black: {own}", names, scores.as_black, points),
        "score_as_white": matrix("Score as white", names, scores.as_white, points),
        "score": matrix("Score, fair to colour: the mean of both", names, scores.fair, points),
        "final_score_as_black": matrix(f"Mean final score as black: {final}", names, finals.as_black, discs),
        "final_score_as_white": matrix("Mean final score as white", names, finals.as_white, discs),
        "final_score": matrix("Mean final score, fair to colour", names, finals.fair, discs),
    }


def matrix(title: str, names: Sequence[str], numbers: Numbers, write: Write) -> Table:
    """Return a matrix [P, P]: a dot where there is nothing, as where no player met itself."""
    columns = [
        Column[str]("player"),
        *(
            Column[str](f"{place}", write=lambda value: "·" if np.isnan(value) else write(value), key=name)
            for place, name in enumerate(names, 1)
        ),
    ]
    rows = [(name, *row) for name, row in zip(names, numbers.tolist(), strict=True)]
    return Table(title, columns, rows, numbered=True, matrix=True)


def as_json(results: Results, ratings: Ratings | None) -> dict[str, Any]:
    """Return everything; players by their places in `players`, numbers that are not there as null."""
    found = meetings(results, ratings)
    return {
        "games": len(results.points),
        "openings": len(set(results.openings.tolist())),
        "intervals": {"rating": RATED, "score": PAIRED},
        "players": players(results, ratings).records,
        "matrices": {name: [row for _, *row in table.values] for name, table in matrices(results).items()},
        "pairs": pairs(results, found).records,
        "circles": [circle._asdict() for circle in circles(found)],
    }


def write_csv(results: Results, ratings: Ratings | None, folder: Path) -> None:
    """Write ratings.csv, pairs.csv and a file for each matrix into a folder; raise OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "ratings": players(results, ratings),
        "pairs": pairs(results, meetings(results, ratings)),
        **matrices(results),
    }
    for name, table in files.items():
        replace(folder / f"{name}.csv", as_csv(table))
