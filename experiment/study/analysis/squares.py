"""Counts square by square: where moves are possible and where they are made."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from experiment.show.tables import Table, Value
from experiment.study.analysis.games import Games
from experiment.study.statistics.units import share_over
from game.batch.games import legal_moves, to_mask
from game.notation import square_name

ALL: Final = "all"
"""In place of a turn or of a number: all of them together."""
_ENDS = ("", "_low", "_high")


@dataclass(frozen=True)
class Counts:
    """How often the squares could be played, or were."""

    by_turn: NDArray[np.int64]
    """[sides, turns + 1, squares]"""
    by_game: NDArray[np.uint8]
    """[sides, games, squares]"""


@dataclass(frozen=True)
class Squares:
    """What there is to say of the squares of some games."""

    games: Games
    possible: Counts
    played: Counts

    def overall(self) -> Table:
        """Return in what share of a side's own turns each square could be played and was, with intervals."""
        rows: list[tuple[Value, ...]] = []
        for place, (side, decided) in enumerate(self.games.groups().items()):
            unit, count = np.unique(self.games.unit, return_inverse=True)
            decisions = np.bincount(count, decided.sum(axis=0), len(unit)).astype(float)
            shares = [
                self._shares(kind.by_game[place], decisions, count) for kind in (self.possible, self.played)
            ]
            for square, found in enumerate(zip(*shares, strict=True)):
                name = square_name(square, self.games.size)
                rows.append((side, name, int(decisions.sum()), *found[0], *found[1]))
        estimates = tuple(f"{kind}{end}" for kind in ("possible", "played") for end in _ENDS)
        about = "share of a side's decisions in which a square could be played and was, 95 % intervals"
        return Table.plain("squares", about, ("side", "square", "decisions", *estimates), rows)

    def _shares(
        self, by_game: NDArray[np.uint8], decisions: NDArray[np.float64], unit: NDArray[np.int64]
    ) -> Iterator[tuple[float, float, float]]:
        """Yield the share of each square and the ends of its interval."""
        there = decisions > 0
        for square in by_game.T:
            times = np.bincount(unit, square, len(decisions)).astype(float)
            share = share_over(times[there], decisions[there])
            yield (share.value, *share.interval)

    def each_turn(self) -> Table:
        """Return the same shares at each turn."""
        rows: list[tuple[Value, ...]] = []
        names = [square_name(square, self.games.size) for square in range(self.games.size**2)]
        for place, (side, decided) in enumerate(self.games.groups().items()):
            number = decided.sum(axis=1)
            for turn in np.flatnonzero(number).tolist():
                kinds = (self.possible.by_turn[place, turn], self.played.by_turn[place, turn])
                shares = ((kind / number[turn]).tolist() for kind in kinds)
                rows += [
                    (turn, side, name, int(number[turn]), *each)
                    for name, *each in zip(names, *shares, strict=True)
                ]
        about = "share of a side's decisions at a turn in which a square could be played, and in which it was"
        columns = ("turn", "side", "square", "decisions", "possible", "played")
        return Table.plain("squares_by_turn", about, columns, rows)


def count(games: Games) -> Squares:
    """Count where moves are possible and where they are made."""
    groups, squares = list(games.groups().values()), games.size**2
    possible, played = (_nothing(games, len(groups)) for _ in range(2))
    for turn, decided in enumerate(games.decided):
        legal = to_mask(legal_moves(games.positions(turn, decided)), games.size)
        made = games.moves[turn, decided][:, None] == np.arange(squares)
        for place, group in enumerate(groups):
            own, game = group[turn, decided], np.flatnonzero(group[turn])
            for kind, there in ((possible, legal[own]), (played, made[own])):
                kind.by_turn[place, turn] = there.sum(axis=0)
                kind.by_game[place, game] += there  # a game has one decision a turn: no number stands twice
    return Squares(games, possible, played)


def _nothing(games: Games, sides: int) -> Counts:
    shape = (sides, len(games), games.size**2)
    return Counts(np.zeros((sides, len(games.moves), games.size**2), np.int64), np.zeros(shape, np.uint8))
