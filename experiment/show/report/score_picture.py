"""The histogram of how games ended."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from experiment.show.histogram import bar_bounds, bar_width
from experiment.show.palette import BLACK, GREY, look
from experiment.show.report.page import Picture
from experiment.show.report.pictures import PHONE, WIDE, picture
from experiment.show.titles import entitle

_BARS = 24
"""About this many at most."""


def score_picture(found: Sequence[int], largest: int) -> Picture:
    """Return the histogram of black's discs minus white's at the end; `largest` is the most there can be."""
    says = f"Histogram of black's discs minus white's at the end of {len(found):,} games."

    def draw(width: float) -> Figure:
        figure = Figure(figsize=(width, 3.2), layout="constrained")
        _draw(figure.subplots(), found, largest)
        return figure

    return picture(draw(WIDE), draw(PHONE), "scores", "How the games ended", says)


def _draw(axes: Axes, found: Sequence[int], largest: int) -> None:
    edges = bar_bounds(largest, bar_width(2 * largest + 1, _BARS)).tolist()
    axes.hist(found, bins=edges, color=look(0).colour, edgecolor="white", linewidth=0.5)
    axes.axvline(0, color=BLACK, lw=1)
    axes.set_xlabel("black's discs minus white's at the end")
    axes.set_ylabel("games")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(alpha=0.25, axis="y", color=GREY)
    entitle(axes, "How the games ended", "right of the line black has won, left of it white")
