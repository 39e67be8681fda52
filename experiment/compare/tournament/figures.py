"""Plot the scores, disc differences and ratings of a tournament."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter

from othello_lab.experiment.compare.ratings import RATED, Numbers, Ratings
from othello_lab.experiment.compare.tournament.results import Results, meetings
from othello_lab.experiment.show.charts import Chart, Series, look
from othello_lab.experiment.show.plots import figure_of, footnote, headline, height_of, lines_of, save_both
from othello_lab.experiment.show.wording import plural, share, wrapped
from othello_lab.game.drawing import BLACK, WHITE

COLOURS = "RdBu"  # Blue if the row's player is ahead, red if the column's player is ahead.
_LABEL_SIZE, _FIGURE_SIZE = 8.5, 7.5  # points: names, numbers
_SQUARE, _LEAST = 0.43, 2.6  # inches: the side of a square, and the minimum side of a matrix
_BESIDE, _ABOVE = 1.2, 1.6  # inches: the width of the colour bar, and the height of all texts
_LETTER = 0.07  # inches: the average width of a character in a name
_PALE = 0.62  # the share of the scale's reach above which numbers are white
_UNKNOWN = "#dddddd"  # the colour of a cell without a number
_WIDTH = 9.0  # inches: the width of the ratings figure


class Scale(NamedTuple):
    """A colour scale."""

    even: float
    reach: float  # The distance from `even` to each end of the scale.
    write: Callable[[float], str]
    label: str


class HeatMap(NamedTuple):
    """The cells of a heat map."""

    numbers: Numbers  # The values, [P, P]. A nan is drawn in grey.
    framed: Collection[tuple[int, int]] = ()  # The (row, column) of each highlighted cell.
    heading: str = ""


def heat_maps(names: Sequence[str], maps: Sequence[HeatMap], scale: Scale, title: str, says: str) -> Figure:
    """Return a figure of heat maps side by side, with a common scale. `says` is the footnote."""
    numbers = [f"{place}" for place in range(1, len(names) + 1)]
    rows = [f"{wrapped(name, most=2)}  {place}" for place, name in enumerate(names, 1)]
    side = max(_LEAST, _SQUARE * len(names))
    longest = max(len(line) for row in rows for line in row.split("\n"))
    width = _LETTER * longest + side * len(maps) + _BESIDE
    figure = Figure(figsize=(width, side + _ABOVE), layout="compressed")
    headline(figure, title)
    footnote(figure, says)
    places = figure.subplots(1, len(maps), squeeze=False).flatten().tolist()
    for axes, each in zip(places, maps, strict=True):
        image = _draw(axes, each, scale)
        axes.set_xticks(range(len(names)), numbers, fontsize=_LABEL_SIZE)
        axes.set_yticks(range(len(names)), rows if axes is places[0] else numbers)
        axes.tick_params(length=0, labelsize=_LABEL_SIZE)
        for label in axes.get_yticklabels():
            label.set_parse_math(False)
        axes.set_xlabel("against player number")
    places[0].set_ylabel("player, the best rating first")
    bar = figure.colorbar(
        image, ax=places, shrink=0.75, format=FuncFormatter(lambda value, _: scale.write(value))
    )
    bar.set_label(lines_of(scale.label, _LABEL_SIZE, 0.75 * side), fontsize=_LABEL_SIZE)
    bar.ax.tick_params(labelsize=8)
    return figure


def _draw(axes: Axes, matrix: HeatMap, scale: Scale) -> AxesImage:
    """Draw a heat map with a number in each cell."""
    low, high = scale.even - scale.reach, scale.even + scale.reach
    image = axes.imshow(matrix.numbers, cmap=COLOURS, vmin=low, vmax=high)
    axes.set_facecolor(_UNKNOWN)
    axes.set_title(matrix.heading, loc="left", fontsize=_LABEL_SIZE)
    for (row, column), value in np.ndenumerate(matrix.numbers):
        if not np.isnan(value):
            colour = WHITE if abs(value - scale.even) > _PALE * scale.reach else BLACK
            text = scale.write(float(value))
            axes.text(column, row, text, ha="center", va="center", fontsize=_FIGURE_SIZE, color=colour)
    for row, column in matrix.framed:
        axes.add_patch(Rectangle((column - 0.46, row - 0.46), 0.92, 0.92, fill=False, lw=2.0, ec=BLACK))
    return image


def figures(results: Results, ratings: Ratings | None) -> dict[str, Figure]:
    """Return the figures of a tournament, by name."""
    openings = plural(len(set(results.openings.tolist())), "opening")
    games = f"{len(results.points):,} games from {openings}, both colours"
    blue = f"{games}; blue: the row was ahead, red: the column"
    upsets = [(it.second, it.first) for it in meetings(results, ratings) if it.is_upset and it.is_clear]
    framed = "framed: the lower-rated was ahead, beyond doubt (95 %)"
    if not upsets:
        framed = "no lower-rated one was ahead beyond doubt (95 %)"
    scores, finals = results.scores(), results.final_scores().fair
    score = Scale(0.5, 0.5, share, "score of the row: wins and half the draws, a share of the games")
    reach = float(np.nanmax(np.abs(finals), initial=1))
    discs = Scale(0.0, reach, "{:+.0f}".format, "mean final score of the row, in discs")
    by_colour = [
        HeatMap(scores.as_black, heading="the row is black"),
        HeatMap(scores.as_white, heading="the row is white"),
    ]
    who = "Who beats whom: the score of each row against each column"
    by_how_much = "By how much: the mean final score of each row against each column"
    with_colour = "With each colour: the score of each row against each column"
    final = "final score: own discs minus the other's, empty squares to the winner"
    heat = {
        "scores": ([HeatMap(scores.fair, upsets)], score, who, f"{blue}, white: even; {framed}"),
        "final_scores": ([HeatMap(finals)], discs, by_how_much, f"{blue}; {final}"),
        "colours": (by_colour, score, with_colour, blue),
    }
    drawn = {name: heat_maps(results.names, *parts) for name, parts in heat.items()}
    return drawn if ratings is None else {**drawn, "ratings": _ratings(results, ratings, games)}


def write(drawn: Mapping[str, Figure], folder: Path) -> None:
    """Write each figure to `folder` as PNG and SVG. Raises OSError."""
    for name, figure in drawn.items():
        save_both(figure, folder / f"{name}.png")


def _ratings(results: Results, ratings: Ratings, games: str) -> Figure:
    names, series = list[str](), list[Series]()
    for place, name in enumerate(results.names):
        value, (low, high) = rating = ratings.of(place)
        names.append(wrapped(f"{place + 1}  {name}: {value:+.0f} ± {rating.reach:.0f}"))
        series.append(Series("", [place], [value], look(0), [low], [high], "points"))
    says = f"{games}; the mean rating is 0; good: right; lines: {RATED}"
    points = "rating in points of Elo's scale: 400 points are odds of 10 to 1"
    chart = Chart("", says, "", points, series, names=names, horizontal=True)
    return figure_of("Ratings", [chart], 1, (_WIDTH, height_of(names)))
