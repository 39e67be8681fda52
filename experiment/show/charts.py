"""Charts: curves, points and bars are described once, for pictures, for a page and for a terminal.

`plots` draws a chart with matplotlib, `live/text_plot` with characters, `live/page/charts.js` in a browser.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from experiment.show.palette import Look

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
    backwards: bool = False
    """Whether x grows to the left."""
    marks: Sequence[Mark] = ()


def bar_width(values: int, bars: int) -> int:
    """Return the width of a bar where this many whole numbers are to make about `bars` bars.

    Twice an odd number: a full board has an even difference, and each bar has as many even numbers.
    """
    return 2 * (1 + 2 * (values // (4 * bars)))


def bar_bounds(most: int, width: int) -> NDArray[np.float64]:
    """Return the bounds of bars from -`most` to `most`, so that 0 lies in the middle of one."""
    last = most + -most % width  # the middle of a bar, as 0 is
    return np.arange(-last - width / 2, last + width, width)
