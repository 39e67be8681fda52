"""The games of a tournament as arrays, with matrices and ratings.

Games of a player against itself count only in the diagonals of `as_black` and `as_white`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.compare.ratings import Numbers, Pairs, Places, Ratings, UnratedError, rate
from othello_lab.experiment.compare.tournament.entrants import Entrant, labels
from othello_lab.experiment.compare.tournament.store import Played
from othello_lab.experiment.show.wording import plural
from othello_lab.experiment.study.statistics.intervals import Estimate
from othello_lab.experiment.study.statistics.units import score

_MOST_UNITS: Final = 400


class Matrix(NamedTuple):
    """Mean results of the row's player against the column's player, [P, P]. A pair without games has nan."""

    as_black: Numbers
    as_white: Numbers
    fair: Numbers  # The mean of `as_black` and `as_white`. The diagonal is nan.


@dataclass(frozen=True)
class Results:
    """The results of the games among P players."""

    entrants: Sequence[Entrant]
    names: Sequence[str]  # The labels of the players, [P].
    black: Places  # The index of the player with black, [games].
    white: Places
    openings: Places  # The index of the opening, [games].
    points: Numbers  # Black's points (1, 1/2 or 0), [games].
    final: Numbers  # Black's final score, [games]. Nan after a forfeit.

    @classmethod
    def of(cls, entrants: Sequence[Entrant], games: Iterable[Played]) -> "Results":
        """Return the results of the games among `entrants`. Other games are ignored."""
        places = {who.id: place for place, who in enumerate(entrants)}
        among = [game for game in games if game.key.black in places and game.key.white in places]
        openings: dict[str, int] = {}
        finals = (game.final_score for game in among)
        return cls(
            entrants,
            labels(entrants),
            np.array([places[game.key.black] for game in among], np.intp),
            np.array([places[game.key.white] for game in among], np.intp),
            np.array([openings.setdefault(game.key.opening, len(openings)) for game in among], np.intp),
            np.array([game.points for game in among], np.float64),
            np.array([np.nan if final is None else final for final in finals], np.float64),
        )

    def sorted(self) -> "Results":
        """Return the results with the players sorted by rating, or by score without ratings."""
        ratings = ratings_of(self)
        order = np.argsort(-(ratings.points if ratings else self.totals()), kind="stable")
        places = np.argsort(order)
        return replace(
            self,
            entrants=[self.entrants[place] for place in order],
            names=[self.names[place] for place in order],
            black=places[self.black],
            white=places[self.white],
        )

    def ratings(self) -> Ratings:
        """Return the ratings, with mean 0. Raises UnratedError if the games do not connect all players.

        The units are the openings. With one opening, the units are at most _MOST_UNITS groups of games.
        """
        units = self.openings if self.openings.any() else np.arange(len(self.openings)) % _MOST_UNITS
        which = self._different
        games = units[which], self.black[which], self.white[which], self.points[which]
        return rate(Pairs.of(len(self.entrants), *games))

    def totals(self) -> Numbers:
        """Return each player's score over all games, [P]. A player without games has 0."""
        won, games = self._sums(self.points, self._different)
        points = won.sum(1) + (games - won).sum(0)
        return np.asarray(points / np.maximum(1, games.sum(1) + games.sum(0)))

    def games(self) -> Numbers:
        """Return the number of games of each pair, [P, P]."""
        _, games = self._sums(self.points, self._different)
        return np.asarray(games + games.T)

    def wins(self) -> Numbers:
        """Return the row player's wins against the column's player, [P, P]."""
        _, won = self._sums(self.points, self._different & (self.points == 1))
        _, lost = self._sums(self.points, self._different & (self.points == 0))
        return np.asarray(won + lost.T)

    def forfeits(self) -> Numbers:
        """Return the number of forfeits of each player, [P]."""
        forfeited = self._different & np.isnan(self.final)
        _, by_black = self._sums(self.points, forfeited & (self.points == 0))
        _, by_white = self._sums(self.points, forfeited & (self.points == 1))
        return np.asarray(by_black.sum(1) + by_white.sum(0))

    def scores(self) -> Matrix:
        """Return the row player's mean points. A draw counts 1/2."""
        as_black = self._means(self.points)
        return _matrix(as_black, 1 - as_black.T)

    def final_scores(self) -> Matrix:
        """Return the row player's mean final score. The winner gets the empty squares."""
        as_black = self._means(self.final)
        return _matrix(as_black, -as_black.T)

    @property
    def _different(self) -> NDArray[np.bool_]:
        """Whether the two players of each game are different, [games]."""
        return np.asarray(self.black != self.white)

    def _means(self, values: Numbers) -> Numbers:
        sums, counts = self._sums(values, ~np.isnan(values))
        return np.asarray(np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0))

    def _sums(self, values: Numbers, which: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
        """Return the sums of `values` and the counts of the games in `which`, [P, P] each."""
        sums, counts = np.zeros((2, len(self.entrants), len(self.entrants)))
        np.add.at(sums, (self.black[which], self.white[which]), values[which])
        np.add.at(counts, (self.black[which], self.white[which]), 1)
        return sums, counts


def _matrix(as_black: Numbers, as_white: Numbers) -> Matrix:
    diagonal = np.eye(len(as_black), dtype=np.bool_)
    return Matrix(as_black, as_white, np.where(diagonal, np.nan, (as_black + as_white) / 2))


def ratings_of(results: Results) -> Ratings | None:
    """Return ratings with mean 0, or None if the games do not connect all players."""
    try:
        return results.ratings()
    except UnratedError:
        return None


class Meeting(NamedTuple):
    """The result of the games between two players."""

    first: int  # The index of the player with the higher rating.
    second: int
    score: Estimate  # The score of the first player.
    expected: float  # The first player's score predicted by the ratings.

    @property
    def is_upset(self) -> bool:
        """Whether the player with the lower rating was ahead."""
        return self.score.value < 0.5

    @property
    def is_clear(self) -> bool:
        """Whether the interval of the score excludes 1/2."""
        low, high = self.score.interval
        return not low <= 0.5 <= high

    @property
    def is_unexpected(self) -> bool:
        """Whether the interval of the score excludes the expected score."""
        low, high = self.score.interval
        return not low <= self.expected <= high


def meetings(results: Results, ratings: Ratings | None) -> list[Meeting]:
    """Return the meetings sorted by rating, or [] without ratings."""
    if ratings is None:
        return []
    expected, games = ratings.chances(), results.games()
    pairs = [(a, b) for a, b in combinations(ratings.order(), 2) if games[a, b]]
    return [Meeting(a, b, _score(results, a, b), float(expected[a, b])) for a, b in pairs]


def _score(results: Results, a: int, b: int) -> Estimate:
    as_black = (results.black == a) & (results.white == b)
    as_white = (results.black == b) & (results.white == a)
    points = np.concatenate([results.points[as_black], 1 - results.points[as_white]])
    openings = np.concatenate([results.openings[as_black], results.openings[as_white]])
    return score(zip(openings.tolist(), points.tolist(), strict=True))


def contradictions(met: Sequence[Meeting]) -> list[Meeting]:
    """Return the meetings that contradict the ratings: upsets, then unexpected scores, the farthest first."""
    unexpected = [meeting for meeting in met if meeting.is_unexpected and not meeting.is_upset]
    upsets = [meeting for meeting in met if meeting.is_upset]
    return upsets + sorted(unexpected, key=lambda it: -abs(it.score.value - it.expected))


def against_ratings(met: Sequence[Meeting]) -> str:
    """Return a text with the number of pairs that contradict the ratings."""
    upsets = sum(meeting.is_upset for meeting in met)
    unexpected = sum(meeting.is_unexpected for meeting in met)
    if not upsets and not unexpected:
        return "Every pair scored as its ratings say."
    return (
        f"The lower-rated player was ahead in {upsets} of {plural(len(met), 'pair')}. {unexpected} scored "
        f"other than their ratings say; chance alone makes that about {len(met) / 20:.0f}."
    )
