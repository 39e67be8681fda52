"""Charts: descriptions of curves, points and bars, for pictures and for pages.

The module `plots` draws charts with matplotlib, and `pages/web/charts.js` draws charts in a browser. A colour
has one meaning everywhere: curves of training are black and grey, and measured or compared curves have the
colours of `look`. The colours of boards are in `game.drawing`.
"""

from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray


class Shade(NamedTuple):
    """A colour in two versions: for light pages and pictures, and for dark pages."""

    light: str
    dark: str


BLACK, GREY, SOFT = "#000000", "#757575", "#555555"
"""Light colours of the shades below: for text and edges, for reference marks, and for small print."""
GREYS: Final = ("#303030", "#8c8c8c", "#dddddd", "#f4f4f4")
"""Colours of the parts of a stacked bar, and of cells without a number."""
WRITING: Final = (Shade(BLACK, "#e9edea"), Shade(SOFT, "#aab5af"))
TRAINING: Final = (Shade(BLACK, "#e9edea"), Shade(GREY, "#a8a8a8"))
SERIES: Final = (
    Shade("#0072b2", "#4ba3e3"),
    Shade("#d55e00", "#f08a4b"),
    Shade("#009e73", "#2fc79a"),
    Shade("#cc79a7", "#dd9cc2"),
    Shade("#e69f00", "#e6b84d"),
    Shade("#56b4e9", "#a5d8f5"),
)
"""The colours of Okabe and Ito, "Color universal design", 2008, without yellow (too pale for lines)."""
NAMED: Final = {
    f"{kind}-{place}": shade
    for kind, shades in (("writing", WRITING), ("training", TRAINING), ("series", SERIES))
    for place, shade in enumerate(shades)
}
"""All shades by name, such as `series-0`."""
_DASHES: Final = ("-", "--", ":", "-.")
_MARKERS: Final = "os^DvPX*"
_LEAST_RANGE = 0.1
"""Minimum range of a scale, as a share of its largest value, so that similar values have similar colours."""


class Look(NamedTuple):
    """The look of a curve, of points or of bars."""

    shade: str
    """A name in NAMED, or a colour of GREYS."""
    marker: str
    dashes: str
    hollow: bool = False
    """Whether markers and bars are white inside."""

    @property
    def colour(self) -> str:
        """The colour in pictures."""
        return NAMED[self.shade].light if self.shade in NAMED else self.shade

    @property
    def face(self) -> str:
        """The colour inside markers and bars."""
        return "white" if self.hollow else self.colour


def look(place: int) -> Look:
    """Return the look of the curve with an index; the first 24 looks are all different."""
    return Look(
        f"series-{place % len(SERIES)}",
        _MARKERS[place % len(_MARKERS)],
        _DASHES[place // len(SERIES) % len(_DASHES)],
    )


def of_training(place: int) -> Look:
    """Return the look of a training curve, by its index among the training curves."""
    return Look(f"training-{min(place, 1)}", _MARKERS[place % len(_MARKERS)], _DASHES[place % len(_DASHES)])


def has_bands(curves: Sized) -> bool:
    """Return whether curves may have bands: not if there are more curves than colours."""
    return len(curves) <= len(SERIES)


Floats: TypeAlias = Sequence[float] | NDArray[Any]


@dataclass(frozen=True)
class Series:
    """A curve, a row of points or a set of bars. The numbers are float [n]."""

    label: str
    """Name for the legend; "" for none."""
    x: Floats
    y: Floats
    look: Look
    low: Floats = ()
    """Lower ends of the intervals; empty if there are no intervals."""
    high: Floats = ()
    kind: Literal["curve", "thin", "points", "dots", "bars", "whiskers"] = "curve"
    """How to draw the series. A curve's intervals are a band, others are bars; `whiskers` has no values."""
    width: float = 0.8
    """Width of bars, in units of x."""
    base: Floats = ()
    """Starting values of the bars; 0 by default."""
    texts: Sequence[str] = ()
    """Text above each bar."""


@dataclass(frozen=True)
class Mark:
    """A straight line across a plot: horizontal at a value of y, or vertical at a value of x if `upright`."""

    value: float
    label: str
    look: Look
    upright: bool = False


@dataclass(frozen=True)
class Chart:
    """A plot of some series."""

    title: str
    says: str
    """Small print: what the chart shows, and which values are good."""
    x: str
    """Label of the x axis, with the unit."""
    y: str
    series: Sequence[Series]
    low: float | None = None
    """Lower end of the y axis; by default, it follows from the series."""
    high: float | None = None
    percent: bool = False
    """Whether y is a share, written in percent."""
    logarithmic: bool = False
    names: Sequence[str] = ()
    """Names of the values x = 0, 1, 2 ..., if x is a category."""
    horizontal: bool = False
    """Whether the axes are swapped: y goes to the right, and x, which must have names, goes down."""
    marks: Sequence[Mark] = ()


@dataclass(frozen=True)
class HeatMap:
    """A board with a share, 0 to 1, for each square."""

    title: str
    values: NDArray[np.float64]
    """Shares of the squares, [size, size], a1 first."""
    says: str = ""
    """Explanation of the shares. If it is given, the shares are written on the squares in percent."""


@dataclass(frozen=True)
class HeatMaps:
    """Heat maps with a common scale, from 0 to the largest value."""

    maps: Sequence[HeatMap]
    label: str
    """Meaning of the colours."""
    square_root: bool = False
    """Whether the colour depends on the square root of the value."""


def bar_width(values: int, bars: int) -> int:
    """Return the width of a bar if `values` consecutive whole numbers are shown in about `bars` bars.

    The width is twice an odd number. Then each bar has the same number of even values; this matters because
    the disc difference on a full board is even.
    """
    return 2 * (1 + 2 * (values // (4 * bars)))


def bar_bounds(most: int, width: int) -> NDArray[np.float64]:
    """Return the bounds of bars from -`most` to `most`; 0 is the middle of a bar."""
    last = most + -most % width  # the middle of the last bar
    return np.arange(-last - width / 2, last + width, width)


def shares_of(values: Iterable[float]) -> list[float]:
    """Return the places of values of moves on a scale: 0 for the lowest value and 1 for the highest.

    The scale ignores certain results, such as a won game; they are placed at an end of the scale.
    """
    from othello_lab.game.values import is_certain  # here: charts of runs need no rules

    values = list(values)
    unsure = [value for value in values if not is_certain(value)] or [0.0]
    low, high = min(unsure), max(unsure)
    reach = max(high - low, _LEAST_RANGE * max(-low, high), 1e-9)
    begin = (low + high) / 2 - reach / 2
    return [min(1.0, max(0.0, (value - begin) / reach)) for value in values]
