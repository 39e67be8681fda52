"""Histograms of differences of discs."""

import numpy as np
from numpy.typing import NDArray


def bar_width(values: int, bars: int) -> int:
    """Return the width of a bar where this many whole numbers are to make about `most` bars.

    Twice an odd number: a full board has an even difference, and each bar has as many even numbers.
    """
    return 2 * (1 + 2 * (values // (4 * bars)))


def bar_bounds(most: int, width: int) -> NDArray[np.float64]:
    """Return the bounds of bars from -`most` to `most`, so that 0 lies in the middle of one."""
    last = most + -most % width  # the middle of a bar, as 0 is
    return np.arange(-last - width / 2, last + width, width)
