"""Titles, small print, legends and named lines of plots, and the room that text takes there."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure, FigureBase
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from othello_lab.experiment.show.charts import SOFT, Look
from othello_lab.experiment.show.wording import wrapped
from othello_lab.experiment.study.statistics.intervals import Interval

Where = Literal["outside right upper", "outside lower left", "upper left"]
_HEADLINE, _TITLE, _SMALL, _NAMES = 13.0, 10.0, 7.8, 8.5
"""Points."""
EDGE: Final = 0.12
"""Inches that are free beside the title of a figure."""
_TITLE_HEIGHT, _LINE, _HANDLE, _AROUND = 0.29, 0.19, 0.75, 0.7
"""Inches: of the title of a figure, of a line of a legend at most, of what stands before a name there, and
around all names.
"""
_LANES, _LANE, _LANE_LINE = 1.15, 0.3, 0.15
"""Inches: above and below all, of a lane, and of a line of a name."""
_LOW: Final = 0.3
"""How far below the middle of its lane a line lies."""
_FOOT: Final = 0.15
"""Of a lane: what is free below the last one, so that its mark does not touch the frame."""
_POINTS = 72
"""Of an inch."""
_FITTED = 1.06
"""As much wider letters can be in a PNG, where they are fitted to its dots."""


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


def width_of(text: str, size: float, weight: str = "normal") -> float:
    """Return how wide the widest line of a text can be, in inches, at a size in points; `$` is no formula."""
    font = FontProperties(size=size, weight=weight)
    lines = text.split("\n")
    widths = [text_to_path.get_text_width_height_descent(line, font, False)[0] for line in lines]
    return _FITTED * max(widths) / _POINTS


def lines_of(text: str, size: float, room: float, weight: str = "normal") -> str:
    """Return a text in lines that are at most `room` inches wide; a word is broken that alone is wider."""
    lines = [""]
    for part in (part for word in text.split() for part in _pieces(word, size, room, weight)):
        longer = f"{lines[-1]} {part}".strip()
        if lines[-1] and width_of(longer, size, weight) > room:
            lines.append(part)
        else:
            lines[-1] = longer
    return "\n".join(lines)


def _pieces(word: str, size: float, room: float, weight: str) -> list[str]:
    """Return a word in parts that are narrow enough."""
    if len(word) < 2 or width_of(word, size, weight) <= room:
        return [word]
    half = len(word) // 2
    return [part for own in (word[:half], word[half:]) for part in _pieces(own, size, room, weight)]


class Lane(NamedTuple):
    """One number."""

    name: str
    said: str
    """The number in words."""
    value: float
    interval: Interval
    look: Look


def height_of(lanes: Sequence[Lane]) -> float:
    """Return how high the plot is at least, in inches."""
    lines = max(1 + _named(lane).count("\n") for lane in lanes)
    return _LANES + (_LANE + _LANE_LINE * lines) * len(lanes)


def draw_lanes(axes: Axes, lanes: Sequence[Lane]) -> None:
    """Draw at least one lane, the first above."""
    for place, lane in enumerate(lanes):
        line, own = place + _LOW, lane.look
        axes.plot(lane.interval, [line, line], "-", color=own.colour, lw=1.6)
        axes.plot([lane.value], [line], own.marker, color=own.colour, mfc=own.face, ms=6, clip_on=False)
        _write(axes, line, _named(lane), 0.0)
        _write(axes, line, lane.said, 1.0)
    axes.set_yticks([])
    axes.set_ylim(len(lanes) - 0.5 + _FOOT, -0.5)
    axes.grid(axis="x", alpha=0.25)


def _named(lane: Lane) -> str:
    return wrapped(lane.name, most=2)


def _write(axes: Axes, line: float, text: str, end: float) -> None:
    """Write over the line of a lane, at its left end, 0, or at its right one, 1."""
    axes.annotate(
        text,
        (end, line),
        (4 - 8 * end, 5),
        axes.get_yaxis_transform(),
        "offset points",
        ha="right" if end else "left",
        va="bottom",
        fontsize=8.5,
        parse_math=False,
    )
