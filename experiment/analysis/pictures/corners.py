"""Corners: chances, owners, and how soon squares are taken."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator, PercentFormatter

from experiment.analysis.delays import KINDS
from experiment.analysis.findings import Analysis
from experiment.analysis.games import BOTH, COLOURS
from experiment.analysis.pictures.looks import TURNS, curve, dress, enough, figure_of, side_look
from experiment.analysis.shown import players_in
from experiment.analysis.table import Table
from experiment.display.palette import entitle, look

_OUTCOMES = ("at_once", "later", "by_the_other", "never")
_FATES = ("#0072B2", "#56B4E9", "#E69F00", "#8c8c8c")
_LONGEST_DELAY = 16


def figure(analysis: Analysis) -> Figure:
    """Return chances at corners by turn, owners at the end, what became of chances and how soon."""
    drawn, (first, second, third, fourth) = figure_of("Corners", analysis, 2, 2)
    tables = analysis.tables
    _chances(first, tables["corner_chances"])
    _owned(second, tables["corners_owned"])
    _delays(third, tables["delays"], tables["captures"])
    _captures(fourth, tables["captures"])
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
            at, shares, width, color=own.face, edgecolor="#303030", lw=0.8, label=f"{own.label}: mean {mean}"
        )
    entitle(axes, "Corners owned at the end", "share of the games in which a side owns so many")
    dress(axes, "corners", "games", percent=True)


def _delays(axes: Axes, delays: Table, captures: Table) -> None:
    for place, kind in enumerate(KINDS):
        own, chances = (
            delays.where(side=BOTH, kind=kind),
            captures.where(side=BOTH, kind=kind).numbers("chances"),
        )
        if own.rows and len(chances):
            shown = own.numbers("delay") <= _LONGEST_DELAY
            taken = np.cumsum(own.numbers("squares"))[shown] / max(1.0, chances[0])
            style = look(place)
            axes.plot(
                own.numbers("delay")[shown],
                taken,
                color=style.colour,
                marker=style.marker,
                ms=4,
                lw=1.3,
                label=kind,
            )
    says = "share of the squares that a side could play which it had\ntaken so many own turns later"
    entitle(axes, "From chance to disc", says)
    dress(axes, "own turns since the first chance", "squares taken by then", percent=True)
    axes.set_ylim(0, 1)


def _captures(axes: Axes, table: Table) -> None:
    own = table.where(side=BOTH)
    kinds = [f"{kind}" for kind in own.column("kind")]
    left = np.zeros(len(kinds))
    for outcome, colour in zip(_OUTCOMES, _FATES, strict=True):
        shares = own.numbers(outcome)
        axes.barh(kinds, shares, left=left, color=colour, label=outcome.replace("_", " "))
        left += shares
    axes.invert_yaxis()
    entitle(
        axes,
        "What became of chances",
        "squares that a side could play: taken by it, by the other side, never",
    )
    dress(axes, "share of the chances", "kind of square")
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    axes.xaxis.set_major_locator(MultipleLocator(0.2))
    axes.set_ylim(len(kinds) + 0.1, -0.6)
    axes.legend(fontsize=8, ncols=4, loc="lower center")
    axes.set_xlim(0, 1)
