"""Matrices of a tournament as a picture: a square for each pair, the better player above.

All is placed in inches: squares, names and a title have the room they need, whether there are two players or
sixteen, and however long their names are.
"""

from collections.abc import Collection, Sequence
from textwrap import fill
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter

from experiment.display.lettering import width_of
from experiment.display.palette import BLACK, EDGE, entitle_figure, title_height, title_width
from experiment.ratings.pairs import Numbers
from experiment.tournament.tables import Form
from rlglue.messages import shortened

COLOURS = "RdBu"
"""From red, the column's, over white, even, to blue, the row's: told apart with every colour blindness."""
LONGEST_NAME = 40
_NAME_SIZE = _LABEL_SIZE = 8.5
"""Points."""
_SQUARE, _LEAST, _APART = 0.43, 2.6, 0.25
"""Inches: of a square, of a matrix at least, and between things side by side."""
_BAR, _BESIDE_BAR, _BELOW = 0.2, 0.9, 0.55
"""Inches: of the colour bar, of what is written beside it, and of what is written below."""
_PALE = 0.62
"""So near to an end of the scale black figures are hard to read."""


class Scale(NamedTuple):
    """What the colours mean."""

    even: float
    reach: float
    """From even to either end."""
    form: Form
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
    """Return heat maps side by side, with one scale; `says` are lines of small print under the title."""
    rows = [f"{shortened(name, LONGEST_NAME)}  {place + 1}" for place, name in enumerate(names)]
    side = max(_LEAST, _SQUARE * len(names))
    left = 2 * EDGE + 0.3 + max(width_of(row, _NAME_SIZE) for row in rows)
    right = left + (side + _APART) * len(matrices)
    width = max(right + _BAR + _BESIDE_BAR, title_width(title, says))
    above = title_height(says) + 0.25 * any(matrix.heading for matrix in matrices)
    height = _BELOW + side + above

    figure = Figure(figsize=(width, height))
    for place, matrix in enumerate(matrices):
        x = left + (side + _APART) * place
        axes = figure.add_axes((x / width, _BELOW / height, side / width, side / height))
        image = _draw(axes, matrix, scale)
        _label(axes, [] if place else rows, len(names))
    bar = figure.add_axes((right / width, (_BELOW + side / 8) / height, _BAR / width, 0.75 * side / height))
    _draw_scale(image, bar, scale, side)
    entitle_figure(figure, title, says, left)
    return figure


def _draw(axes: Axes, matrix: Matrix, scale: Scale) -> AxesImage:
    """Draw a matrix with its figures."""
    numbers = np.where(np.eye(len(matrix.numbers)) > 0, np.nan, matrix.numbers)
    low, high = scale.even - scale.reach, scale.even + scale.reach
    image = axes.imshow(numbers, cmap=COLOURS, vmin=low, vmax=high)
    axes.set_facecolor("#dddddd")
    axes.set_title(matrix.heading, loc="left", fontsize=_LABEL_SIZE)
    for (row, column), value in np.ndenumerate(numbers):
        if not np.isnan(value):
            colour = "white" if abs(value - scale.even) > _PALE * scale.reach else BLACK
            text = scale.form.write(float(value))
            axes.text(column, row, text, ha="center", va="center", fontsize=7.5, color=colour)
    for row, column in matrix.framed:
        axes.add_patch(Rectangle((column - 0.46, row - 0.46), 0.92, 0.92, fill=False, lw=2.0, ec=BLACK))
    return image


def _label(axes: Axes, rows: Sequence[str], count: int) -> None:
    """Number the columns, and the rows where they have names."""
    places = range(count)
    axes.set_xticks(places, [str(place + 1) for place in places], fontsize=_NAME_SIZE)
    axes.set_xlabel("against player number")
    axes.set_yticks(places[: len(rows)], rows, fontsize=_NAME_SIZE, parse_math=False)
    axes.set_ylabel("player, the best rating first" if rows else "")
    axes.tick_params(length=0)


def _draw_scale(image: AxesImage, axes: Axes, scale: Scale, room: float) -> None:
    """Draw what the colours mean, and say it in as many lines as it takes."""
    assert image.axes is not None and image.axes.figure is not None  # noqa: S101, PT018  it was drawn there
    bar = image.axes.figure.colorbar(image, cax=axes)
    letters = int(len(scale.said) * room / width_of(scale.said, _LABEL_SIZE))
    bar.set_label(fill(scale.said, letters), fontsize=_LABEL_SIZE)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: scale.form.write(value)))
    axes.tick_params(labelsize=8)
