"""Draw charts and their text with matplotlib, and save figures as PNG or SVG files."""

from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO, StringIO
from pathlib import Path
from textwrap import fill
from typing import Any, Literal, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, FigureBase
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator, PercentFormatter, StrMethodFormatter
from numpy.typing import NDArray

from othello_lab.experiment.show.charts import BLACK, SOFT, Chart, Look, Series
from othello_lab.experiment.show.wording import wrapped
from othello_lab.experiment.study.statistics.intervals import Interval
from othello_lab.game.notation import printable
from othello_lab.game.safe_files import replace

_MARKERS, _SPARSE = 64, 8  # a curve of more than _MARKERS points has about _SPARSE markers
_MOST_TICKS = 9
_PAD = 0.02  # the margin at each end of an axis, as a share of its length, so that no point is cut off


def figure_of(
    title: str,
    charts: Sequence[Chart],
    columns: int,
    size: tuple[float, float],
    foot: str = "",
    ratios: Sequence[float] | None = None,
) -> Figure:
    """Return a figure of charts, row by row. If the series have labels, the figure has one legend.

    The `size` of a chart is in inches. The `ratios` are the relative widths of the columns.
    """
    columns = min(columns, len(charts))
    rows = -(-len(charts) // columns)
    figure = Figure(figsize=(size[0] * columns, size[1] * rows + 0.5))
    figure.set_layout_engine("constrained", h_pad=0.12, w_pad=0.1)
    places = figure.subplots(rows, columns, squeeze=False, width_ratios=ratios).flatten().tolist()
    for axes, chart in zip(places, charts, strict=False):
        draw(axes, chart)
    for axes in places[len(charts) :]:
        axes.set_visible(False)
    if title:
        headline(figure, title)
    if foot:
        footnote(figure, foot)
    if entries := legend_of(figure.axes):
        width, height = figure.get_size_inches()
        across = _HANDLE + max(width_of(name, _NAMES) for name in entries)
        figure.set_size_inches(width + across, max(height, legend_height(entries)))
        write_legend(figure, entries, "outside right upper")
    return figure


def draw(axes: Axes, chart: Chart) -> None:
    """Draw a chart with its titles."""
    for series in chart.series:
        _DRAW[series.kind](axes, series, chart.horizontal)
    for mark in chart.marks:
        line = axes.axvline if mark.upright else axes.axhline
        line(mark.value, color=mark.look.colour, ls=mark.look.dashes, lw=1.4, label=mark.label)
    _limit(axes, chart)
    (axes.set_ylabel if chart.horizontal else axes.set_xlabel)(chart.x)
    (axes.set_xlabel if chart.horizontal else axes.set_ylabel)(chart.y)
    axes.grid(alpha=0.25)
    entitle(axes, chart.title, chart.says)


def _limit(axes: Axes, chart: Chart) -> None:
    """Set the ends of the axes and the format of their numbers."""
    along, across = (axes.yaxis, axes.xaxis) if chart.horizontal else (axes.xaxis, axes.yaxis)
    if chart.names:
        along.set_ticks(range(len(chart.names)), chart.names, parse_math=False)
    else:
        along.set_major_locator(MaxNLocator("auto", steps=[1, 2, 2.5, 5, 10], integer=True))
        along.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    if chart.horizontal:
        axes.set_ylim(len(chart.names) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
    if chart.percent:
        across.set_major_formatter(PercentFormatter(1.0))
    if chart.logarithmic:  # the ticks are at 1, 2 and 5 times the powers of ten, at most _MOST_TICKS
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(10, (1, 2, 5), numticks=_MOST_TICKS))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    limit, (least, most) = (
        (axes.set_xlim, axes.get_xlim()) if chart.horizontal else (axes.set_ylim, axes.get_ylim())
    )
    low, high = least if chart.low is None else chart.low, most if chart.high is None else chart.high
    pad = _PAD * (high - low)
    bars = any(series.kind == "bars" for series in chart.series)
    limit(
        low if bars or chart.low is None or chart.high is None else low - pad,
        high if bars or chart.low is None else high + pad,
    )


def _curve(axes: Axes, series: Series, horizontal: bool) -> None:
    look, count = series.look, len(series.x)
    if len(series.low):
        low, high = np.asarray(series.low), np.asarray(series.high)
        known = np.isfinite(low) & np.isfinite(high)
        axes.fill_between(series.x, low, high, where=known.tolist(), color=look.colour, alpha=0.15, lw=0)
    (line,) = axes.plot(series.x, series.y, look.dashes, color=look.colour, lw=1.3, label=series.label)
    line.set_markevery(1 if count <= _MARKERS else count // _SPARSE)
    line.set(marker=look.marker, markersize=3.6, markeredgewidth=0.8, markerfacecolor=look.face)


def _points(axes: Axes, series: Series, horizontal: bool) -> None:
    look = series.look
    style = {"fmt": look.marker + look.dashes or "none", "mfc": look.face, "ms": 5, "lw": 1.2}
    _with_ends(axes, series, horizontal, look.colour, label=series.label, **style)


def _dots(axes: Axes, series: Series, horizontal: bool) -> None:
    at = (series.y, series.x) if horizontal else (series.x, series.y)
    axes.plot(*at, "o", color=series.look.colour, alpha=0.45, ms=4.5, mew=0)


def _bars(axes: Axes, series: Series, horizontal: bool) -> None:
    look, edge = series.look, 0.6 if series.look.hollow else 0.0
    axes.bar(series.x, series.y, series.width, color=look.face, edgecolor=BLACK, lw=edge, label=series.label)
    if len(series.low):
        from othello_lab.game.drawing import MARK  # here, because charts of runs need no rules

        _with_ends(axes, series, horizontal, MARK if look.colour == BLACK else BLACK, fmt="none")
    tops = series.high if len(series.high) else series.y
    for x, top, text in zip(series.x, tops, series.texts, strict=False):
        axes.annotate(text, (x, top), (0, 3), textcoords="offset points", ha="center", fontsize=8)


def _with_ends(axes: Axes, series: Series, horizontal: bool, colour: str, **styled: Any) -> None:  # noqa: ANN401  matplotlib's
    """Draw values with their intervals. Infinite ends of intervals are left out."""
    value = np.asarray(series.y, float)
    ends = [_finite(value - series.low), _finite(series.high - value)] if len(series.low) else None
    x, y, across, up = (value, series.x, ends, None) if horizontal else (series.x, value, None, ends)
    axes.errorbar(x, y, up, across, color=colour, ecolor=colour, elinewidth=1.1, capsize=2.5, **styled)


def _finite(reach: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.isfinite(reach), reach, 0)


_DRAW = {
    "curve": _curve,
    "points": _points,
    "dots": _dots,
    "bars": _bars,
}

# Text: titles, small print and legends. Lengths are in inches.

_HEADLINE, _TITLE, _SMALL, _NAMES = 13.0, 10.0, 7.8, 8.5  # points: title, chart title, small print, legend
_EDGE = 0.12  # inches: the free space at both sides of the title of a figure
_LINE, _HANDLE, _AROUND = 0.19, 0.75, 0.7  # inches, in a legend: a line, a line sample and the margins
_EM, _BOLD, _POINTS = 0.6, 1.13, 72  # the width of a character by its size; bold by normal; points in an inch
Where = Literal["outside right upper", "upper left"]


def headline(figure: Figure, text: str) -> None:
    """Write the title of a figure."""
    title = lines_of(text, _BOLD * _HEADLINE, figure.get_figwidth() - 2 * _EDGE)
    figure.suptitle(title, fontsize=_HEADLINE, fontweight="bold", x=0.01, ha="left", parse_math=False)


def footnote(figure: Figure, text: str) -> None:
    """Write small print below a figure."""
    small = lines_of(text, _SMALL, figure.get_figwidth() - 2 * _EDGE)
    figure.supxlabel(small, fontsize=_SMALL, color=SOFT, x=0.01, ha="left")


def entitle(axes: Axes, title: str, says: str, gap: float = 0) -> None:
    """Write a title above a plot, and small print `gap` points above the plot."""
    assert axes.figure is not None  # noqa: S101  axes that are drawn on belong to a figure
    small = lines_of(says, _SMALL, axes.bbox.width / axes.figure.dpi)
    high = gap + 11 * (1 + small.count("\n"))
    axes.set_title(title, loc="left", fontsize=_TITLE, fontweight="bold", pad=6 + high, parse_math=False)
    written = axes.annotate(small, (0, 1), (0, 4 + gap), "axes fraction", "offset points", va="bottom")
    written.set(fontsize=_SMALL, color=SOFT)
    written.set_in_layout(False)  # otherwise, a long line makes the plot narrower


def legend_of(axes: Sequence[Axes]) -> dict[str, Any]:
    """Return the line samples of a legend, by their wrapped labels. Each label occurs once."""
    entries = dict[str, Any]()
    for plot in axes:
        for line, name in zip(*plot.get_legend_handles_labels(), strict=True):
            entries.setdefault(wrapped(name), line)
    return entries


def legend_height(entries: Iterable[str]) -> float:
    """Return the largest possible height of a legend, in inches."""
    return _AROUND + _LINE * sum(1 + name.count("\n") for name in entries)


def write_legend(figure: FigureBase, entries: Mapping[str, Any], where: Where) -> None:
    """Write a legend into a figure or a subfigure."""
    legend = figure.legend([*entries.values()], [*entries], loc=where, frameon=False, fontsize=_NAMES)
    for text in legend.get_texts():
        text.set_parse_math(False)


def width_of(text: str, size: float) -> float:
    """Return the usual width of a text of `size` points, in inches."""
    return _EM * size / _POINTS * max(map(len, text.split("\n")))


def lines_of(text: str, size: float, room: float) -> str:
    """Return a text of `size` points with line breaks. A line has about `room` inches."""
    return fill(text, max(1, int(room * _POINTS / (_EM * size))), break_on_hyphens=False)


# Lanes: horizontal strips of a plot. Each lane has a number, its interval, and a name above them.

# Inches: the margins of all lanes, a lane without its name, and a line of its name.
_LANES, _LANE, _LANE_LINE = 1.15, 0.3, 0.15
# Shares of the height of a lane: from its middle to the interval, and the space below the last lane.
_LOW, _FOOT = 0.3, 0.15


class Lane(NamedTuple):
    """A row of a plot with a name, a number and the interval of the number."""

    name: str
    text: str  # The number as text.
    value: float
    interval: Interval
    look: Look


def height_of(lanes: Sequence[Lane]) -> float:
    """Return the smallest height of a plot of lanes, in inches."""
    lines = max(1 + wrapped(lane.name, most=2).count("\n") for lane in lanes)
    return _LANES + (_LANE + _LANE_LINE * lines) * len(lanes)


def draw_lanes(axes: Axes, lanes: Sequence[Lane]) -> None:
    """Draw one or more lanes, from top to bottom."""
    for place, lane in enumerate(lanes):
        line, look = place + _LOW, lane.look
        axes.plot(lane.interval, [line, line], "-", color=look.colour, lw=1.6)
        axes.plot([lane.value], [line], look.marker, color=look.colour, mfc=look.face, ms=6, clip_on=False)
        for text, end in ((wrapped(lane.name, most=2), 0.0), (lane.text, 1.0)):
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
    axes.set_yticks([])
    axes.set_ylim(len(lanes) - 0.5 + _FOOT, -0.5)
    axes.grid(axis="x", alpha=0.25)


# Files

SUFFIXES = (".png", ".svg")  # The suffixes of the file names of pictures.
_DOTS_PER_INCH = 130


def check_suffix(path: Path) -> None:
    """Raise ValueError if the file name does not end with .png or .svg."""
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"{path}: the name of a picture must end with {' or '.join(SUFFIXES)}")


def save(figure: Figure, path: Path) -> None:
    """Write a figure as PNG or SVG, depending on the file name. Raises ValueError and OSError."""
    check_suffix(path)
    replace(path, as_svg(figure) if path.suffix.lower() == ".svg" else as_png(figure))


def save_both(figure: Figure, path: Path) -> Path:
    """Write a figure as PNG and as SVG into a folder, which may be new. Return the path of the PNG.

    Raises ValueError for a suffix other than .png or .svg, and OSError if a file cannot be written.
    """
    check_suffix(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    for suffix in SUFFIXES:
        save(figure, path.with_suffix(suffix))
    return path.with_suffix(".png")


def as_png(figure: Figure, dots_per_inch: int = _DOTS_PER_INCH) -> bytes:
    """Return a figure as the bytes of a PNG file."""
    stream = BytesIO()
    figure.savefig(stream, dpi=dots_per_inch, format="png")
    return stream.getvalue()


def as_svg(figure: Figure) -> bytes:
    """Return a figure as an SVG file in UTF-8, without a date. Equal figures give equal bytes."""
    stream = StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "othello"}):
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return printable(stream.getvalue()).encode()
