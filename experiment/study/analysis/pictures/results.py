"""Pictures of how games end, and of how the discs come about."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiment.show.histogram import bar_bounds, bar_width
from experiment.show.palette import BLACK, SOFT, look
from experiment.show.titles import entitle, legend_beside
from experiment.study.analysis.findings import Analysis
from experiment.study.analysis.games import AT_START, COLOURS
from experiment.study.analysis.pictures.style import TURNS, curve, dress, figure_of, side_look
from experiment.study.analysis.results import DRAWN, LOST, WON
from experiment.study.analysis.rows import players_in
from experiment.study.analysis.table import Table
from game.colours import MARK

_BARS = 65
"""About this many at most."""


def figure(analysis: Analysis, turn: int) -> Figure:
    """Return the histogram of differences, results with intervals, discs by turn and at one turn."""
    drawn, (first, second, third, fourth) = figure_of("Results", analysis, 2, 2)
    tables = analysis.tables
    _differences(first, tables["scores"])
    _shares(second, tables["results"])
    _points(third, tables["points"])
    _histogram(fourth, tables["points_histogram"], turn)
    legend_beside(drawn)
    return drawn


def _differences(axes: Axes, table: Table) -> None:
    difference, games = table.numbers("difference"), table.numbers("games")
    most, width = int(difference.max()), bar_width(len(difference), _BARS)
    bounds = bar_bounds(most, width)
    counts, _ = np.histogram(difference, bounds, weights=games)
    share = counts / max(1.0, games.sum())
    axes.bar((bounds[1:] + bounds[:-1]) / 2, share, 0.9 * width, color=look(0).colour)
    mean = float((difference * games).sum() / max(1.0, games.sum()))
    axes.axvline(mean, color=BLACK, lw=1.6, label=f"mean {mean:+.2f}")
    axes.axvline(0, color=SOFT, lw=0.8)
    axes.set_xlim(-most - width, most + width)
    entitle(axes, "Difference of discs at the end", "black's discs minus white's; right of 0 black has won")
    dress(axes, f"black's discs minus white's, {width} to a bar", "games", percent=True)


def _shares(axes: Axes, table: Table) -> None:
    sides, results = table.distinct("side"), (WON, DRAWN, LOST)
    width = 0.8 / max(1, len(sides))
    for place, side in enumerate(sides):
        rows = [table.where(side=side, result=result) for result in results]
        share, low, high = (
            np.array([row.numbers(name)[0] for row in rows]) for name in ("share", "low", "high")
        )
        at, own = np.arange(3) + (place - (len(sides) - 1) / 2) * width, side_look(side, place - 1)
        axes.bar(at, share, width, color=own.line, alpha=0.75, label=own.label)
        ends = MARK if own.line == BLACK else BLACK
        axes.errorbar(at, share, (share - low, high - share), fmt="none", ecolor=ends, capsize=4, lw=1.6)
        for x, value, top in zip(at, share, high, strict=True):
            axes.annotate(
                f"{100 * value:.1f} %", (x, top), (0, 3), textcoords="offset points", ha="center", fontsize=8
            )
    entitle(axes, "Results", "share of the games that a side won, drew and lost; bars: 95 % interval")
    dress(axes, "", "games", percent=True)
    axes.set_xticks(range(3), results)
    axes.set_ylim(0, min(1.1, 1.15 * axes.get_ylim()[1]))


def _points(axes: Axes, table: Table) -> None:
    for place, side in enumerate(players_in(table) or COLOURS):
        curve(axes, table.where(side=side), "mean", side_look(side, place), ("p5", "p95"))
    entitle(axes, "Discs by turn", "mean of the games that came to a turn; band: 5 % to 95 % of them")
    dress(axes, TURNS, "discs of a side")
    axes.set_ylim(bottom=0)


def _histogram(axes: Axes, table: Table, turn: int) -> None:
    for place, side in enumerate(players_in(table) or COLOURS):
        own, look = table.where(side=side, turn=turn), side_look(side, place)
        games, at = own.numbers("games"), own.numbers("discs") + 0.4 * (place - 0.5)
        share = games / max(1.0, games.sum())
        axes.bar(at, share, 0.4, color=look.face, edgecolor=BLACK, lw=0.8, label=look.label)
    says = f"share of the games in which a side has this many of the {turn + AT_START} discs"
    entitle(axes, f"Discs at turn {turn}", says)
    dress(axes, "discs of a side", "games", percent=True)
