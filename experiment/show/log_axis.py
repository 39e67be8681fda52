"""A logarithmic axis that reads 10, 20, 50, 100."""

from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

_TICKS = 9


def read_plainly(axes: Axes) -> None:
    """Make y logarithmic, with numbers in full at 1, 2 and 5 times the powers of ten, if these are few."""
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(10, (1, 2, 5), numticks=_TICKS))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
