"""All pictures of an analysis, as files, and its heat maps of boards."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, Normalize, PowerNorm
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.ticker import PercentFormatter

from othello_lab.experiment.show.board_pictures import draw_game
from othello_lab.experiment.show.charts import Chart, HeatMap, HeatMaps
from othello_lab.experiment.show.plots import entitle, figure_of, footnote, headline, save_both
from othello_lab.experiment.study.analysis import corners, delays, moves, results, squares, symmetry
from othello_lab.experiment.study.analysis.findings import Analysis, players_in
from othello_lab.experiment.study.analysis.games import Games
from othello_lab.experiment.study.statistics.intervals import WILSON
from othello_lab.game.drawing import ink, value_colour

_WORTH = ListedColormap([value_colour(step / 255) for step in range(256)])
_LETTERS = 12
"""Points that the letters of the columns take."""
_WHOLE = 0.1
"""From this share on percent have no decimals."""
_WRITTEN = 8
"""On boards up to this size each square has its number."""


def figures(analysis: Analysis, turn: int) -> Iterator[tuple[str, Callable[[], Figure]]]:
    """Yield the name of each picture and what draws it; histograms and some of the squares are of a turn."""
    of = partial(_figure, analysis)
    yield "moves", lambda: of("Legal moves", moves.choices_charts(analysis, turn), 3, 15.5)
    players: list[str | None] = [*players_in(analysis.tables["squares"])] or [None]
    for name, player in zip(("squares", "squares-second"), players, strict=False):
        yield name, partial(_squares, analysis, player)
        if maps := squares.maps_of_own_turns(analysis, player):
            nearest = min(maps, key=lambda own: abs(own - turn // 2))
            yield f"{name}-at-turn", partial(_squares_at_turn, analysis, maps[nearest])
    yield "squares-by-turn", partial(_squares_by_turn, analysis)
    yield "flow", lambda: of("How games go on", moves.flow_charts(analysis))
    if analysis.tables["results"].rows:
        yield "results", lambda: of("Results", results.results_charts(analysis, turn))
    yield "corners", lambda: of("Corners", corners.corners_charts(analysis))
    yield "captures", partial(chances, analysis)
    if "symmetry" in analysis.tables:
        yield "symmetry", partial(_symmetry, analysis)


def _figure(
    analysis: Analysis,
    what: str,
    charts: Sequence[Chart],
    columns: int = 2,
    width: float = 12.0,
    foot: str = "",
) -> Figure:
    """Return a picture of charts; `width` is of all of it, inches, `foot` what the intervals are."""
    size = width / columns, 4.2
    return figure_of(f"{what}: {analysis.title}", charts, columns, size, foot or analysis.intervals)


def chances(analysis: Analysis) -> Figure:
    """Return how soon squares were taken and what became of chances; it needs two of the tables alone."""
    return _figure(analysis, "Chances", delays.captures_charts(analysis))


def _squares(analysis: Analysis, player: str | None) -> Figure:
    maps = squares.compared_maps(analysis, player)
    return figure_of_maps(f"Squares: {analysis.title}", maps, 3, (13.5, 4.3), analysis.intervals)


def _squares_at_turn(analysis: Analysis, maps: HeatMaps) -> Figure:
    title = f"Where a move is possible at an own turn: {analysis.title}"
    return figure_of_maps(title, [maps], 3, (13.5, 4.3), WILSON)


def _squares_by_turn(analysis: Analysis) -> Figure:
    title, maps = f"Where a move is possible: {analysis.title}", squares.maps_by_turn(analysis)
    return figure_of_maps(title, [maps], 6, (15.0, 2.9), squares.spread(analysis))


def _symmetry(analysis: Analysis) -> Figure:
    charts = symmetry.symmetry_charts(analysis)
    columns = len(charts) // 2
    return _figure(analysis, "Symmetry", charts, columns, 3.5 + 4 * columns, symmetry.INTERVALS)


def draw_games(games: Games, count: int, folder: Path) -> None:
    """Draw some games, evenly spread over all, each as a grid with the moves marked; raises OSError."""
    for number in np.unique(np.linspace(0, len(games) - 1, count).astype(int)).tolist():
        figure = draw_game(games.game(number), f"Game {number + 1:,} of {len(games):,}{_who(games, number)}")
        save_both(figure, folder / f"game-{number + 1}.png")


def _who(games: Games, number: int) -> str:
    if games.first_is_black is None:
        return ""
    black, white = games.players if games.first_is_black[number] else games.players[::-1]
    return f": {black} is black, {white} white"


def draw(analysis: Analysis, folder: Path, turn: int | None = None) -> list[Path]:
    """Draw all pictures into a folder, which may have to be made, and return their files; raises OSError."""
    written = list[Path]()
    middle = (analysis.size**2 - 4) // 2
    for name, make in figures(analysis, middle if turn is None else turn):
        figure = make()
        figure.draw_without_rendering()  # the layout is found once, for both files
        figure.set_layout_engine("none")
        written.append(save_both(figure, folder / f"{name}.png"))
    return written


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
        text, colour = f"{100 * value:.{decimals}f}", ink(value_colour(float(scale(value))))
        axes.text(column, row, text, ha="center", va="center", fontsize=7, color=colour)
    if shown.says:
        entitle(axes, shown.title, shown.says, _LETTERS)
    else:
        axes.set_title(shown.title, fontsize=10)
    return image
