"""Corners: who can take one when, and who owns how many."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiment.show.palette import BLACK
from experiment.show.titles import entitle, legend_beside
from experiment.study.analysis.findings import Analysis
from experiment.study.analysis.games import COLOURS
from experiment.study.analysis.pictures.style import TURNS, curve, dress, enough, figure_of, side_look
from experiment.study.analysis.rows import players_in
from experiment.study.analysis.table import Table


def figure(analysis: Analysis) -> Figure:
    """Return chances at corners by turn, and owners at the end."""
    drawn, (left, right) = figure_of("Corners", analysis, 1, 2)
    _chances(left, analysis.tables["corner_chances"])
    _owned(right, analysis.tables["corners_owned"])
    legend_beside(drawn)
    return drawn


def _chances(axes: Axes, table: Table) -> None:
    for place, side in enumerate(players_in(table) or COLOURS):
        curve(axes, enough(table.where(side=side)), "share", side_look(side, place))
    entitle(axes, "A corner can be taken", "share of a side's own turns; band: 95 % interval")
    dress(axes, TURNS, "own turns", percent=True)
    axes.set_ylim(bottom=0)


def _owned(axes: Axes, table: Table) -> None:
    names = [name for name in table.distinct("owner") if name not in ("black", "white", "nobody")] or [
        "black",
        "white",
    ]
    width = 0.8 / len(names)
    for place, name in enumerate(names):
        row, own = table.where(owner=name), side_look(name, place)
        shares = [row.numbers(f"share_{count}")[0] for count in range(5)] if row.rows else [0.0] * 5
        mean = f"{row.numbers('mean')[0]:.2f}" if row.rows else "-"
        at = np.arange(5) + (place - (len(names) - 1) / 2) * width
        axes.bar(
            at, shares, width, color=own.face, edgecolor=BLACK, lw=0.8, label=f"{own.label}: mean {mean}"
        )
    entitle(axes, "Corners owned at the end", "share of the games in which a side owns this many")
    dress(axes, "corners", "games", percent=True)
