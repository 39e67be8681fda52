"""Counts of legal moves, turn by turn and side by side, and the size of the tree of games they make."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from experiment.show.tables import Table, Value
from experiment.study.analysis.games import Games
from experiment.study.statistics.units import mean_over, sums_over
from game.batch.games import count_squares, legal_moves

_SHARES = (5, 25, 50, 75, 95)
"""Percentiles."""


def count_choices(games: Games) -> NDArray[np.int64]:
    """Count the legal moves of each decision, 0 where there is none, int64 [turns + 1, games]."""
    found = np.zeros(games.moves.shape, np.int64)
    for turn, decided in enumerate(games.decided):
        found[turn, decided] = count_squares(legal_moves(games.positions(turn, decided)), games.size)
    return found


def per_turn(games: Games, choices: NDArray[np.int64]) -> Table:
    """Return mean, interval and spread of the legal moves at each turn, for each side."""
    columns = ("turn", "side", "decisions", "mean", "low", "high", "sd", "least")
    rows = list(_per_turn(games, choices))
    percentiles = tuple(f"p{share}" for share in _SHARES)
    about = "legal moves of a decision: mean with its 95 % interval, standard deviation, percentiles"
    return Table.plain("moves", about, (*columns, *percentiles, "most"), rows)


def _per_turn(games: Games, choices: NDArray[np.int64]) -> Iterator[tuple[Value, ...]]:
    for name, decided in games.groups().items():
        for turn in np.flatnonzero(decided.any(axis=1)).tolist():
            which = decided[turn]
            found = choices[turn, which]
            mean = mean_over(*sums_over(games.unit[which], found))
            spread = np.percentile(found, [0, *_SHARES, 100]).tolist()
            sd = float(found.std(ddof=1)) if len(found) > 1 else 0.0
            yield (turn, name, len(found), mean.value, *mean.interval, sd, *spread)


def histogram(games: Games, choices: NDArray[np.int64]) -> Table:
    """Count the decisions with each number of legal moves at each turn, for each side."""
    rows: list[tuple[Value, ...]] = []
    for name, decided in games.groups().items():
        for turn in np.flatnonzero(decided.any(axis=1)).tolist():
            counts = np.bincount(choices[turn, decided[turn]])
            rows += [(turn, name, moves, int(counts[moves])) for moves in np.flatnonzero(counts).tolist()]
    about = "how many decisions had each number of legal moves"
    return Table.plain("moves_histogram", about, ("turn", "side", "moves", "decisions"), rows)
