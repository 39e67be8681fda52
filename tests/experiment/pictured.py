from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import TypeVar

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import Bbox, BboxBase
from numpy.typing import NDArray

_SLACK = 1.0  # The tolerance, in dots.
Kind = TypeVar("Kind", Text, Legend)


def assert_clear(figure: Figure) -> None:
    """Fail if a text is cut off, lies over another text or under a curve, or if a legend covers a plot."""
    figure.draw_without_rendering()
    boxes = [(text, text.get_window_extent().padded(-_SLACK)) for text in written_in(figure)]
    for text, box in boxes:
        assert _within(box, figure.bbox), f"cut off: {text.get_text()!r}"
    for (one, own), (other, its) in combinations(boxes, 2):
        assert not own.overlaps(its), f"{one.get_text()!r} lies over {other.get_text()!r}"
    for axes in figure.axes:
        inside = [(text, box) for text, box in boxes if box.overlaps(axes.bbox)]
        for way in map(_way, axes.lines if inside else []):
            for text, box in inside:
                crossed = ((way > box.min) & (way < box.max)).all(axis=1).any()
                assert not crossed, f"a curve crosses {text.get_text()!r}"
    for legend in _all(figure, Legend):
        for axes in figure.axes:
            assert not legend.get_window_extent().padded(-_SLACK).overlaps(axes.bbox)


def written_in(figure: Figure) -> list[Text]:
    hidden = {id(text) for axes in figure.axes for axis in _axes_of(axes) for text in _out_of_view(axis)}
    return [
        text
        for text in _all(figure, Text)
        if text.get_text().strip() and text.get_visible() and id(text) not in hidden and _is_shown(text)
    ]


def _is_shown(text: Text) -> bool:
    return text.axes is None or (text.axes.get_visible() and (text.axes.axison or text in text.axes.texts))


def _all(figure: Figure, kind: type[Kind]) -> list[Kind]:
    return [found for found in figure.findobj(kind) if isinstance(found, kind)]


def _axes_of(axes: Axes) -> tuple[Axis, Axis]:
    return axes.xaxis, axes.yaxis


def _out_of_view(axis: Axis) -> Iterator[Text]:
    """Yield the labels of ticks beyond the ends of an axis, which are not drawn."""
    low, high = sorted(axis.get_view_interval())
    for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
        slack = 1e-6 * (high - low)
        if not low - slack <= tick.get_loc() <= high + slack:
            yield from (tick.label1, tick.label2)


def _within(box: Bbox, outer: BboxBase) -> bool:
    return bool(box.x0 >= outer.x0 and box.y0 >= outer.y0 and box.x1 <= outer.x1 and box.y1 <= outer.y1)


def _way(line: Line2D) -> NDArray[np.float64]:
    """Return the points of a curve in dots, float [points, 2]."""
    if line.get_linestyle() == "None" or not line.get_visible():
        return np.empty((0, 2))
    points = line.get_transform().transform(np.asarray(line.get_xydata(), float))
    points = points[np.isfinite(points).all(axis=1)]
    between = [np.linspace(begin, end, 2 + int(np.abs(end - begin).max())) for begin, end in pairwise(points)]
    return np.concatenate([points, *between])
