"""Corners: when one can be taken, who has them in the end."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.show.charts import Chart, Series
from othello_lab.experiment.show.tables import Table, Value
from othello_lab.experiment.study.analysis.findings import (
    ENDS,
    TURNS,
    Analysis,
    Row,
    beside,
    curve,
    enough,
    estimate_cells,
    estimate_columns,
    keys,
    label_of,
    look_of,
    share_column,
    sides_of,
    text_column,
)
from othello_lab.experiment.study.analysis.games import COLOURS, Games
from othello_lab.experiment.study.statistics.units import mean_over, share_over, sums_over
from othello_lab.game.batch.games import legal_moves, to_mask
from othello_lab.game.board import corners

OWNED: Final = (
    text_column("owner"),
    *keys("games"),
    *estimate_columns("mean", "mean", ends=ENDS),
    *(share_column(f"{count}", f"share_{count}") for count in range(5)),
)


def tables(games: Games) -> list[Table]:
    """Return all that is told of corners."""
    return [chances(games), owned(games)]


def chances(games: Games) -> Table:
    """Return the share of a side's own turns in which it could take a corner, turn by turn."""
    rows = list[tuple[Value, ...]]()
    on_offer = _on_offer(games)
    for turn, side, which in games.each_turn():
        found = share_over(*sums_over(games.unit[which], on_offer[turn, which]))
        rows.append((turn, side, int(which.sum()), found.value, *found.interval))
    about = "share of a side's decisions in which it could take a corner"
    return Table("corner_chances", keys("turn side decisions share low high"), rows, about)


def _on_offer(games: Games) -> NDArray[np.bool_]:
    """Tell in which decisions a corner can be taken, bool [turns + 1, games]."""
    found = np.zeros(games.moves.shape, np.bool_)
    for turn, decided in enumerate(games.decided):
        legal = to_mask(legal_moves(games.positions(turn, decided)), games.size)
        found[turn, decided] = legal[:, list(corners(games.size))].any(axis=1)
    return found


def owned(games: Games) -> Table:
    """Return how many corners black, white and nobody own at the ends of games: mean, shares of 0 to 4."""
    rows = list[Row]()
    unit = games.unit[games.complete]
    for name, count in owners(games).items() if len(unit) else ():
        mean = mean_over(*sums_over(unit, count))
        shares = np.bincount(count, minlength=5) / len(count)
        cells = {f"share_{number}": share for number, share in enumerate(shares.tolist())}
        rows.append({"owner": name, "games": len(count), **estimate_cells("mean", mean, ENDS), **cells})
    about = "corners owned at the end: mean, 95 % interval, share of games"
    return Table.of("corners_owned", OWNED, rows, about)


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


def corners_charts(analysis: Analysis) -> list[Chart]:
    """Return chances at corners by turn, and owners at the end."""
    table = analysis.tables["corner_chances"]
    chances = [curve(enough(own), "share", side, place) for place, side, own in sides_of(table)]
    says = "share of a side's own turns; band: 95 % interval"
    return [
        Chart("A corner can be taken", says, TURNS, "own turns", chances, low=0, percent=True),
        _owned_chart(analysis.tables["corners_owned"]),
    ]


def _owned_chart(table: Table) -> Chart:
    names = [name for name in table.distinct("owner") if name not in (*COLOURS, "nobody")] or [*COLOURS]
    width, series = 0.8 / len(names), list[Series]()
    for place, name in enumerate(names):
        row, at = table.where(owner=name), np.arange(5) + beside(len(names), place, width)
        shares = [row.numbers(f"share_{count}")[0] if row.rows else 0.0 for count in range(5)]
        mean = f"{row.numbers('mean')[0]:.2f}" if row.rows else "-"
        label = f"{label_of(name)}: mean {mean}"
        series.append(Series(label, at, shares, look_of(name, place), kind="bars", width=width))
    says = "share of the games in which a side owns this many"
    return Chart("Corners owned at the end", says, "corners", "games", series, percent=True)
