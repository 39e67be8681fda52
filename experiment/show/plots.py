"""Draw charts and their text with matplotlib, and save figures as PNG or SVG files."""

from collections.abc import Mapping, Sequence
from io import BytesIO, StringIO
from pathlib import Path
from textwrap import fill
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, FigureBase
from matplotlib.legend import Legend
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator, PercentFormatter, StrMethodFormatter
from numpy.typing import NDArray

from othello_lab.experiment.show.charts import BLACK, SOFT, Chart, Series
from othello_lab.experiment.show.wording import wrapped
from othello_lab.game.notation import printable
from othello_lab.game.safe_files import replace

_MARKERS, _SPARSE = 64, 8  # a curve of more than _MARKERS points has about _SPARSE markers
_PAD = 0.02  # axis margin, as a share of the axis length, so that markers are not clipped


def figure_of(
    title: str, charts: Sequence[Chart], columns: int, size: tuple[float, float], foot: str = ""
) -> Figure:
    """Return a grid of charts, each of `size` inches, with one legend if a series has a label."""
    columns = min(columns, len(charts))
    rows = -(-len(charts) // columns)
    figure = Figure(figsize=(size[0] * columns, size[1] * rows + 0.5))
    figure.set_layout_engine("constrained", h_pad=0.12, w_pad=0.1)
    places = figure.subplots(rows, columns, squeeze=False).flatten().tolist()
    for axes, chart in zip(places, charts, strict=False):
        draw(axes, chart)
    for axes in places[len(charts) :]:
        axes.set_visible(False)
    if title:
        headline(figure, title)
    if foot:
        footnote(figure, foot)
    if entries := legend_of(figure.axes):
        legend = write_legend(figure, entries, "outside right upper").get_window_extent()
        width, height = figure.get_size_inches()
        figure.set_size_inches(width + legend.width / figure.dpi, max(height, legend.height / figure.dpi))
    return figure


def height_of(names: Sequence[str]) -> float:
    """Return the height in inches of a horizontal chart with these category names."""
    return 1.8 + sum(0.1 + 0.16 * (1 + name.count("\n")) for name in names)


def draw(axes: Axes, chart: Chart) -> None:
    """Draw a chart with its title and subtitle."""
    bars = [series for series in chart.series if series.kind == "bars"]
    for place, series in enumerate(bars):
        _bars(axes, series, place, len(bars))
    for series in chart.series:
        if series.kind != "bars":
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
    """Set the limits, ticks and number formats of the axes."""
    along, across = (axes.yaxis, axes.xaxis) if chart.horizontal else (axes.xaxis, axes.yaxis)
    if chart.names:
        along.set_ticks(range(len(chart.names)), chart.names, parse_math=False)
    else:
        along.set_major_locator(MaxNLocator("auto", steps=[1, 2, 2.5, 5, 10], integer=True))
        along.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    if chart.horizontal:
        axes.set_ylim(len(chart.names) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0, labelsize=_NAMES)
    if chart.percent:
        across.set_major_formatter(PercentFormatter(1.0))
    if chart.logarithmic:  # at most nine ticks, at 1, 2 and 5 times the powers of ten
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(10, (1, 2, 5), numticks=9))
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
    look, ends = series.look, _ends(series)
    at: dict[str, Any] = {"x": series.x, "y": series.y, "yerr": ends}
    if horizontal:
        at = {"x": series.y, "y": series.x, "xerr": ends}
    at |= {"fmt": look.marker + look.dashes or "none", "mfc": look.face, "ms": 5, "lw": 1.2, "capsize": 2.5}
    axes.errorbar(**at, color=look.colour, ecolor=look.colour, elinewidth=1.1, label=series.label)


def _dots(axes: Axes, series: Series, horizontal: bool) -> None:
    at = (series.y, series.x) if horizontal else (series.x, series.y)
    axes.plot(*at, "o", color=series.look.colour, alpha=0.45, ms=4.5, mew=0)


def _bars(axes: Axes, series: Series, place: int, count: int) -> None:
    """Draw the bars of series `place` in a grouped bar chart of `count` series."""
    from othello_lab.game.drawing import MARK  # lazy import: charts of runs need no rules

    look, width = series.look, series.width / count
    x = np.asarray(series.x, float) + (place - (count - 1) / 2) * width
    style: dict[str, Any] = {"color": look.face, "edgecolor": BLACK, "lw": 0.6 if look.hollow else 0.0}
    style |= {"yerr": _ends(series), "ecolor": MARK if look.colour == BLACK else BLACK, "capsize": 2.5}
    bars = axes.bar(x, series.y, width, label=series.label, **style)
    if series.texts:
        axes.bar_label(bars, series.texts, padding=3, fontsize=8)


def _ends(series: Series) -> NDArray[np.float64] | None:
    """Return the lengths of the error bars below and above the values, [2, n], with 0 for infinity."""
    if not len(series.low):
        return None
    value = np.asarray(series.y, float)
    reach = np.array([value - series.low, series.high - value])
    return np.where(np.isfinite(reach), reach, 0)


_DRAW = {"curve": _curve, "points": _points, "dots": _dots}

# Text: titles, subtitles, footnotes and legends. Lengths are in inches.

_SMALL, _NAMES = 7.8, 8.5  # font sizes in points: subtitles and footnotes; legends and category labels
_EM, _POINTS = 0.6, 72  # approximate width of a character as a share of the font size; points per inch
Where = Literal["outside right upper", "upper left"]


def headline(figure: Figure, text: str) -> None:
    """Write the title of a figure."""
    figure.suptitle(text, fontsize=13, fontweight="bold", x=0.01, ha="left", parse_math=False, wrap=True)


def footnote(figure: Figure, text: str) -> None:
    """Write a footnote below a figure."""
    figure.supxlabel(text, fontsize=_SMALL, color=SOFT, x=0.01, ha="left", wrap=True)


def entitle(axes: Axes, title: str, says: str) -> None:
    """Write a title and a subtitle above a plot."""
    assert axes.figure is not None  # noqa: S101  drawn axes belong to a figure
    beside = max(label.get_window_extent().width for label in axes.get_yticklabels())
    small = lines_of(says, _SMALL, (axes.bbox.width - beside) / axes.figure.dpi)
    high = 11 * (1 + small.count("\n"))
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold", pad=6 + high, parse_math=False)
    written = axes.annotate(small, (0, 1), (0, 4), "axes fraction", "offset points", va="bottom")
    written.set(fontsize=_SMALL, color=SOFT)
    written.set_in_layout(False)  # otherwise, a long line would make the plot narrower


def legend_of(axes: Sequence[Axes]) -> dict[str, Any]:
    """Return the legend handles by wrapped label, without duplicates."""
    entries = dict[str, Any]()
    for plot in axes:
        for line, name in zip(*plot.get_legend_handles_labels(), strict=True):
            entries.setdefault(wrapped(name), line)
    return entries


def write_legend(figure: FigureBase, entries: Mapping[str, Any], where: Where) -> Legend:
    """Write a legend into a figure or a subfigure."""
    legend = figure.legend([*entries.values()], [*entries], loc=where, frameon=False, fontsize=_NAMES)
    for text in legend.get_texts():
        text.set_parse_math(False)
    return legend


def lines_of(text: str, size: float, room: float) -> str:
    """Wrap a text into lines about `room` inches wide, at a font size of `size` points."""
    return fill(text, max(1, int(room * _POINTS / (_EM * size))), break_on_hyphens=False)


# Files

SUFFIXES = (".png", ".svg")  # The file name suffixes of pictures.
_DOTS_PER_INCH = 130


def check_suffix(path: Path) -> None:
    """Raise ValueError if the file name does not end with .png or .svg."""
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"{path}: the name of a picture must end with {' or '.join(SUFFIXES)}")


def save(figure: Figure, path: Path) -> None:
    """Write a figure as PNG or SVG, depending on the suffix. Raises ValueError and OSError."""
    check_suffix(path)
    replace(path, as_svg(figure) if path.suffix.lower() == ".svg" else as_png(figure))


def save_both(figure: Figure, path: Path) -> Path:
    """Save a figure as PNG and SVG, and return the PNG's path. Raises ValueError and OSError."""
    check_suffix(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    for suffix in SUFFIXES:
        save(figure, path.with_suffix(suffix))
    return path.with_suffix(".png")


def as_png(figure: Figure, dots_per_inch: int = _DOTS_PER_INCH) -> bytes:
    """Return a figure as the bytes of a PNG file."""
    _lay_out(figure)
    stream = BytesIO()
    figure.savefig(stream, dpi=dots_per_inch, format="png")
    return stream.getvalue()


def as_svg(figure: Figure) -> bytes:
    """Return a figure as an SVG file in UTF-8, without a date. Equal figures give equal bytes."""
    _lay_out(figure)
    stream = StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "othello"}):
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return printable(stream.getvalue()).encode()


def _lay_out(figure: Figure) -> None:
    """Compute the layout of a figure once. Otherwise `savefig` computes it again for each file."""
    if engine := figure.get_layout_engine():
        engine.execute(figure)
        figure.set_layout_engine(None)
