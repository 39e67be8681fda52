"""Where moves are possible and where they are made, square by square."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from experiment.analysis.games import Games
from experiment.analysis.table import Table, Value
from game.batch.games import legal_moves, to_mask
from game.notation import square_name

ALL: Final = "all"
"""In place of a turn: every decision of the side."""


def heat(games: Games) -> Table:
    """Return in what share of a side's own turns each square could be played, and in what share it was."""
    rows = list(_heat(games))
    about = "share of a side's decisions in which a square could be played, and in which it was"
    return Table("squares", about, ("turn", "side", "square", "decisions", "possible", "played"), rows)


def _heat(games: Games) -> Iterator[tuple[Value, ...]]:
    possible, played, decisions = count(games)
    names = [square_name(square, games.size) for square in range(games.size**2)]
    for place, side in enumerate(games.groups()):
        turns = np.flatnonzero(decisions[place]).tolist()
        parts: dict[Value, slice] = {ALL: slice(None), **{turn: slice(turn, turn + 1) for turn in turns}}
        for turn, which in parts.items():
            number = int(decisions[place, which].sum())
            sums = [counts[place, which].sum(axis=0) / max(1, number) for counts in (possible, played)]
            for name, could, did in zip(names, *(column.tolist() for column in sums), strict=True):
                yield (turn, side, name, number, could, did)


def count(games: Games) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return how often each square could be played and how often it was, int64 [sides, turns + 1, squares],
    and in how many decisions, int64 [sides, turns + 1].
    """
    groups, squares = list(games.groups().values()), games.size**2
    possible = np.zeros((len(groups), len(games.moves), squares), np.int64)
    played = np.zeros_like(possible)
    for turn, decided in enumerate(games.decided):
        legal = to_mask(legal_moves(games.positions(turn, decided)), games.size)
        moves = games.moves[turn, decided]
        for place, group in enumerate(groups):
            own = group[turn, decided]
            possible[place, turn] = legal[own].sum(axis=0)
            played[place, turn] = np.bincount(moves[own], minlength=squares)
    return possible, played, np.array([group.sum(axis=1) for group in groups])
