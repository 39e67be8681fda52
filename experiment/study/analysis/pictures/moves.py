"""Pictures of how many moves there are, and how large a tree they make."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiment.show.titles import entitle, legend_beside
from experiment.study.analysis.findings import Analysis
from experiment.study.analysis.games import BOTH, COLOURS
from experiment.study.analysis.pictures.style import (
    TURNS,
    curve,
    dress,
    enough,
    figure_of,
    side_look,
    whiskers,
)
from experiment.study.analysis.rows import players_in
from experiment.study.analysis.table import Table
from experiment.study.analysis.tree import SIDES


def figure(analysis: Analysis, turn: int) -> Figure:
    """Return legal moves by turn, their histogram at one turn, and the tree that remains."""
    drawn, (left, middle, right) = figure_of("Legal moves", analysis, 1, 3, width=15.5)
    tables = analysis.tables
    _by_turn(left, tables["moves"])
    _histogram(middle, tables["moves_histogram"], turn)
    _tree(right, tables["tree"])
    legend_beside(drawn)
    return drawn


def _by_turn(axes: Axes, table: Table) -> None:
    for place, side in enumerate(players_in(table) or COLOURS):
        own, look = enough(table.where(side=side)), side_look(side, place)
        curve(axes, own, "mean", look, ("p5", "p95"))
        whiskers(axes, own, "mean", look)
    entitle(
        axes,
        "Legal moves by turn",
        "mean of each side's own turns; bars: its 95 % interval;\nband: from 5 % to 95 % of the decisions",
    )
    dress(axes, TURNS, "legal moves")
    axes.set_ylim(bottom=0)


def _histogram(axes: Axes, table: Table, turn: int) -> None:
    at_turn = table.where(turn=turn)
    sides = players_in(table) or [BOTH]
    width = 0.9 / len(sides)
    for place, side in enumerate(sides):
        own = at_turn.where(side=side)
        counts, look = own.numbers("decisions"), side_look(side, place)
        shares = counts / max(1.0, counts.sum())
        bars = own.numbers("moves") + (place - (len(sides) - 1) / 2) * width
        axes.bar(bars, shares, width, color=look.line, label=f"{look.label}: {counts.sum():,.0f} decisions")
    entitle(axes, f"Legal moves at turn {turn}", f"share of the decisions after {turn} placed discs")
    dress(axes, "legal moves", "decisions", percent=True)


def _tree(axes: Axes, table: Table) -> None:
    for side in SIDES:
        curve(axes, table.where(side=side), "log10", side_look(side))
    says = "product of the mean numbers of moves from a turn on,\nand each side's part; bands: 95 % interval"
    entitle(axes, "The tree of games that remains", says)
    dress(axes, TURNS, "games, log10")
    axes.set_ylim(bottom=0)
