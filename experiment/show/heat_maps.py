"""Heat maps of boards as pictures, drawn with matplotlib."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, Normalize, PowerNorm
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.ticker import PercentFormatter

from othello_lab.experiment.show.charts import HeatMap, HeatMaps
from othello_lab.experiment.show.titles import entitle, footnote, headline
from othello_lab.game.colours import ink, worth

_WORTH = ListedColormap([worth(step / 255) for step in range(256)])
_LETTERS = 12
"""Points that the letters of the columns take."""
_WHOLE = 0.1
"""From this share on percent have no decimals."""
_WRITTEN = 8
"""On boards up to this size each square has its number."""


def figure_of_maps(
    title: str, groups: Sequence[HeatMaps], columns: int, size: tuple[float, float], foot: str
) -> Figure:
    """Return a picture of heat maps row by row, each group from a new row on.

    `size` is the width of all and the height of a row, inches; `foot` says what holds for all.
    """
    rows = [-(-len(group.maps) // columns) for group in groups]
    figure = Figure(figsize=(size[0], size[1] * sum(rows) + 0.5))
    figure.set_layout_engine("constrained", h_pad=0.12, w_pad=0.1)
    headline(figure, title)
    footnote(figure, foot)
    places = figure.subplots(sum(rows), columns, squeeze=False)
    for group, own in zip(groups, np.split(places, np.cumsum(rows)[:-1]), strict=True):
        _draw_group(figure, group, own.flatten().tolist())
    return figure


def _draw_group(figure: Figure, group: HeatMaps, places: list[Axes]) -> None:
    most = max(float(each.values.max()) for each in group.maps)
    scale = PowerNorm(0.5, 0.0, most) if group.rooted else Normalize(0.0, most)
    for axes, each in zip(places, group.maps, strict=False):
        image = _draw(axes, each, scale)
    for axes in places[len(group.maps) :]:
        axes.axis("off")
    figure.colorbar(image, ax=places, label=group.label, format=PercentFormatter(1.0), shrink=0.9, pad=0.015)


def _draw(axes: Axes, shown: HeatMap, scale: Normalize) -> AxesImage:
    """Draw shares of the squares of a board, a1 top left, in percent where they are to be written."""
    values, size = shown.values, len(shown.values)
    image = axes.imshow(values, cmap=_WORTH, norm=scale)
    decimals = 0 if values.max() >= _WHOLE else 1
    axes.set_xticks(range(size), [chr(ord("a") + column) for column in range(size)])
    axes.set_yticks(range(size), [str(row + 1) for row in range(size)])
    axes.tick_params(length=0, labelsize=7, top=False, bottom=False, labeltop=True, labelbottom=False)
    for (row, column), value in np.ndenumerate(values) if shown.says and size <= _WRITTEN else ():
        text, colour = f"{100 * value:.{decimals}f}", ink(worth(float(scale(value))))
        axes.text(column, row, text, ha="center", va="center", fontsize=7, color=colour)
    if shown.says:
        entitle(axes, shown.title, shown.says, _LETTERS)
    else:
        axes.set_title(shown.title, fontsize=10)
    return image
