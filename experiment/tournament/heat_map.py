"""A matrix of a tournament as a picture: a square for each pair, the better player above."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter

from experiment.display.palette import BLACK
from experiment.ratings.pairs import Numbers
from experiment.tournament.tables import Form
from rlglue.messages import shortened

COLOURS = "RdBu"
"""From red, the column's, over white, even, to blue, the row's: told apart with every colour blindness."""
LONGEST_NAME = 40
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


def draw_matrix(
    axes: Axes, numbers: Numbers, names: Sequence[str], scale: Scale, framed: Collection[tuple[int, int]] = ()
) -> AxesImage:
    """Draw a matrix [P, P] with its figures; `framed` are rows and columns of squares to point out."""
    image = axes.imshow(
        np.where(np.eye(len(names)) > 0, np.nan, numbers),
        cmap=COLOURS,
        vmin=scale.even - scale.reach,
        vmax=scale.even + scale.reach,
    )
    axes.set_facecolor("#dddddd")
    for (row, column), value in np.ndenumerate(numbers):
        if row != column and not np.isnan(value):
            pale = abs(value - scale.even) > _PALE * scale.reach
            text = scale.form.write(float(value))
            axes.text(
                column, row, text, ha="center", va="center", fontsize=7.5, color="white" if pale else BLACK
            )
    for row, column in framed:
        axes.add_patch(Rectangle((column - 0.46, row - 0.46), 0.92, 0.92, fill=False, lw=2.0, ec=BLACK))
    _label(axes, names)
    return image


def _label(axes: Axes, names: Sequence[str]) -> None:
    """Number rows and columns; the names stand at the rows."""
    places = range(len(names))
    rows = [f"{shortened(name, LONGEST_NAME)}  {place + 1}" for place, name in enumerate(names)]
    axes.set_yticks(places, rows, fontsize=8.5, parse_math=False)
    axes.set_xticks(places, [str(place + 1) for place in places], fontsize=8.5)
    axes.set_ylabel("player, the best rating first")
    axes.set_xlabel("against player number")
    axes.tick_params(length=0)


def draw_scale(image: AxesImage, scale: Scale) -> None:
    """Draw what the colours mean beside the axes of an image."""
    assert image.axes is not None and image.axes.figure is not None  # noqa: S101, PT018  it was drawn there
    bar = image.axes.figure.colorbar(image, ax=image.axes, shrink=0.75, pad=0.02)
    bar.set_label(scale.said, fontsize=8.5)
    bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: scale.form.write(value)))
    bar.ax.tick_params(labelsize=8)
