"""Corners: when one can be taken, who has them in the end."""

import numpy as np
from numpy.typing import NDArray

from experiment.show.tables import Table, Value
from experiment.study.analysis.games import Games
from experiment.study.statistics.units import mean_over, share_over, sums_over
from game.batch.games import legal_moves, to_mask
from game.board import corners


def chances(games: Games) -> Table:
    """Return the share of a side's own turns in which it could take a corner, turn by turn."""
    rows: list[tuple[Value, ...]] = []
    on_offer = _on_offer(games)
    for name, decided in games.groups().items():
        for turn in np.flatnonzero(decided.any(axis=1)).tolist():
            which = decided[turn]
            found = share_over(*sums_over(games.unit[which], on_offer[turn, which]))
            rows.append((turn, name, int(which.sum()), found.value, *found.interval))
    about = "share of a side's decisions in which it could take a corner"
    return Table.plain("corner_chances", about, ("turn", "side", "decisions", "share", "low", "high"), rows)


def _on_offer(games: Games) -> NDArray[np.bool_]:
    """Tell in which decisions a corner can be taken, bool [turns + 1, games]."""
    found = np.zeros(games.moves.shape, np.bool_)
    for turn, decided in enumerate(games.decided):
        legal = to_mask(legal_moves(games.positions(turn, decided)), games.size)
        found[turn, decided] = legal[:, list(corners(games.size))].any(axis=1)
    return found


def owned(games: Games) -> Table:
    """Return how many corners black, white and nobody own at the ends of games: mean, shares of 0 to 4."""
    rows: list[tuple[Value, ...]] = []
    unit = games.unit[games.complete]
    for name, count in owners(games).items() if len(unit) else ():
        mean = mean_over(*sums_over(unit, count))
        shares = np.bincount(count, minlength=5) / len(count)
        rows.append((name, len(count), mean.value, *mean.interval, *shares.tolist()))
    columns = ("owner", "games", "mean", "low", "high", *(f"share_{number}" for number in range(5)))
    about = "corners owned at the end: mean, 95 % interval, share of games"
    return Table.plain("corners_owned", about, columns, rows)


def owners(games: Games) -> dict[str, NDArray[np.int64]]:
    """Count the corners of black, of white and of nobody at the end of each game that has one, int64 [games].

    Where two players met, also those of each of them.
    """
    ends, squares = games.ends(), list(corners(games.size))
    own, other = (to_mask(side, games.size)[:, squares].sum(axis=1) for side in (ends.own, ends.opponent))
    to_move = games.last_black_to_move()
    black, white = np.where(to_move, own, other), np.where(to_move, other, own)
    found = {"black": black, "white": white, "nobody": 4 - black - white}
    if games.first_is_black is not None:
        found[games.players[0]] = np.where(games.first_is_black, black, white)
        found[games.players[1]] = np.where(games.first_is_black, white, black)
    return {name: count[games.complete] for name, count in found.items()}
