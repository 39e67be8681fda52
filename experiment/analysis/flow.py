"""How games go on: how many there still are, where a side has to pass, and how many boards are unlike."""

import numpy as np
from numpy.typing import NDArray

from experiment.analysis.games import Games
from experiment.analysis.table import Table, Value
from experiment.statistics.means import Estimate
from experiment.statistics.units import share_over, sums_over

SHARE = ("skipped", "low", "high")


def per_turn(games: Games) -> Table:
    """Return, for the board after so many discs: the games that came to it, the share of them in which a side
    then had to pass, and how many of their boards are unlike.
    """
    rows: list[tuple[Value, ...]] = []
    for turn in np.flatnonzero(games.reached.any(axis=1)).tolist():
        counts = int(games.reached[turn].sum()), int(games.decided[turn].sum())
        share = _passes(games, turn)
        after_black, after_white = (
            games.passed[turn] & (games.black_to_move[turn] == black) for black in (0, 1)
        )
        passes = int(after_black.sum()), int(after_white.sum())
        rows.append((turn, *counts, share.value, *share.interval, *passes, distinct(games, turn)))
    columns = ("turn", "games", "decisions", *SHARE, "black_passed", "white_passed", "boards")
    about = (
        "games that came to a turn, share in which a side had to pass there (95 % interval), unlike boards"
    )
    return Table("flow", about, columns, rows)


def _passes(games: Games, turn: int) -> Estimate:
    reached = games.reached[turn]
    return share_over(*sums_over(games.unit[reached], games.passed[turn, reached]))


def distinct(games: Games, turn: int) -> int:
    """Count the unlike positions, side to move included, that the games have at a turn or end in there."""
    which = games.reached[turn]
    positions, black = games.positions(turn, which), games.black_to_move[turn, which]
    keys: list[NDArray[np.generic]] = [*positions.own.T, *positions.opponent.T, black]
    order = np.lexsort(keys)
    changes = [np.diff(key[order].astype(np.uint64)) != 0 for key in keys]
    return int(np.any(changes, axis=0).sum()) + bool(len(order))
