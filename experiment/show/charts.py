"""Describe charts of curves, points and bars, for `plots` (matplotlib) and pages/web/charts.js (browser)."""

from collections.abc import Sequence, Sized
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray


class Shade(NamedTuple):
    """A colour in two versions: `light` for pictures and light pages, `dark` for dark pages."""

    light: str
    dark: str


# Colours on a light background: text and edges, reference lines, subtitles and footnotes.
BLACK, GREY, SOFT = "#000000", "#757575", "#555555"
# The colours of Okabe and Ito, "Color universal design", 2008, without yellow.
SERIES: Final = (
    Shade("#0072b2", "#4ba3e3"),
    Shade("#d55e00", "#f08a4b"),
    Shade("#009e73", "#2fc79a"),
    Shade("#cc79a7", "#dd9cc2"),
    Shade("#e69f00", "#e6b84d"),
    Shade("#56b4e9", "#a5d8f5"),
)
# All shades by name, such as `series-0`.
NAMED: Final = {
    "training-0": Shade(BLACK, "#e9edea"),
    "training-1": Shade(GREY, "#a8a8a8"),
    **{f"series-{place}": shade for place, shade in enumerate(SERIES)},
}
_DASHES: Final = ("-", "--", ":", "-.")
_MARKERS: Final = "os^DvPX*"


class Look(NamedTuple):
    """The style of a curve, points or bars."""

    shade: str  # A name in NAMED.
    marker: str  # Points without marker and dashes show only their intervals.
    dashes: str
    hollow: bool = False  # Whether the fill colour of markers and bars is white.

    @property
    def colour(self) -> str:
        """The colour in pictures."""
        return NAMED[self.shade].light

    @property
    def face(self) -> str:
        """The fill colour of markers and bars."""
        return "white" if self.hollow else self.colour


def look(place: int) -> Look:
    """Return the style of curve `place`. The first 24 styles are distinct."""
    return Look(
        f"series-{place % len(SERIES)}",
        _MARKERS[place % len(_MARKERS)],
        _DASHES[place // len(SERIES) % len(_DASHES)],
    )


def of_training(place: int) -> Look:
    """Return the style of training curve `place`."""
    return Look(f"training-{min(place, 1)}", _MARKERS[place % len(_MARKERS)], _DASHES[place % len(_DASHES)])


def has_bands(curves: Sized) -> bool:
    """Return whether each curve can have an interval band in a distinct colour."""
    return len(curves) <= len(SERIES)


Floats: TypeAlias = Sequence[float] | NDArray[Any]


@dataclass(frozen=True)
class Series:
    """A curve, points or bars. All arrays are float [n]."""

    label: str  # The name in the legend. An empty name hides the series from the legend.
    x: Floats
    y: Floats
    look: Look
    low: Floats = ()  # The lower bounds of the intervals, empty without intervals.
    high: Floats = ()
    kind: Literal["curve", "points", "dots", "bars"] = "curve"  # Only a curve shows intervals as a band.
    width: float = 0.8  # The total width of the bars at the same x, in units of x.
    texts: Sequence[str] = ()  # The text above each bar.


@dataclass(frozen=True)
class Mark:
    """A reference line: vertical at x = `value` if `upright`, otherwise horizontal at y = `value`."""

    value: float
    label: str
    look: Look
    upright: bool = False


@dataclass(frozen=True)
class Chart:
    """A plot of series."""

    title: str
    says: str  # The subtitle, which says what the chart shows and which values are good.
    x: str  # The label of the x axis, with the unit.
    y: str
    series: Sequence[Series]
    low: float | None = None  # The lower limit of the y axis. The default depends on the series.
    high: float | None = None
    percent: bool = False  # Whether y is a share, shown in percent.
    logarithmic: bool = False
    names: Sequence[str] = ()  # The tick labels of x = 0, 1, 2, ... if x is a category.
    horizontal: bool = False  # Whether y points right and x points down. Requires `names`. Cannot show bars.
    marks: Sequence[Mark] = ()


def bar_width(values: int, bars: int) -> int:
    """Return the bin width of a histogram of `values` consecutive integers with about `bars` bins."""
    # Full boards have even disc differences. A width of twice an odd number gives all bins equally many.
    return 2 * (1 + 2 * (values // (4 * bars)))


def bar_bounds(most: int, width: int) -> NDArray[np.float64]:
    """Return the edges of histogram bins that cover -`most` to `most`. One bin is centred at 0."""
    last = most + -most % width  # the centre of the last bin
    return np.arange(-last - width / 2, last + width, width)
