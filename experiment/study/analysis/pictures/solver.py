"""Moves beside the exact solver."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiment.show.palette import GREY
from experiment.show.titles import entitle, legend_beside
from experiment.study.analysis.findings import Analysis
from experiment.study.analysis.games import BOTH
from experiment.study.analysis.pictures.style import SideLook, dress, figure_of, side_look
from experiment.study.analysis.rows import players_in
from experiment.study.analysis.squares import ALL
from experiment.study.analysis.table import Table

_SHIFT = 0.14
"""Between the markers of two players."""


def figure(analysis: Analysis) -> Figure:
    """Return by empty squares how many moves are best, how many keep the result, and what they lose."""
    drawn, (left, middle, right) = figure_of("Beside the exact solver", analysis, 1, 3, width=15.5)
    table = analysis.tables["solver"]
    _draw(left, table, ("best", "best_low", "best_high"), "best_at_random")
    entitle(left, "Best moves", "share of the moves that lose no disc; bars: 95 % interval;\ngood: up")
    dress(left, "empty squares", "moves", percent=True)
    _draw(middle, table, ("kept", "kept_low", "kept_high"), "kept_at_random")
    entitle(
        middle,
        "Result kept",
        "share of the moves that keep won, drawn or lost; bars: 95 % interval;\ngood: up",
    )
    dress(middle, "empty squares", "moves", percent=True)
    _draw(right, table, ("loss", "loss_low", "loss_high"), "loss_at_random")
    entitle(right, "Discs lost", "mean a move, with perfect play after it; bars: 95 % interval;\ngood: down")
    dress(right, "empty squares", "discs a move")
    for axes in (left, middle):
        axes.set_ylim(-0.02, 1.02)
    right.set_ylim(bottom=0)
    legend_beside(drawn)
    return drawn


def _draw(axes: Axes, table: Table, columns: tuple[str, str, str], at_random: str) -> None:
    players = players_in(table) or [BOTH]
    for place, side in enumerate(players):
        shift = (place - (len(players) - 1) / 2) * 2 * _SHIFT
        _draw_side(axes, _by_empties(table.where(side=side)), columns, side_look(side, place), shift)
    every = _by_empties(table.where(side=table.column("side")[0]))
    empties, label = every.numbers("empties"), "at random, same positions"
    axes.plot(empties, every.numbers(at_random), ":", color=GREY, lw=1.8, label=label)
    axes.invert_xaxis()


def _draw_side(axes: Axes, own: Table, columns: tuple[str, str, str], look: SideLook, shift: float) -> None:
    """Draw a column by empty squares, with its interval; that without end, of one move alone, as none."""
    value, low, high = (own.numbers(column) for column in columns)
    axes.errorbar(
        own.numbers("empties") + shift,
        value,
        [np.where(np.isfinite(each), each, 0) for each in (value - low, high - value)],
        label=look.label,
        color=look.line,
        fmt=look.marker + "-",
        mfc=look.face,
        ms=5,
        capsize=3,
        lw=1.2,
    )


def _by_empties(table: Table) -> Table:
    rows = [row for row in table.rows if row[table.columns.index("empties")] != ALL]
    return Table(table.name, table.about, table.columns, rows)
