"""The pictures of a tournament: who beats whom, by how many discs, with which colour; and the ratings.

All is placed in inches: squares, names and a title have the room they need, whether there are two players or
sixteen, and however long their names are.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colorbar import Colorbar
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter

from othello_lab.experiment.compare.ratings import RATED, Numbers, Ratings
from othello_lab.experiment.compare.tournament.meetings import meetings
from othello_lab.experiment.compare.tournament.results import Results, zero
from othello_lab.experiment.show.charts import GREYS, look
from othello_lab.experiment.show.plots import (
    EDGE,
    SUFFIXES,
    Lane,
    draw_lanes,
    entitle,
    entitle_figure,
    height_of,
    lines_of,
    save_both,
    small_lines,
    title_height,
    title_width,
    width_of,
)
from othello_lab.experiment.show.wording import plural, share, wrapped
from othello_lab.experiment.study.statistics.intervals import Estimate
from othello_lab.game.drawing import BLACK, WHITE
from rlglue.messages import truncate_middle

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


class HeatMap(NamedTuple):
    """One heat map of a picture."""

    numbers: Numbers
    """[P, P]; what is not a number is left grey."""
    framed: Collection[tuple[int, int]] = ()
    """Rows and columns of squares to point out."""
    heading: str = ""


def heat_maps(
    names: Sequence[str], matrices: Sequence[HeatMap], scale: Scale, title: str, says: str
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
    names: Sequence[str], matrices: Sequence[HeatMap], scale: Scale, title: str, says: str, width: float
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


def _draw(axes: Axes, matrix: HeatMap, scale: Scale, size: float) -> AxesImage:
    """Draw a matrix with its figures, `size` points high, where these can be read."""
    numbers = matrix.numbers
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


_WIDTH = 9.0
"""Inches."""
_LONGEST_ZERO = 60
"""Letters that say what the ratings are relative to."""
_BLUE = "blue: the row was ahead, red: the column"
_SCORE = Scale(0.5, 0.5, share, "score of the row: wins and half the draws, a share of the games")
Draw = Callable[[Sequence[str], Sequence[HeatMap], Scale, str, str], Figure]


def figures(results: Results, ratings: Ratings | None, width: float | None = None) -> dict[str, Figure]:
    """Return the pictures by their names, of players in the order of their ratings.

    With `width`, in inches, they are as wide, for a phone, and players in heat maps have their numbers alone.
    """
    draw = heat_maps if width is None else partial(narrow_heat_maps, width=width)
    drawn = {
        "scores": _scores(draw, results, ratings),
        "final_scores": _final_scores(draw, results),
        "colours": _colours(draw, results),
    }
    return drawn if ratings is None else {**drawn, "ratings": _ratings(results, ratings, width or _WIDTH)}


def write(drawn: Mapping[str, Figure], folder: Path) -> list[Path]:
    """Write pictures into a folder, each as PNG and SVG, and return their paths; raises OSError."""
    for name, figure in drawn.items():
        save_both(figure, folder / f"{name}.png")
    return [folder / f"{name}{suffix}" for name in drawn for suffix in SUFFIXES]


def _scores(draw: Draw, results: Results, ratings: Ratings | None) -> Figure:
    met = meetings(results, ratings)
    upsets = [(meeting.second, meeting.first) for meeting in met if meeting.is_upset and meeting.is_clear]
    framed = (
        "framed: the lower-rated was ahead, beyond doubt (95 %)"
        if upsets
        else "no lower-rated one was ahead beyond doubt (95 %)"
    )
    title = "Who beats whom: the score of each row against each column"
    says = f"{_games(results)}; {_BLUE}, white: even; {framed}"
    return draw(results.names, [HeatMap(results.scores().fair, upsets)], _SCORE, title, says)


def _final_scores(draw: Draw, results: Results) -> Figure:
    numbers = results.final_scores().fair
    title = "By how much: the mean final score of each row against each column"
    says = (
        f"{_games(results)}; {_BLUE}; final score: own discs minus the other's, empty squares to the winner"
    )
    reach = float(np.nanmax(np.abs(numbers), initial=1))
    scale = Scale(0.0, reach, "{:+.0f}".format, "mean final score of the row, in discs")
    return draw(results.names, [HeatMap(numbers)], scale, title, says)


def _colours(draw: Draw, results: Results) -> Figure:
    scores = results.scores()
    matrices = [
        HeatMap(scores.as_black, heading="the row is black"),
        HeatMap(scores.as_white, heading="the row is white"),
    ]
    title = "With each colour: the score of each row against each column"
    return draw(results.names, matrices, _SCORE, title, f"{_games(results)}; {_BLUE}")


def _ratings(results: Results, ratings: Ratings, width: float) -> Figure:
    lanes = [_lane(name, place, ratings.of(place)) for place, name in enumerate(results.names)]
    figure = Figure(figsize=(width, height_of(lanes) + 0.2), layout="constrained")
    axes = figure.subplots()
    draw_lanes(axes, lanes)
    axes.margins(x=0.1)
    axes.set_xlabel("rating in points of Elo's scale:\n400 points are odds of 10 to 1")
    meant = truncate_middle(zero(results, ratings), _LONGEST_ZERO)
    entitle(axes, "Ratings", f"{_games(results)}; {meant}; good: right; lines: {RATED}")
    return figure


def _lane(name: str, place: int, found: Estimate) -> Lane:
    said = f"{found.value:+.0f} ± {found.reach:.0f}"
    return Lane(f"{place + 1}  {name}", said, found.value, found.interval, look(0))


def _games(results: Results) -> str:
    """Return what it was played in."""
    openings = plural(len(set(results.openings.tolist())), "opening")
    return f"{len(results.points):,} games from {openings}, both colours"
