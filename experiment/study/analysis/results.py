"""Results of games: who wins, by how many discs, and how the discs come about."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from experiment.show.tables import Table, Value
from experiment.study.analysis.games import Games
from experiment.study.statistics.units import mean_over, share_over, sums_over
from game.batch.games import count_squares

SCORE, WON, DRAWN, LOST = "score", "won", "drawn", "lost"


def differences(games: Games) -> dict[str, NDArray[np.int64]]:
    """Return by how many discs each side won, of the games that have an end, by the name of the side."""
    black, white = games.final_discs()
    difference = (black - white)[games.complete]
    found = {"black": difference}
    if games.first_is_black is not None:
        found[games.players[0]] = np.where(games.first_is_black[games.complete], difference, -difference)
    return found


def shares(games: Games) -> Table:
    """Return the shares of games that a side won, drew and lost, and its score, with their intervals."""
    unit = games.unit[games.complete]
    rows: list[tuple[Value, ...]] = []
    for side, difference in differences(games).items() if len(unit) else ():
        outcomes = {SCORE: (np.sign(difference) + 1) / 2, WON: difference > 0, DRAWN: difference == 0}
        for name, points in (outcomes | {LOST: difference < 0}).items():
            found = share_over(*sums_over(unit, points))
            rows.append((side, name, len(difference), found.value, *found.interval))
    about = "share of the games that a side won, drew and lost, and its score: wins and half the draws"
    return Table.plain("results", about, ("side", "result", "games", "share", "low", "high"), rows)


def histogram(games: Games) -> Table:
    """Count the games by their difference of discs, plain and with the empty squares given to the winner."""
    black, white = games.final_discs()
    plain = (black - white)[games.complete]
    final = plain + np.sign(plain) * (games.size**2 - black - white)[games.complete]
    squares = games.size**2
    counts = [np.bincount(kind + squares, minlength=2 * squares + 1) for kind in (plain, final)]
    each = range(-squares, squares + 1)
    rows = list(zip(each, counts[0].tolist(), counts[1].tolist(), strict=True))
    about = (
        "games by black's discs minus white's at the end, plain and with empty squares given to the winner"
    )
    return Table.plain("scores", about, ("difference", "games", "games_final_score"), rows)


def points(games: Games) -> Table:
    """Return the discs of each side after each number of discs was placed: mean, interval, spread."""
    rows: list[tuple[Value, ...]] = []
    for turn, name, unit, discs in _discs(games):
        mean = mean_over(*sums_over(unit, discs))
        spread = np.percentile(discs, [5, 25, 50, 75, 95]).tolist()
        rows.append((turn, name, len(discs), mean.value, *mean.interval, *spread))
    columns = ("turn", "side", "games", "mean", "low", "high", "p5", "p25", "p50", "p75", "p95")
    about = "discs of a side after each number of discs was placed: mean, 95 % interval, percentiles"
    return Table.plain("points", about, columns, rows)


def points_histogram(games: Games) -> Table:
    """Count the games by the discs of a side after each number of discs was placed."""
    rows: list[tuple[Value, ...]] = []
    for turn, name, _, discs in _discs(games):
        counts = np.bincount(discs)
        rows += [(turn, name, count, int(counts[count])) for count in np.flatnonzero(counts).tolist()]
    about = "games by the discs of a side, after each number of discs was placed"
    return Table.plain("points_histogram", about, ("turn", "side", "discs", "games"), rows)


def _discs(games: Games) -> Iterator[tuple[int, str, NDArray[np.int64], NDArray[np.int64]]]:
    """Yield turn, side, and of the games that came to it the units and the discs of that side."""
    sides = games.sides()
    for turn in np.flatnonzero(games.reached.any(axis=1)).tolist():
        which = games.reached[turn]
        positions, black = games.positions(turn, which), games.black_to_move[turn, which]
        own, other = (count_squares(side, games.size) for side in (positions.own, positions.opponent))
        for name, is_black in sides.items():
            yield turn, name, games.unit[which], np.where(black == is_black[which], own, other)
