"""Charts: descriptions of curves, points and bars, for pictures and for pages.

`plots` draws them with matplotlib, `pages/web/charts.js` in a browser. A colour has one meaning everywhere:
curves of training are black and grey, measured or compared curves have the colours of `look`. The colours of
boards are in `game.drawing`.
"""

from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.values import is_certain


class Shade(NamedTuple):
    """A colour on a light page and in pictures, and on a dark page."""

    light: str
    dark: str


BLACK, GREY, SOFT = "#000000", "#757575", "#555555"
"""Text and edges; marks to compare with; small print. Light colours of the shades below."""
GREYS: Final = ("#303030", "#8c8c8c", "#dddddd", "#f4f4f4")
"""Parts of a whole, and squares without a number."""
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
"""Okabe and Ito, "Color universal design", 2008, without yellow, which is too pale for a line."""
NAMED: Final = {
    f"{kind}-{place}": shade
    for kind, shades in (("writing", WRITING), ("training", TRAINING), ("series", SERIES))
    for place, shade in enumerate(shades)
}
"""All shades by name, such as `series-0`."""
_DASHES: Final = ("-", "--", ":", "-.")
_MARKERS: Final = "os^DvPX*"
_LEAST_RANGE = 0.1
"""The least range of a scale, as a share of its largest value: similar values have similar colours."""


class Look(NamedTuple):
    """The look of a curve, of points or of bars."""

    shade: str
    """A name of NAMED, or a colour of GREYS."""
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
    """Return the look of a curve by its index; the first 24 differ in colour, marker and dashes."""
    return Look(
        f"series-{place % len(SERIES)}",
        _MARKERS[place % len(_MARKERS)],
        _DASHES[place // len(SERIES) % len(_DASHES)],
    )


def of_training(place: int) -> Look:
    """Return the look of a curve of training, by its index among these."""
    return Look(f"training-{min(place, 1)}", _MARKERS[place % len(_MARKERS)], _DASHES[place % len(_DASHES)])


def has_bands(curves: Sized) -> bool:
    """Return whether curves may have bands: bands of more curves than colours are a fog."""
    return len(curves) <= len(SERIES)


Floats: TypeAlias = Sequence[float] | NDArray[Any]


@dataclass(frozen=True)
class Series:
    """A curve, a row of points or a set of bars; float [n] each."""

    label: str
    """Name for the legend; "" for none."""
    x: Floats
    y: Floats
    look: Look
    low: Floats = ()
    """Lower ends of the intervals; empty without intervals."""
    high: Floats = ()
    kind: Literal["curve", "thin", "points", "dots", "bars", "whiskers"] = "curve"
    """Intervals of a curve are a band, others bars; `whiskers` are intervals alone."""
    width: float = 0.8
    """Width of bars, in units of x."""
    base: Floats = ()
    """Where bars begin; 0 by default."""
    texts: Sequence[str] = ()
    """Text above each bar."""


@dataclass(frozen=True)
class Mark:
    """A straight line across a plot, at a value of y, or of x if it is upright."""

    value: float
    label: str
    look: Look
    upright: bool = False


@dataclass(frozen=True)
class Chart:
    """A plot of some series."""

    title: str
    says: str
    """What the chart shows, and what is good."""
    x: str
    """Label of the axis, with the unit."""
    y: str
    series: Sequence[Series]
    low: float | None = None
    """Ends of the axis of y; by default those of the series."""
    high: float | None = None
    percent: bool = False
    """Whether y is a share, written in percent."""
    logarithmic: bool = False
    names: Sequence[str] = ()
    """Names of x = 0, 1, 2 ..., if x is no number."""
    horizontal: bool = False
    """Whether y goes to the right, and x, which has names, down."""
    marks: Sequence[Mark] = ()


@dataclass(frozen=True)
class HeatMap:
    """A board whose squares have shares."""

    title: str
    values: NDArray[np.float64]
    """[size, size], a1 first."""
    says: str = ""
    """What the shares are; if given, they are written on the squares, in percent."""


@dataclass(frozen=True)
class HeatMaps:
    """Heat maps with one scale, from 0 to the largest value."""

    maps: Sequence[HeatMap]
    label: str
    """What the colours mean."""
    square_root: bool = False
    """Whether colours follow the square root of a value."""


def bar_width(values: int, bars: int) -> int:
    """Return the width of a bar if this many whole numbers are shown in about `bars` bars.

    Twice an odd number: a full board has an even difference, and each bar has as many even numbers.
    """
    return 2 * (1 + 2 * (values // (4 * bars)))


def bar_bounds(most: int, width: int) -> NDArray[np.float64]:
    """Return the bounds of bars from -`most` to `most`, with 0 in the middle of one."""
    last = most + -most % width  # the middle of a bar, as 0 is
    return np.arange(-last - width / 2, last + width, width)


def shares_of(values: Iterable[float]) -> list[float]:
    """Return values of moves as shares of a scale: 0 for the least and 1 for the greatest.

    Certain results, such as a won game, lie at its ends and do not stretch it.
    """
    values = list(values)
    unsure = [value for value in values if not is_certain(value)] or [0.0]
    low, high = min(unsure), max(unsure)
    reach = max(high - low, _LEAST_RANGE * max(-low, high), 1e-9)
    begin = (low + high) / 2 - reach / 2
    return [min(1.0, max(0.0, (value - begin) / reach)) for value in values]
