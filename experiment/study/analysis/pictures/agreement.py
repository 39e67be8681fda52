"""Charts of how moves agree: with the exact solver, and with those on the board's images."""

import numpy as np

from experiment.show.charts import Chart, Look, Series
from experiment.show.tables import Table
from experiment.study.analysis.findings import Analysis, players_in
from experiment.study.analysis.games import BOTH
from experiment.study.analysis.pictures.sides import TURNS, beside, label_of, look_of
from experiment.study.analysis.squares import ALL

INTERVALS = (
    "95 % intervals over positions, each with its seven images: Student's t of a ratio for R², Wilson's"
)
_SHIFT = 0.28
"""Between the markers of two players."""
_LOWEST = -1.0
"""What lies lower is not drawn by turn."""
_SYMMETRY = {
    "r2": ("R² of the values", "of moves and of their images under a symmetry", "R²"),
    "within": ("R² within positions", "each board's mean taken off: the part that chooses", "R²"),
    "agrees": ("Same best move", "share of the positions", "share"),
}


def solver(analysis: Analysis) -> list[Chart]:
    """Return by empty squares how many moves are best, how many keep the result, and what they lose."""
    table, bars = analysis.tables["solver"], "bars: 95 % interval"
    best, kept, loss = (_by_empties(table, kind) for kind in ("best", "kept", "loss"))
    says_best = f"share of the moves that lose no disc; {bars}; good: up"
    says_kept = f"share of the moves that keep won, drawn or lost; {bars}; good: up"
    says_loss = f"mean a move, with perfect play after it; {bars}; good: down"
    left = "empty squares"
    return [
        Chart("Best moves", says_best, left, "moves", best, 0, 1, percent=True, backwards=True),
        Chart("Result kept", says_kept, left, "moves", kept, 0, 1, percent=True, backwards=True),
        Chart("Discs lost", says_loss, left, "discs a move", loss, low=0, backwards=True),
    ]


def _by_empties(table: Table, kind: str) -> list[Series]:
    place_of, players = table.place("empties"), players_in(table) or [BOTH]
    rows, series = table.only(lambda row: row[place_of] != ALL), list[Series]()
    for place, side in enumerate(players):
        own = rows.where(side=side)
        at = own.numbers("empties") + beside(len(players), place, _SHIFT)
        value, low, high = (own.numbers(kind + end) for end in ("", "_low", "_high"))
        series.append(Series(label_of(side), at, value, look_of(side, place), low, high, kind="points"))
    every = rows.where(side=table.column("side")[0])
    at_random = every.numbers("empties"), every.numbers(f"{kind}_at_random")
    return [*series, Series("at random, same positions", *at_random, Look("training-1", "", ":"))]


def symmetry(analysis: Analysis) -> list[Chart]:
    """Return each measure by symmetry, then each by turn, of the players that have it."""
    table = analysis.tables["symmetry"]
    players = table.distinct("player")
    looks = {player: look_of(player, place) for place, player in enumerate(players)}
    found = {kind: own for kind in _SYMMETRY if (own := _known(table, kind)).rows}
    return [
        *(_by_symmetry(own.where(turn=ALL), kind, looks) for kind, own in found.items()),
        *(_by_turn(own.where(symmetry=ALL), kind, looks) for kind, own in found.items()),
    ]


def _known(table: Table, kind: str) -> Table:
    """Return the rows of the players that have a measure: one that only chooses has no R²."""
    known = {
        player
        for player in table.distinct("player")
        if np.isfinite(table.where(player=player).numbers(kind)).any()
    }
    place = table.place("player")
    return table.only(lambda row: row[place] in known)


def _by_symmetry(table: Table, kind: str, looks: dict[str, Look]) -> Chart:
    names, players = [str(name) for name in table.distinct("symmetry")], table.distinct("player")
    series = list[Series]()
    for place, player in enumerate(players):
        value, low, high = (table.where(player=player).numbers(kind + end) for end in ("", "_low", "_high"))
        at = np.arange(len(value)) + beside(len(players), place, 0.2)
        series.append(Series(player, at, value, looks[player]._replace(dashes=""), low, high, kind="points"))
    title, says, axis = _SYMMETRY[kind]
    says = f"{says}; bars: 95 % interval; good: right, 1 is full agreement"
    least = min(0.0, *(min(each.low) for each in series))
    return Chart(title, says, "", axis, series, low=least, high=1, names=names, lying=True)


def _by_turn(table: Table, kind: str, looks: dict[str, Look]) -> Chart:
    place, series = table.place("turn"), list[Series]()
    for player in table.distinct("player"):
        own = table.where(player=player).only(lambda row: row[place] != ALL)
        turns, value, low, high = (
            own.numbers(name) for name in ("turn", kind, f"{kind}_low", f"{kind}_high")
        )
        series.append(Series(player, turns, value, looks[player], np.maximum(low, _LOWEST), high))
    title, _, axis = _SYMMETRY[kind]
    says = "all symmetries together; band: 95 % interval; good: up"
    least = max(_LOWEST, min(0.0, *(min(each.y) for each in series)))
    return Chart(f"{title}, by turn", says, TURNS, axis, series, low=least, high=1)
