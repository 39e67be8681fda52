"""Charts as pictures, drawn with matplotlib, and pictures as files: PNG, or SVG whose text is text."""

from collections.abc import Sequence
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator, PercentFormatter, StrMethodFormatter
from numpy.typing import NDArray

from othello_lab.experiment.show.charts import BLACK, Chart, Series
from othello_lab.experiment.show.titles import entitle, footnote, headline, legend_beside
from othello_lab.game.drawing import MARK
from othello_lab.game.files import replace
from othello_lab.game.notation import printable

_MARKERS, _SPARSE = 64, 8
"""A curve of more points than the first has about as many markers as the second."""
_MOST_TICKS = 9
_PAD = 0.02
"""What is free beyond the ends of an axis, as a part of it: a point at the end is seen whole."""


def figure_of(
    title: str,
    charts: Sequence[Chart],
    columns: int,
    size: tuple[float, float],
    foot: str = "",
    legend: str = "",
    ratios: Sequence[float] | None = None,
) -> Figure:
    """Return a picture of charts row by row, with one legend beside them where they have labels.

    `size` is of a chart, inches, where `ratios` of the widths say nothing else.
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
    if any(series.label for chart in charts for series in chart.series):
        legend_beside(figure, legend)
    return figure


def draw(axes: Axes, chart: Chart) -> None:
    """Draw a chart with its titles; series have labels, for a legend."""
    for series in chart.series:
        _DRAW[series.kind](axes, series, chart.lying)
    for mark in chart.marks:
        line = axes.axvline if mark.upright else axes.axhline
        line(mark.value, color=mark.look.colour, ls=mark.look.dashes, lw=1.4, label=mark.label)
    _limit(axes, chart)
    (axes.set_ylabel if chart.lying else axes.set_xlabel)(chart.x)
    (axes.set_xlabel if chart.lying else axes.set_ylabel)(chart.y)
    axes.grid(alpha=0.25)
    entitle(axes, chart.title, chart.says)


def _limit(axes: Axes, chart: Chart) -> None:
    """Set the ends of the axes and how their numbers are written."""
    along, across = (axes.yaxis, axes.xaxis) if chart.lying else (axes.xaxis, axes.yaxis)
    if chart.names:
        along.set_ticks(range(len(chart.names)), chart.names, parse_math=False)
    else:
        along.set_major_locator(MaxNLocator("auto", steps=[1, 2, 2.5, 5, 10], integer=True))
        along.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    if chart.lying:
        axes.set_ylim(len(chart.names) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
    if chart.percent:
        across.set_major_formatter(PercentFormatter(1.0))
    if chart.logarithmic:
        _read_plainly(axes)
    limit, (least, most) = (
        (axes.set_xlim, axes.get_xlim()) if chart.lying else (axes.set_ylim, axes.get_ylim())
    )
    low, high = least if chart.low is None else chart.low, most if chart.high is None else chart.high
    pad = _PAD * (high - low)
    bars = any(series.kind == "bars" for series in chart.series)
    limit(
        low if bars or chart.low is None or chart.high is None else low - pad,
        high if bars or chart.low is None else high + pad,
    )


def _read_plainly(axes: Axes) -> None:
    """Make y logarithmic, with numbers in full at 1, 2 and 5 times the powers of ten, if these are few."""
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(10, (1, 2, 5), numticks=_MOST_TICKS))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def _curve(axes: Axes, series: Series, lying: bool) -> None:
    look, count = series.look, len(series.x)
    if len(series.low):
        low, high = np.asarray(series.low), np.asarray(series.high)
        known = np.isfinite(low) & np.isfinite(high)
        axes.fill_between(series.x, low, high, where=known.tolist(), color=look.colour, alpha=0.15, lw=0)
    (line,) = axes.plot(series.x, series.y, look.dashes, color=look.colour, lw=1.3, label=series.label)
    line.set_markevery(1 if count <= _MARKERS else count // _SPARSE)
    line.set(marker=look.marker, markersize=3.6, markeredgewidth=0.8, markerfacecolor=look.face)


def _points(axes: Axes, series: Series, lying: bool) -> None:
    look = series.look
    styled = {"fmt": look.marker + look.dashes, "mfc": look.face, "ms": 5, "lw": 1.2, "label": series.label}
    _with_ends(axes, series, lying, look.colour, **styled)


def _dots(axes: Axes, series: Series, lying: bool) -> None:
    at = (series.y, series.x) if lying else (series.x, series.y)
    axes.plot(*at, "o", color=series.look.colour, alpha=0.45, ms=4.5, mew=0)


def _thin(axes: Axes, series: Series, lying: bool) -> None:
    axes.plot(series.x, series.y, series.look.dashes, color=series.look.colour, lw=0.6, alpha=0.6)


def _whiskers(axes: Axes, series: Series, lying: bool) -> None:
    _with_ends(axes, series, lying, series.look.colour, fmt="none")


def _bars(axes: Axes, series: Series, lying: bool) -> None:
    look, base = series.look, series.base if len(series.base) else np.zeros(len(series.x))
    bar, begin = (axes.barh, "left") if lying else (axes.bar, "bottom")
    styled = {"color": look.face, "edgecolor": BLACK, "lw": 0.6 if look.hollow or len(series.base) else 0.0}
    bar(series.x, series.y, series.width, **{begin: base}, **styled, label=series.label)  # type: ignore[arg-type]  # the names of a style
    if len(series.low):
        ends = np.add(series.y, base)
        moved = [np.add(each, base) for each in (series.low, series.high)]
        colour = MARK if look.colour == BLACK or len(series.base) else BLACK
        own = Series("", series.x, ends.tolist(), look, *(each.tolist() for each in moved))
        _with_ends(axes, own, lying, colour, fmt="none")
    for x, top, text in zip(
        series.x, series.high if len(series.high) else series.y, series.texts, strict=False
    ):
        axes.annotate(text, (x, top), (0, 3), textcoords="offset points", ha="center", fontsize=8)


def _with_ends(axes: Axes, series: Series, lying: bool, colour: str, **styled: Any) -> None:  # noqa: ANN401  matplotlib's
    """Draw values with their intervals; one without end, of one value alone, as none."""
    value = np.asarray(series.y, float)
    ends = [_finite(value - series.low), _finite(series.high - value)] if len(series.low) else None
    x, y, across, up = (value, series.x, ends, None) if lying else (series.x, value, None, ends)
    axes.errorbar(x, y, up, across, color=colour, ecolor=colour, elinewidth=1.1, capsize=2.5, **styled)


def _finite(reach: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.isfinite(reach), reach, 0)


_DRAW = {
    "curve": _curve,
    "thin": _thin,
    "points": _points,
    "dots": _dots,
    "bars": _bars,
    "whiskers": _whiskers,
}


SUFFIXES = (".png", ".svg")
"""What the file name of a picture can end with."""
_DOTS_PER_INCH = 130


def check_suffix(path: Path) -> None:
    """Raise ValueError for a file name that is no picture's."""
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"{path}: the name of a picture must end with {' or '.join(SUFFIXES)}")


def save(figure: Figure, path: Path) -> None:
    """Write a picture of the kind that its file name says; raises ValueError for another, and OSError."""
    check_suffix(path)
    replace(path, as_svg(figure) if path.suffix.lower() == ".svg" else as_png(figure))


def save_both(figure: Figure, path: Path) -> Path:
    """Write a picture as PNG and as SVG beside it, whichever the path names; return the PNG's.

    Makes the folder. Raises ValueError for a file name that is no picture's, and OSError.
    """
    check_suffix(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    for suffix in SUFFIXES:
        save(figure, path.with_suffix(suffix))
    return path.with_suffix(".png")


def as_png(figure: Figure, dots_per_inch: int = _DOTS_PER_INCH) -> bytes:
    """Return a picture as PNG."""
    stream = BytesIO()
    figure.savefig(stream, dpi=dots_per_inch, format="png")
    return stream.getvalue()


def as_svg(figure: Figure) -> bytes:
    """Return a picture as SVG, UTF-8; it says no time, so that the same picture is the same bytes."""
    stream = StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "othello"}):
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return printable(stream.getvalue()).encode()
