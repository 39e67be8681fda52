"""Titles of plots with small print, and one legend beside all axes of a figure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure, FigureBase

from experiment.show.lettering import lines_of, width_of, wrapped
from experiment.show.palette import SOFT

Where = Literal["outside right upper", "outside lower left", "upper left"]
_HEADLINE, _TITLE, _SMALL, _NAMES = 13.0, 10.0, 7.8, 8.5
"""Points."""
EDGE: Final = 0.12
"""Inches that are free beside the title of a figure."""
_TITLE_HEIGHT, _LINE, _HANDLE, _AROUND = 0.29, 0.19, 0.75, 0.7
"""Inches: of the title of a figure, of a line of a legend at most, of what stands before a name there, and
around all names.
"""


def headline(figure: Figure, text: str) -> None:
    """Write what a whole figure is about above it."""
    said = lines_of(text, _HEADLINE, figure.get_figwidth() - 2 * EDGE, "bold")
    figure.suptitle(said, fontsize=_HEADLINE, fontweight="bold", x=0.01, ha="left", parse_math=False)


def footnote(figure: Figure, text: str) -> None:
    """Write what holds for a whole figure under it."""
    room = figure.get_figwidth() - 2 * EDGE
    figure.supxlabel(lines_of(text, _SMALL, room), fontsize=_SMALL, color=SOFT, x=0.01, ha="left")


def entitle(axes: Axes, title: str, says: str, gap: float = 0) -> None:
    """Write a title and, in small print under it, what is shown and what is good; it is wrapped.

    `gap` are points that are free between that and the plot.
    """
    assert axes.figure is not None  # noqa: S101  axes that are drawn on belong to a figure
    small = lines_of(says, _SMALL, axes.bbox.width / axes.figure.dpi)
    high = gap + 11 * (1 + small.count("\n"))
    axes.set_title(title, loc="left", fontsize=_TITLE, fontweight="bold", pad=6 + high, parse_math=False)
    written = axes.annotate(small, (0, 1), (0, 4 + gap), "axes fraction", "offset points", va="bottom")
    written.set(fontsize=_SMALL, color=SOFT)
    written.set_in_layout(False)  # a long line is no reason to make the plot narrow


def legend_of(axes: Sequence[Axes]) -> dict[str, Any]:
    """Return the labels of plots, each once and wrapped, with what is drawn so."""
    entries = dict[str, Any]()
    for own in axes:
        for line, name in zip(*own.get_legend_handles_labels(), strict=True):
            entries.setdefault(wrapped(name), line)
    return entries


def legend_height(entries: Iterable[str]) -> float:
    """Return how much room a legend takes at most, in inches."""
    return _AROUND + _LINE * sum(1 + name.count("\n") for name in entries)


def legend_beside(figure: Figure, says: str = "") -> None:
    """Write one legend for all axes of a figure at their right, and above it what is shown.

    The figure grows by the room that it takes.
    """
    entries = legend_of(figure.axes)
    across = _HANDLE + max(width_of(name, _NAMES) for name in entries)
    small = lines_of(says, _SMALL, max(across - EDGE, 2.0))
    width, height = figure.get_size_inches()
    figure.set_size_inches(width + across, max(height, legend_height([*entries, small])))
    write_legend(figure, entries, "outside right upper", small)


def legend_below(figure: Figure) -> None:
    """Write the same under them, for a narrow page."""
    entries = legend_of(figure.axes)
    figure.set_figheight(figure.get_figheight() + legend_height(entries))
    write_legend(figure, entries, "outside lower left")


def write_legend(figure: FigureBase, entries: Mapping[str, Any], where: Where, says: str = "") -> None:
    """Write a legend into a figure or a part of one."""
    legend = figure.legend(
        [*entries.values()],
        [*entries],
        loc=where,
        frameon=False,
        fontsize=_NAMES,
        title=says,
        title_fontproperties={"size": _SMALL},
        alignment="left",
    )
    for text in legend.get_texts():
        text.set_parse_math(False)


def small_lines(says: str, room: float) -> str:
    """Return small print in lines that are at most `room` inches wide."""
    return lines_of(says, _SMALL, room)


def entitle_figure(figure: Figure, title: str, says: str, left: float) -> None:
    """Write the same over a whole figure, `left` inches from the left: fewer where a line needs room."""
    width, height = figure.get_size_inches()
    left = max(EDGE, min(left, width - title_width(title, says))) / width
    figure.text(left, 1 - 0.05 / height, title, fontsize=_TITLE, fontweight="bold", va="top")
    top = _TITLE_HEIGHT if title else EDGE
    figure.text(left, 1 - top / height, says, fontsize=_SMALL, color=SOFT, va="top")


def title_width(title: str, says: str) -> float:
    """Return how wide a figure with such a title is at least, in inches."""
    return max(width_of(title, _TITLE, "bold"), width_of(says, _SMALL)) + 2 * EDGE


def title_height(title: str, says: str) -> float:
    """Return how much of a figure its title takes, in inches."""
    return (_TITLE_HEIGHT if title else EDGE) + 0.07 + 0.15 * (1 + says.count("\n"))
