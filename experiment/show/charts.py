"""Charts: descriptions of curves, points and bars, for pictures and for pages.

`plots` and `heat_maps` draw them with matplotlib, `live/page/charts.js` in a browser. A colour has one
meaning everywhere: curves of training are black and grey, measured or compared curves have the colours of
`look`. The colours of boards are in `game.drawing`.
"""

from collections.abc import Sequence, Sized
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray


class Shade(NamedTuple):
    """One colour on light and dark pages."""

    light: str
    """On white, and in pictures."""
    dark: str
    """On a dark page."""


BLACK, GREY, SOFT = "#000000", "#757575", "#555555"
"""Writing and edges, marks to compare with, and small print; each is the light one of a shade below."""
GREYS: Final = ("#303030", "#8c8c8c", "#dddddd", "#f4f4f4")
"""Of parts of a whole, where the colours beside them mean other things, and of squares without a number."""
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
"""Of Okabe and Ito, "Color universal design", 2008; their yellow is too pale for a line."""
NAMED: Final = {
    f"{kind}-{place}": shade
    for kind, shades in (("writing", WRITING), ("training", TRAINING), ("series", SERIES))
    for place, shade in enumerate(shades)
}
"""All of them, such as `series-0`."""
DASHES: Final = ("-", "--", ":", "-.")
_MARKERS: Final = "os^DvPX*"
"""When the colours are used up, they come again with other markers and dashes."""


class Look(NamedTuple):
    """Of one curve."""

    shade: str
    """One of NAMED, or a colour of GREYS."""
    marker: str
    dashes: str
    hollow: bool = False
    """Whether markers and bars are white within."""

    @property
    def colour(self) -> str:
        """The colour in pictures."""
        return NAMED[self.shade].light if self.shade in NAMED else self.shade

    @property
    def face(self) -> str:
        """The colour of what is filled."""
        return "white" if self.hollow else self.colour


def look(place: int) -> Look:
    """Return the look of a curve by its place among the curves; the first 24 differ in all they have."""
    return Look(
        f"series-{place % len(SERIES)}",
        _MARKERS[place % len(_MARKERS)],
        DASHES[place // len(SERIES) % len(DASHES)],
    )


def of_training(place: int) -> Look:
    """Return the look of a curve that training itself tells, by its place among these."""
    return Look(f"training-{min(place, 1)}", _MARKERS[place % len(_MARKERS)], DASHES[place % len(DASHES)])


def has_bands(curves: Sized) -> bool:
    """Tell whether there is one of each colour at most: bands around more curves are a fog."""
    return len(curves) <= len(SERIES)


Floats: TypeAlias = Sequence[float] | NDArray[Any]


@dataclass(frozen=True)
class Series:
    """One curve, one row of points or one set of bars; float [n] each."""

    label: str
    """What it is, for a legend; "" where that is said already."""
    x: Floats
    y: Floats
    look: Look
    low: Floats = ()
    """Where the interval of each value begins; nothing where there are none."""
    high: Floats = ()
    kind: Literal["curve", "thin", "points", "dots", "bars", "whiskers"] = "curve"
    """The interval of a curve is a band, of others a bar; `whiskers` are intervals alone."""
    width: float = 0.8
    """Of bars, in the unit of x."""
    base: Floats = ()
    """Where bars begin, if not at 0."""
    texts: Sequence[str] = ()
    """What is written over each bar."""


@dataclass(frozen=True)
class Mark:
    """A straight line across a plot, at a value of y, or of x where it stands upright."""

    value: float
    label: str
    look: Look
    upright: bool = False


@dataclass(frozen=True)
class Chart:
    """A plot of some series."""

    title: str
    says: str
    """What it shows, and what is good."""
    x: str
    """What the axes are, with the unit."""
    y: str
    series: Sequence[Series]
    low: float | None = None
    """Where the axis of y begins and ends, if not where the series do."""
    high: float | None = None
    percent: bool = False
    """Whether y is a share, that is written in percent."""
    logarithmic: bool = False
    names: Sequence[str] = ()
    """What 0, 1, 2 … of x are called, where x is no number."""
    lying: bool = False
    """Whether y goes to the right, and x, which has names, down."""
    marks: Sequence[Mark] = ()


@dataclass(frozen=True)
class HeatMap:
    """A board whose squares have shares."""

    title: str
    values: NDArray[np.float64]
    """[size, size], a1 first."""
    says: str = ""
    """What they are; where that is said they are written too, in percent."""


@dataclass(frozen=True)
class HeatMaps:
    """Heat maps with one scale, from 0 to the largest of their values."""

    maps: Sequence[HeatMap]
    label: str
    """What the colours mean."""
    rooted: bool = False
    """Whether the colours go by the square root."""


def bar_width(values: int, bars: int) -> int:
    """Return the width of a bar where this many whole numbers are to make about `bars` bars.

    Twice an odd number: a full board has an even difference, and each bar has as many even numbers.
    """
    return 2 * (1 + 2 * (values // (4 * bars)))


def bar_bounds(most: int, width: int) -> NDArray[np.float64]:
    """Return the bounds of bars from -`most` to `most`, so that 0 lies in the middle of one."""
    last = most + -most % width  # the middle of a bar, as 0 is
    return np.arange(-last - width / 2, last + width, width)
