"""Matrices of a tournament as a picture: a square for each pair, the better player above.

All is placed in inches: squares, names and a title have the room they need, whether there are two players or
sixteen, and however long their names are.
"""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colorbar import Colorbar
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter

from experiment.compare.ratings.pairs import Numbers
from experiment.show.charts import GREYS
from experiment.show.titles import (
    EDGE,
    entitle_figure,
    lines_of,
    small_lines,
    title_height,
    title_width,
    width_of,
)
from experiment.show.wording import wrapped
from game.colours import BLACK, WHITE

COLOURS = "RdBu"
"""From red, the column's, over white, even, to blue, the row's: told apart with every colour blindness."""
_LABEL_SIZE, _FIGURE_SIZE, _SMALLEST = 8.5, 7.5, 4.5
"""Points: of names, of the figures in squares, and of the smallest of these that are written at all."""
_SQUARE, _LEAST, _APART = 0.43, 2.6, 0.25
"""Inches: of a square, of a matrix at least, and between things side by side."""
_BAR, _BESIDE_BAR, _BELOW = 0.2, 0.9, 0.55
"""Inches: of the colour bar, of what is written beside it, and of what is written below."""
_NUMBERS, _FOOT, _HEADING = 0.35, 0.8, 0.25
"""Inches: of the numbers beside a narrow matrix, of the scale under it, and of what stands over a matrix."""
_PALE = 0.62
"""So near to an end of the scale black figures are hard to read."""


class Scale(NamedTuple):
    """What the colours mean."""

    even: float
    reach: float
    """From even to either end."""
    write: Callable[[float], str]
    said: str
    """Beside the colours."""


class Matrix(NamedTuple):
    """One heat map of a picture."""

    numbers: Numbers
    """[P, P]; what is on the diagonal, and what is not a number, is left grey."""
    framed: Collection[tuple[int, int]] = ()
    """Rows and columns of squares to point out."""
    heading: str = ""


def heat_maps(
    names: Sequence[str], matrices: Sequence[Matrix], scale: Scale, title: str, says: str
) -> Figure:
    """Return heat maps side by side, with one scale; `says` is small print under the title."""
    rows = [f"{wrapped(name, most=2)}  {place + 1}" for place, name in enumerate(names)]
    side = max(_LEAST, _SQUARE * len(names))
    left = 2 * EDGE + 0.3 + max(width_of(row, _LABEL_SIZE) for row in rows)
    right = left + (side + _APART) * len(matrices)
    width = max(right + _BAR + _BESIDE_BAR, title_width(title, ""))
    small = small_lines(says, width - 2 * EDGE)
    above = title_height(title, small) + _HEADING * any(matrix.heading for matrix in matrices)
    height = _BELOW + side + above

    figure = Figure(figsize=(width, height))
    for place, matrix in enumerate(matrices):
        x = left + (side + _APART) * place
        axes = _axes(figure, x, _BELOW, side, side)
        image = _draw(axes, matrix, scale, _FIGURE_SIZE)
        _label(axes, [] if place else rows, len(names))
    bar = _axes(figure, right, _BELOW + side / 8, _BAR, 0.75 * side)
    _say(figure.colorbar(image, cax=bar), scale, side)
    entitle_figure(figure, title, small, left)
    return figure


def narrow_heat_maps(
    names: Sequence[str], matrices: Sequence[Matrix], scale: Scale, title: str, says: str, width: float
) -> Figure:
    """Return heat maps one above the other, `width` inches wide, of players that have numbers alone."""
    side = width - _NUMBERS - EDGE
    size = min(_FIGURE_SIZE, 24 * side / len(names))
    small = small_lines(f"{title}. {says}. The numbers are the players' places.", width - 2 * EDGE)
    high = _HEADING + side + _BELOW
    height = _FOOT + high * len(matrices) + title_height("", small)

    figure = Figure(figsize=(width, height))
    for place, matrix in enumerate(reversed(matrices)):
        axes = _axes(figure, _NUMBERS, _FOOT + _BELOW + high * place, side, side)
        image = _draw(axes, matrix, scale, size)
        _label(axes, [f"{number + 1}" for number in range(len(names))], len(names))
        axes.set_ylabel("")
    bar = _axes(figure, _NUMBERS, _FOOT - _BAR, side, _BAR)
    _say(figure.colorbar(image, cax=bar, orientation="horizontal"), scale, side)
    entitle_figure(figure, "", small, EDGE)
    return figure


def _axes(figure: Figure, left: float, bottom: float, across: float, high: float) -> Axes:
    """Return axes at a place in inches."""
    width, height = figure.get_size_inches()
    return figure.add_axes((left / width, bottom / height, across / width, high / height))


def _draw(axes: Axes, matrix: Matrix, scale: Scale, size: float) -> AxesImage:
    """Draw a matrix with its figures, `size` points high, where these can be read."""
    numbers = np.where(np.eye(len(matrix.numbers)) > 0, np.nan, matrix.numbers)
    low, high = scale.even - scale.reach, scale.even + scale.reach
    image = axes.imshow(numbers, cmap=COLOURS, vmin=low, vmax=high)
    axes.set_facecolor(GREYS[2])
    axes.set_title(matrix.heading, loc="left", fontsize=_LABEL_SIZE)
    for (row, column), value in np.ndenumerate(numbers) if size >= _SMALLEST else ():
        if not np.isnan(value):
            colour = WHITE if abs(value - scale.even) > _PALE * scale.reach else BLACK
            text = scale.write(float(value))
            axes.text(column, row, text, ha="center", va="center", fontsize=size, color=colour)
    for row, column in matrix.framed:
        axes.add_patch(Rectangle((column - 0.46, row - 0.46), 0.92, 0.92, fill=False, lw=2.0, ec=BLACK))
    return image


def _label(axes: Axes, rows: Sequence[str], count: int) -> None:
    """Number the columns, and the rows where they have names."""
    places = range(count)
    axes.set_xticks(places, [str(place + 1) for place in places], fontsize=_LABEL_SIZE)
    axes.set_xlabel("against player number")
    axes.set_yticks(places[: len(rows)], rows, fontsize=_LABEL_SIZE, parse_math=False)
    axes.set_ylabel("player, the best rating first" if rows else "")
    axes.tick_params(length=0)


def _say(bar: Colorbar, scale: Scale, room: float) -> None:
    """Say what the colours mean, in lines of `room` inches."""
    bar.set_label(lines_of(scale.said, _LABEL_SIZE, room), fontsize=_LABEL_SIZE)
    bar.formatter = FuncFormatter(lambda value, _: scale.write(value))
    bar.ax.tick_params(labelsize=8)
