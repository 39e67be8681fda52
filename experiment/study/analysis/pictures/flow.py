"""Pictures of the flow of games: skipped turns and distinct boards."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiment.show.log_axis import read_plainly
from experiment.show.palette import GREY, look
from experiment.show.titles import entitle, legend_beside
from experiment.study.analysis.findings import Analysis
from experiment.study.analysis.games import COLOURS
from experiment.study.analysis.pictures.style import TURNS, curve, dress, figure_of, side_look
from experiment.study.analysis.rows import players_in
from experiment.study.analysis.table import Table


def figure(analysis: Analysis) -> Figure:
    """Return the share of skipped turns and the number of different boards, by turn."""
    drawn, (left, right) = figure_of("How games go on", analysis, 1, 2)
    _skipped(left, analysis.tables["passes"])
    _boards(right, analysis.tables["flow"])
    legend_beside(drawn)
    return drawn


def _skipped(axes: Axes, table: Table) -> None:
    for place, side in enumerate(players_in(table) or COLOURS):
        curve(axes, table.where(side=side), "share", side_look(side, place))
    says = "share of the games that came to a turn in which a side had to pass there;\nbands: 95 % interval"
    entitle(axes, "Skipped turns", says)
    dress(axes, TURNS, "games", percent=True)
    axes.set_ylim(bottom=0)


def _boards(axes: Axes, table: Table) -> None:
    turns = table.numbers("turn")
    axes.plot(turns, table.numbers("games"), "--", color=GREY, lw=1.6, label="games that came to the turn")
    own = look(0)
    axes.plot(
        turns,
        table.numbers("boards"),
        color=own.colour,
        marker=own.marker,
        ms=3.6,
        lw=1.3,
        label="different boards",
    )
    read_plainly(axes)
    says = (
        "positions, side to move included; where both lines meet\nno two games are on the same board any more"
    )
    entitle(axes, "Different boards", says)
    dress(axes, TURNS, "number")
