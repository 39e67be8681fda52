"""Heat maps: where moves are possible and where they are made."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, Normalize, PowerNorm
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from experiment.show.tables import Table
from experiment.show.titles import entitle, footnote, headline
from experiment.study.analysis.findings import Analysis, shown_turns
from experiment.study.analysis.games import BOTH, COLOURS
from experiment.study.statistics.intervals import WILSON, wilson
from game.colours import ink, worth

_WORTH = ListedColormap([worth(step / 255) for step in range(256)])
_TURNS = 12
_LETTERS = 12
"""Points that the letters of the columns take."""
_EXAMPLE = 0.1
_WHOLE = 0.1
"""From this share on percent have no decimals."""
_WRITTEN = 8
"""On boards up to this size each square has its number."""


def figure(analysis: Analysis) -> Figure:
    """Return where a move is possible, turn by turn, on one scale."""
    table = analysis.tables["squares_by_turn"].where(side=BOTH)
    turns = shown_turns(table.distinct("turn"), _TURNS)
    drawn, places = _figure("Where a move is possible", analysis, -(-len(turns) // 6), 6, 15.0, 2.9)
    maps = [shares(table.where(turn=turn), "possible", analysis.size) for turn in turns]
    # By the square root: else the few squares of the first turn would leave all others dark.
    scale = PowerNorm(0.5, 0.0, max(float(each.max()) for each in maps))
    for axes, turn, each in zip(places, turns, maps, strict=False):
        image = heat_map(axes, each, scale, written=False)
        axes.set_title(f"turn {turn}", fontsize=10)
    for axes in places[len(turns) :]:
        axes.axis("off")
    _bar(drawn, image, places, "decisions in which a square could be played")
    footnote(drawn, _spread(table))
    return drawn


def _figure(
    what: str, analysis: Analysis, rows: int, columns: int, width: float, height: float
) -> tuple[Figure, list[Axes]]:
    """Return a figure with a title, what its intervals are, and its axes; `height` is of a row, inches."""
    figure = Figure(figsize=(width, height * rows + 0.5))
    figure.set_layout_engine("constrained", h_pad=0.12, w_pad=0.1)
    headline(figure, f"{what}: {analysis.title}")
    footnote(figure, analysis.intervals)
    return figure, figure.subplots(rows, columns, squeeze=False).flatten().tolist()


def _spread(table: Table) -> str:
    """Say how far the shares of a turn can be trusted."""
    fewest = int(table.numbers("decisions").min())
    reach = 100 * wilson(_EXAMPLE, fewest).reach(_EXAMPLE)
    return (
        f"{fewest:,} decisions a turn at least: a share of {100 * _EXAMPLE:.0f} % is ± {reach:.1f} ({WILSON})"
    )


def _bar(drawn: Figure, image: AxesImage, places: list[Axes], label: str) -> None:
    drawn.colorbar(image, ax=places, label=label, format=PercentFormatter(1.0), shrink=0.9, pad=0.015)


def shares(table: Table, column: str, size: int) -> NDArray[np.float64]:
    """Return a column of all squares as a board, float64 [size, size]."""
    return table.numbers(column).reshape(size, size)


def heat_map(axes: Axes, values: NDArray[np.float64], scale: Normalize, written: bool) -> AxesImage:
    """Draw shares of the squares of a board, a1 top left, in percent where they are to be written."""
    size = len(values)
    image = axes.imshow(values, cmap=_WORTH, norm=scale)
    decimals = 0 if values.max() >= _WHOLE else 1
    axes.set_xticks(range(size), [chr(ord("a") + column) for column in range(size)])
    axes.set_yticks(range(size), [str(row + 1) for row in range(size)])
    axes.tick_params(length=0, labelsize=7, top=False, bottom=False, labeltop=True, labelbottom=False)
    for (row, column), value in np.ndenumerate(values) if written and size <= _WRITTEN else ():
        colour = ink(worth(float(scale(value))))
        axes.text(
            column, row, f"{100 * value:.{decimals}f}", ha="center", va="center", fontsize=7, color=colour
        )
    return image


def compared(analysis: Analysis, player: str | None) -> Figure:
    """Return a player as black, random play and the player as white side by side, on one scale a row; without
    a player black, both or random play, and white.
    """
    columns = _columns(analysis.tables["squares"], analysis.tables.get("squares_random"), player)
    drawn, places = _figure("Squares", analysis, 2, len(columns), 13.5, 4.3)
    kinds = ("possible", "could be played"), ("played", "was played")
    for row, (kind, words) in enumerate(kinds):
        axes_of_row = places[row * len(columns) : (row + 1) * len(columns)]
        tables = [table.where(side=side) for _, table, side in columns]
        maps = [shares(table, kind, analysis.size) for table in tables]
        scale = Normalize(0.0, max(float(each.max()) for each in maps))
        for axes, (label, _, _), table, each in zip(axes_of_row, columns, tables, maps, strict=True):
            image = heat_map(axes, each, scale, written=True)
            reach = 100 * float((table.numbers(f"{kind}_high") - table.numbers(kind)).max())
            number = f"{table.numbers('decisions')[0]:,.0f} decisions"
            says = f"percent of {number} in which it {words}; ± {reach:.1f} at most"
            entitle(axes, label, says, _LETTERS)
        _bar(drawn, image, axes_of_row, f"decisions in which a square {words}")
    return drawn


def _columns(own: Table, base: Table | None, player: str | None) -> list[tuple[str, Table, str]]:
    """Return the label, table and side of each map of a row."""
    black, white = (f"{player} as {colour}" if player else colour for colour in COLOURS)
    middle = ("both sides", own, BOTH) if base is None else ("random play", base, BOTH)
    return [(black, own, black), middle, (white, own, white)]
