"""Pictures of how alike a player treats a position and its images."""

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiment.show.titles import entitle, footnote, legend_beside
from experiment.study.analysis.findings import Analysis
from experiment.study.analysis.pictures.style import TURNS, SideLook, dress, figure_of, side_look
from experiment.study.analysis.squares import ALL
from experiment.study.analysis.table import Table, Value

_INTERVALS = (
    "95 % intervals over positions, each with its seven images: Student's t of a ratio for R², Wilson's"
)
_LOWEST = -1.0
"""What lies lower is not drawn by turn."""
_KINDS = {
    "r2": ("R² of the values", "of moves and of their images under a symmetry"),
    "within": ("R² within positions", "each board's mean taken off: the part that chooses"),
    "agrees": ("Same best move", "share of the positions"),
}

Looks: TypeAlias = Mapping[Value, SideLook]
"""Of the players."""


def figure(analysis: Analysis) -> Figure:
    """Return each measure by symmetry above, and by turn below, of the players that have it."""
    table = analysis.tables["symmetry"]
    looks = {player: side_look(player, place) for place, player in enumerate(table.distinct("player"))}
    kinds = [kind for kind in _KINDS if _known(table, kind).rows]
    drawn, places = figure_of("Symmetry", analysis, 2, len(kinds), width=3.5 + 4 * len(kinds))
    footnote(drawn, _INTERVALS)
    for kind, above, below in zip(kinds, places, places[len(kinds) :], strict=False):
        (title, says), own = _KINDS[kind], _known(table, kind)
        _by_symmetry(above, own.where(turn=ALL), kind, looks)
        entitle(above, title, f"{says};\nbars: 95 % interval; good: right, 1 is full agreement")
        _by_turn(below, own.where(symmetry=ALL), kind, looks)
        entitle(below, f"{title}, by turn", "all symmetries together; band: 95 % interval; good: up")
    legend_beside(drawn)
    return drawn


def _known(table: Table, kind: str) -> Table:
    """Return the rows of the players that have a measure: one that only chooses has no R²."""
    of = [
        player
        for player in table.distinct("player")
        if np.isfinite(table.where(player=player).numbers(kind)).any()
    ]
    place = table.columns.index("player")
    rows = [row for row in table.rows if row[place] in of]
    return Table(table.name, table.about, table.columns, rows)


def _by_symmetry(axes: Axes, table: Table, kind: str, looks: Looks) -> None:
    names = [str(name) for name in table.distinct("symmetry")]
    players = table.distinct("player")
    for place, player in enumerate(players):
        own, look = table.where(player=player), looks[player]
        value, low, high = (own.numbers(kind + end) for end in ("", "_low", "_high"))
        at = np.arange(len(value)) + (place - (len(players) - 1) / 2) * 0.2
        axes.errorbar(
            value,
            at,
            xerr=(value - low, high - value),
            fmt=look.marker,
            color=look.line,
            capsize=3,
            label=look.label,
        )
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(alpha=0.25)
    axes.set_xlabel("share" if kind == "agrees" else "R²")
    left = min(0.0, axes.get_xlim()[0])
    axes.set_xlim(left, 1 + 0.05 * (1 - left))


def _by_turn(axes: Axes, table: Table, kind: str, looks: Looks) -> None:
    for player in table.distinct("player"):
        own, look = table.where(player=player), looks[player]
        rows = [row for row in own.rows if row[own.columns.index("turn")] != ALL]
        by_turn = Table(own.name, own.about, own.columns, rows)
        turns, value, low, high = (
            by_turn.numbers(name) for name in ("turn", kind, f"{kind}_low", f"{kind}_high")
        )
        axes.fill_between(turns, np.maximum(low, _LOWEST), high, color=look.line, alpha=0.18, lw=0)
        axes.plot(
            turns, value, look.dashes, color=look.line, marker=look.marker, ms=3.6, lw=1.3, label=look.label
        )
    dress(axes, TURNS, "share" if kind == "agrees" else "R²")
    axes.set_ylim(max(_LOWEST, min(-0.05, axes.get_ylim()[0])), 1.05)
