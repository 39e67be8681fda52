"""The games of a tournament as arrays; the matrices and the ratings that come of them.

Games of a player against itself say what each colour is worth to it, on the diagonals of the matrices by
colour, and nothing of how strong it is: they count in nothing else.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.compare.ratings import Numbers, Pairs, Places, Ratings, UnratedError, rate
from othello_lab.experiment.compare.tournament.entrants import Entrant, labels
from othello_lab.experiment.compare.tournament.store import Played

_MOST_UNITS: Final = 400


class Matrix(NamedTuple):
    """Means of the row's player against the column's, each [P, P]; nan where there are no games."""

    as_black: Numbers
    as_white: Numbers
    fair: Numbers
    """Half of both: what either colour is worth cancels out. Nobody has one against itself."""


@dataclass(frozen=True)
class Results:
    """The games among P players."""

    entrants: Sequence[Entrant]
    names: Sequence[str]
    """What to call them."""
    black: Places
    """Who, [games]; white likewise."""
    white: Places
    openings: Places
    """[games]"""
    points: Numbers
    """Black's, 1, 1/2 or 0, [games]."""
    final: Numbers
    """Black's final score, [games]; nan for a forfeited game."""

    @classmethod
    def of(cls, entrants: Sequence[Entrant], games: Iterable[Played]) -> "Results":
        """Take the games among these players; those of others are left out."""
        places = {who.id: place for place, who in enumerate(entrants)}
        among = [game for game in games if game.key.black in places and game.key.white in places]
        openings: dict[str, int] = {}
        return cls(
            entrants,
            labels(entrants),
            np.array([places[game.key.black] for game in among], np.intp),
            np.array([places[game.key.white] for game in among], np.intp),
            np.array([openings.setdefault(game.key.opening, len(openings)) for game in among], np.intp),
            np.array([game.points for game in among], np.float64),
            np.array(
                [np.nan if game.final_score is None else game.final_score for game in among], np.float64
            ),
        )

    def sorted(self) -> "Results":
        """Return the same with the players in the order of their ratings, or scores where there are none."""
        order = np.array(self._order(), np.intp)
        places = np.argsort(order)
        return Results(
            [self.entrants[place] for place in order],
            [self.names[place] for place in order],
            places[self.black],
            places[self.white],
            self.openings,
            self.points,
            self.final,
        )

    def _order(self) -> list[int]:
        try:
            return self.ratings().order()
        except UnratedError:
            return [int(place) for place in np.argsort(-self.totals(), kind="stable")]

    def pairs(self) -> Pairs:
        """Return what ratings are made of."""
        met = self._met_another
        places = self._units()[met], self.black[met], self.white[met]
        return Pairs.of(len(self.entrants), *places, self.points[met])

    def _units(self) -> Places:
        """Return what the spread is taken over, [games]: openings, or where there is one alone, games.

        Very many games are put together, for the sake of memory.
        """
        return self.openings if self.openings.any() else np.arange(len(self.openings)) % _MOST_UNITS

    def ratings(self) -> Ratings:
        """Return the ratings, with mean 0; raise UnratedError."""
        return rate(self.pairs())

    def totals(self) -> Numbers:
        """Return what each scored over all games, [P]; 0 without games."""
        won, games = self._sums(self.points)
        all_won = won.sum(1) + (games - won).sum(0)
        return np.asarray(all_won / np.maximum(1, games.sum(1) + games.sum(0)))

    def games(self) -> Numbers:
        """Return how many games there are of each against each, [P, P]."""
        _, games = self._sums(self.points)
        return np.asarray(games + games.T)

    def wins(self) -> Numbers:
        """Return how many games the row's player won against the column's, [P, P]."""
        won, _ = self._sums((self.points == 1).astype(np.float64))
        lost, _ = self._sums((self.points == 0).astype(np.float64))
        return np.asarray(won + lost.T)

    def forfeits(self) -> Numbers:
        """Return how many games each gave up, or lost by an illegal move, [P]."""
        given_up = np.where(np.isnan(self.final), 1.0, np.nan)
        by_black, _ = self._sums(np.where(self.points == 0, given_up, np.nan))
        by_white, _ = self._sums(np.where(self.points == 1, given_up, np.nan))
        return np.asarray(by_black.sum(1) + by_white.sum(0))

    def scores(self) -> Matrix:
        """Return wins and half the draws as a share of the games."""
        as_black = self._means(self.points)
        return _matrix(as_black, 1 - as_black.T)

    def final_scores(self) -> Matrix:
        """Return the mean of the row's discs minus the column's, the empty squares for the winner."""
        as_black = self._means(self.final)
        return _matrix(as_black, -as_black.T)

    @property
    def _met_another(self) -> NDArray[np.bool_]:
        """Which games are those of two players, [games]."""
        return np.asarray(self.black != self.white)

    def _means(self, values: Numbers) -> Numbers:
        sums, counts = self._added(values, ~np.isnan(values))
        return np.asarray(np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0))

    def _sums(self, values: Numbers) -> tuple[Numbers, Numbers]:
        """Return the sums of black's values and how many there are, black in rows, white in columns."""
        return self._added(values, ~np.isnan(values) & self._met_another)

    def _added(self, values: Numbers, known: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
        sums, counts = np.zeros((2, len(self.entrants), len(self.entrants)))
        np.add.at(sums, (self.black[known], self.white[known]), values[known])
        np.add.at(counts, (self.black[known], self.white[known]), 1)
        return sums, counts


def zero(results: Results, ratings: Ratings) -> str:
    """Return what the ratings are relative to."""
    if ratings.anchor is None:
        return "the mean rating is 0"
    return f"{results.names[ratings.anchor]} is rated {ratings.points[ratings.anchor]:g}"


def _matrix(as_black: Numbers, as_white: Numbers) -> Matrix:
    itself = np.eye(len(as_black), dtype=np.bool_)
    return Matrix(as_black, as_white, np.where(itself, np.nan, (as_black + as_white) / 2))


class Anchor(NamedTuple):
    """A player and its rating."""

    who: Entrant
    points: float


def anchored(entrants: Sequence[Entrant], text: str) -> Anchor:
    """Return what a text such as `random=0` says, by a player's name or registry text; raises ValueError."""
    name, _, points = text.rpartition("=")
    names = labels(entrants)
    called = {who.text: who for who in entrants} | dict(zip(names, entrants, strict=True))
    if name not in called or not re.fullmatch(r"[+-]?[0-9]{1,6}(\.[0-9]{1,6})?", points, re.ASCII):
        raise ValueError(f"{text!r} is no PLAYER=RATING with one of {', '.join(names)}, such as random=0")
    return Anchor(called[name], float(points))


def ratings_of(results: Results, anchor: Anchor | None = None) -> Ratings | None:
    """Return the ratings, relative to the anchor if there is one; None where the games do not link all."""
    try:
        found = results.ratings()
    except UnratedError:
        return None
    return found if anchor is None else found.anchored(results.entrants.index(anchor.who), anchor.points)
