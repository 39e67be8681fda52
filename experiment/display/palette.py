"""The look of plots: curves differ in colours that everybody can see, and in markers and dashes besides."""

from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiment.display.lettering import width_of

BLACK, GREY = "#000000", "#8c8c8c"
_COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Of Okabe and Ito, "Color universal design", 2008; their yellow is too pale for a line."""
_MARKERS = "os^DvPX*"
_DASHES = ("-", "--", ":", "-.")
"""When the colours are used up, they come again with other markers and dashes."""


_TITLE, _SMALL = 10.0, 7.8
"""Points."""
EDGE = 0.12
"""Inches that are free beside the title of a figure."""


class Look(NamedTuple):
    """Of one curve."""

    colour: str
    marker: str
    dashes: str


def look(place: int) -> Look:
    """Return the look of a curve by its place among the curves; the first 24 differ in all they have."""
    return Look(
        _COLOURS[place % len(_COLOURS)],
        _MARKERS[place % len(_MARKERS)],
        _DASHES[place // len(_COLOURS) % len(_DASHES)],
    )


def legend_below(figure: Figure, says: str) -> None:
    """Write one legend for all axes of a figure under them, each label once, and what is shown above it."""
    found = [axes.get_legend_handles_labels() for axes in figure.axes]
    handles = {label: line for lines, labels in found for line, label in zip(lines, labels, strict=True)}
    figure.legend(
        [*handles.values()],
        [*handles],
        loc="outside lower left",
        frameon=False,
        fontsize=9,
        title=says,
        title_fontproperties={"size": _SMALL},
        alignment="left",
    )


def entitle(axes: Axes, title: str, says: str) -> None:
    """Write a title and, in small print under it, a line or two that say what is shown and what is good."""
    lines = 1 + says.count("\n")
    axes.set_title(title, loc="left", fontsize=_TITLE, fontweight="bold", pad=6 + 11 * lines)
    small = axes.annotate(
        says, (0, 1), (0, 4), "axes fraction", "offset points", fontsize=_SMALL, color="#555555", va="bottom"
    )
    small.set_in_layout(False)  # a long line is no reason to make the plot narrow


def entitle_figure(figure: Figure, title: str, says: str, left: float) -> None:
    """Write the same over a whole figure, this many inches from the left: fewer where a line needs room."""
    width, height = figure.get_size_inches()
    left = max(EDGE, min(left, width - title_width(title, says))) / width
    figure.text(left, 1 - 0.05 / height, title, fontsize=_TITLE, fontweight="bold", va="top")
    figure.text(left, 1 - 0.29 / height, says, fontsize=_SMALL, color="#555555", va="top")


def title_width(title: str, says: str) -> float:
    """Return how wide a figure with such a title is at least, in inches."""
    return max(width_of(title, _TITLE, "bold"), width_of(says, _SMALL)) + 2 * EDGE


def title_height(says: str) -> float:
    """Return how much of a figure its title takes, in inches."""
    return 0.36 + 0.15 * (1 + says.count("\n"))
