"""Pictures of captures: how soon squares are taken, and by whom."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator, PercentFormatter
from numpy.typing import NDArray

from experiment.show.palette import BLACK, GREYS, look
from experiment.show.titles import entitle, legend_beside
from experiment.study.analysis.delays import FATES, KINDS
from experiment.study.analysis.findings import Analysis
from experiment.study.analysis.games import BOTH
from experiment.study.analysis.pictures.style import dress, figure_of, side_look
from experiment.study.analysis.rows import players_in
from experiment.study.analysis.table import Table

_LONGEST_DELAY = 16


def figure(analysis: Analysis) -> Figure:
    """Return how soon squares were taken and what became of chances; of two players a row for each."""
    delays, captures = analysis.tables["delays"], analysis.tables["captures"]
    sides = players_in(captures) or [BOTH]
    drawn, places = figure_of("Chances", analysis, len(sides), 2)
    for row, side in enumerate(sides):
        _delays(places[2 * row], side, delays, captures)
        _captures(places[2 * row + 1], side, captures)
    legend_beside(drawn)
    return drawn


def _delays(axes: Axes, side: str, delays: Table, captures: Table) -> None:
    for place, kind in enumerate(KINDS):
        own, style = delays.where(side=side, kind=kind), look(place)
        chances = captures.where(side=side, kind=kind).numbers("chances").sum()
        shown = own.numbers("delay") <= _LONGEST_DELAY
        taken = np.cumsum(own.numbers("squares"))[shown] / max(1.0, chances)
        (line,) = axes.plot(own.numbers("delay")[shown], taken, color=style.colour, label=kind)
        line.set(marker=style.marker, markersize=4, lw=1.3)
    says = "share of the squares that the side could play which it\nhad taken this many own turns later"
    entitle(axes, f"From chance to disc: {side_look(side).label}", says)
    dress(axes, "own turns since the first chance", "squares taken by then", percent=True)
    axes.set_ylim(0, 1)


def _captures(axes: Axes, side: str, table: Table) -> None:
    own = table.where(side=side)
    kinds, left = [str(kind) for kind in own.column("kind")], np.zeros(len(own.rows))
    for fate, colour in zip(FATES, GREYS, strict=True):
        share, low, high = (own.numbers(f"{fate}{end}") for end in ("", "_low", "_high"))
        axes.barh(kinds, share, left=left, color=colour, ec=BLACK, lw=0.5, label=fate.replace("_", " "))
        left += share
        if fate != FATES[-1]:
            _intervals(axes, left, share - low, high - share)
    says = "squares that the side could play; at the end of each part\nthe 95 % interval of its share"
    entitle(axes, f"What became of chances: {side_look(side).label}", says)
    dress(axes, "share of the chances", "kind of square")
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    axes.xaxis.set_major_locator(MultipleLocator(0.2))
    axes.set_ylim(len(kinds) - 0.4, -0.6)
    axes.set_xlim(0, 1)


def _intervals(
    axes: Axes, ends: NDArray[np.float64], below: NDArray[np.float64], above: NDArray[np.float64]
) -> None:
    """Draw an interval about the end of each bar: black on white is seen on any grey."""
    for colour, width in (("white", 5.0), (BLACK, 2.0)):
        axes.errorbar(ends, range(len(ends)), xerr=(below, above), fmt="none", ecolor=colour, lw=width)
