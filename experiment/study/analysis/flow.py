"""The flow of games: how many still go on, where a side has to pass, and how many boards differ."""

import numpy as np
from numpy.typing import NDArray

from experiment.show.tables import Table, Value
from experiment.study.analysis.games import Games
from experiment.study.statistics.units import share_over, sums_over


def per_turn(games: Games) -> Table:
    """Return, for the board after each number of discs: the games that came to it, the share of them in
    which a side then had to pass, and how many of their boards differ.
    """
    rows: list[tuple[Value, ...]] = []
    for turn in np.flatnonzero(games.reached.any(axis=1)).tolist():
        counts = int(games.reached[turn].sum()), int(games.decided[turn].sum())
        skipped = _share(games, turn, games.passed[turn])
        rows.append((turn, *counts, *skipped, distinct(games, turn)))
    columns = ("turn", "games", "decisions", "skipped", "low", "high", "boards")
    about = (
        "games that came to a turn, share in which a side had to pass there, 95 % interval, different boards"
    )
    return Table.plain("flow", about, columns, rows)


def passes(games: Games) -> Table:
    """Return the share of the games that came to a turn in which each side had to pass there."""
    rows: list[tuple[Value, ...]] = []
    for side, is_black in games.sides().items():
        for turn in np.flatnonzero(games.decided.any(axis=1)).tolist():
            passed = games.passed[turn] & (games.black_to_move[turn] != is_black)
            rows.append((turn, side, int(games.reached[turn].sum()), *_share(games, turn, passed)))
    about = "share of the games that came to a turn in which a side had to pass there, with its 95 % interval"
    return Table.plain("passes", about, ("turn", "side", "games", "share", "low", "high"), rows)


def _share(games: Games, turn: int, passed: NDArray[np.bool_]) -> tuple[float, float, float]:
    """Return the share of the games that came to a turn in which somebody passed, and its interval."""
    reached = games.reached[turn]
    share = share_over(*sums_over(games.unit[reached], passed[reached]))
    return (share.value, *share.interval)


def distinct(games: Games, turn: int) -> int:
    """Count the different positions, side to move included, that the games have or end in at a turn."""
    which = games.reached[turn]
    positions, black = games.positions(turn, which), games.black_to_move[turn, which]
    keys: list[NDArray[np.generic]] = [*positions.own.T, *positions.opponent.T, black]
    order = np.lexsort(keys)
    changes = [np.diff(key[order].astype(np.uint64)) != 0 for key in keys]
    return int(np.any(changes, axis=0).sum()) + bool(len(order))
