"""A plot of numbers with intervals: a lane for each, its name and the number in words over its line."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from matplotlib.axes import Axes

from experiment.show.lettering import wrapped
from experiment.show.palette import Look
from experiment.study.statistics.shares import Interval

_AROUND, _LANE, _LINE = 1.15, 0.3, 0.15
"""Inches: above and below all, of a lane, and of a line of a name."""
_LOW: Final = 0.3
"""How far below the middle of its lane a line lies."""
_FOOT: Final = 0.15
"""Of a lane: what is free below the last one, so that its mark does not touch the frame."""


class Lane(NamedTuple):
    """One number."""

    name: str
    said: str
    """The number in words."""
    value: float
    interval: Interval
    look: Look


def height_of(lanes: Sequence[Lane]) -> float:
    """Return how high the plot is at least, in inches."""
    lines = max(1 + _named(lane).count("\n") for lane in lanes)
    return _AROUND + (_LANE + _LINE * lines) * len(lanes)


def draw_lanes(axes: Axes, lanes: Sequence[Lane]) -> None:
    """Draw at least one lane, the first above."""
    for place, lane in enumerate(lanes):
        line, own = place + _LOW, lane.look
        axes.plot(lane.interval, [line, line], "-", color=own.colour, lw=1.6)
        axes.plot([lane.value], [line], own.marker, color=own.colour, mfc=own.face, ms=6, clip_on=False)
        _write(axes, line, _named(lane), 0.0)
        _write(axes, line, lane.said, 1.0)
    axes.set_yticks([])
    axes.set_ylim(len(lanes) - 0.5 + _FOOT, -0.5)
    axes.grid(axis="x", alpha=0.25)


def _named(lane: Lane) -> str:
    return wrapped(lane.name, most=2)


def _write(axes: Axes, line: float, text: str, end: float) -> None:
    """Write over the line of a lane, at its left end, 0, or at its right one, 1."""
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
