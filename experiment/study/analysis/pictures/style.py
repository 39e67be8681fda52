"""The look that the pictures share: colours of the sides, and which turns and sides are drawn."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from experiment.show.palette import BLACK, GREY, look
from experiment.show.titles import footnote, headline
from experiment.study.analysis.findings import Analysis
from experiment.study.analysis.games import BOTH, COLOURS
from experiment.study.analysis.table import Table, Value

TURNS: Final = "turn: discs placed before"
_MARKERS: Final = 64
"""Of a curve, at most."""
_FEWEST: Final = 0.05
"""Turns of a side with less than this share of its decisions at its commonest turn are not drawn."""


class SideLook(NamedTuple):
    """How a side is drawn."""

    label: str
    line: str
    marker: str
    face: str
    dashes: str


def side_look(side: Value, place: int = 0) -> SideLook:
    """Return the look of a side: black and white as discs, players in colours by their place."""
    if side == BOTH:
        return SideLook("both sides", look(0).colour, "o", look(0).colour, "-")
    if side in COLOURS:
        line, face, dashes = (BLACK, BLACK, "-") if side == COLOURS[0] else (GREY, "white", "--")
        return SideLook(str(side), line, "o", face, dashes)
    own = look(1 + place)
    return SideLook(str(side), own.colour, own.marker, own.colour, own.dashes)


def enough(table: Table, count: str = "decisions") -> Table:
    """Return the rows of turns at which a side decides often enough to be drawn."""
    least = _FEWEST * max(table.numbers(count), default=0)
    place = table.columns.index(count)
    rows = [row for row in table.rows if float(row[place]) >= least]
    return Table(table.name, table.about, table.columns, rows)


def figure_of(
    what: str, analysis: Analysis, rows: int, columns: int, width: float = 12.0, height: float = 4.2
) -> tuple[Figure, list[Axes]]:
    """Return a figure with a title, what its intervals are, and its axes; `height` is of a row, inches.

    What is what says a legend beside them, once they are drawn.
    """
    figure = Figure(figsize=(width, height * rows + 0.5))
    figure.set_layout_engine("constrained", h_pad=0.12, w_pad=0.1)
    axes = figure.subplots(rows, columns, squeeze=False).flatten().tolist()
    headline(figure, f"{what}: {analysis.title}")
    footnote(figure, analysis.intervals)
    return figure, axes


def curve(axes: Axes, table: Table, value: str, own: SideLook, ends: Sequence[str] = ("low", "high")) -> None:
    """Draw a column by turn as a line with markers, and a band between two other columns."""
    turns, (low, high) = table.numbers("turn"), (table.numbers(end) for end in ends)
    known = np.isfinite(low) & np.isfinite(high)
    axes.fill_between(turns, low, high, where=known.tolist(), color=own.line, alpha=0.18, lw=0)
    (line,) = axes.plot(turns, table.numbers(value), own.dashes, color=own.line, label=own.label)
    line.set_markevery(1 + len(turns) // _MARKERS)
    line.set(lw=1.3, marker=own.marker, markersize=3.6, markeredgewidth=0.8, markerfacecolor=own.face)


def whiskers(axes: Axes, table: Table, value: str, own: SideLook) -> None:
    """Draw the interval of a column by turn, where it is longer than the marker, as bars."""
    found, low, high = (table.numbers(name) for name in (value, "low", "high"))
    known = np.isfinite(low) & np.isfinite(high)
    reach = (found - low)[known], (high - found)[known]
    axes.errorbar(
        table.numbers("turn")[known], found[known], reach, fmt="none", ecolor=own.line, lw=0.9, capsize=2
    )


def dress(axes: Axes, xlabel: str, ylabel: str, percent: bool = False) -> None:
    """Label axes and draw a grid."""
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.grid(alpha=0.25)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if percent:
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))
