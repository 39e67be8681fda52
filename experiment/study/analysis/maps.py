"""Heat maps of boards: how often each square can be played, and how often it is played."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, Normalize, PowerNorm
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.ticker import PercentFormatter

from othello_lab.experiment.show.charts import HeatMap, HeatMaps
from othello_lab.experiment.show.plots import entitle, footnote, headline
from othello_lab.experiment.show.tables import Table
from othello_lab.experiment.study.analysis.analysis import Analysis, shown_turns
from othello_lab.experiment.study.analysis.games import BOTH, COLOURS
from othello_lab.experiment.study.statistics.intervals import WILSON, wilson
from othello_lab.game.drawing import ink, value_colour

_MAPS: Final = 12
"""Approximate maximum number of maps by turn."""
_EXAMPLE: Final = 0.1
"""The share for which a footnote states the precision."""
_WORTH: Final = ListedColormap([value_colour(step / 255) for step in range(256)])
_LETTERS: Final = 12
"""Height of the column letters above a board, in points."""
_WHOLE: Final = 0.1
"""If the largest share is at least this, percentages have no decimals."""
_WRITTEN: Final = 8
"""Up to this board size, numbers are written on the squares."""


def squares_figure(analysis: Analysis, player: str | None) -> Figure:
    """Return a figure of two rows of three maps: squares that could be played, squares that were played."""
    groups = []
    for kind, phrase in (("possible", "could be played"), ("played", "was played")):
        maps = []
        for label, table in _compared(analysis, player, "squares"):
            reach = 100 * float((table.numbers(f"{kind}_high") - table.numbers(kind)).max())
            decisions = f"{table.numbers('decisions')[0]:,.0f} decisions"
            says = f"percent of {decisions} in which it {phrase}; ± {reach:.1f} at most"
            maps.append(HeatMap(label, table.numbers(kind).reshape(analysis.size, -1), says))
        groups.append(HeatMaps(maps, f"decisions in which a square {phrase}"))
    return figure_of_maps(f"Squares: {analysis.title}", groups, 3, (13.5, 4.3), analysis.intervals)


def _compared(analysis: Analysis, player: str | None, name: str) -> list[tuple[str, Table]]:
    """Return three parts of the table `name`, with labels: player as black, random play, player as white.

    If `player` is None, the outer parts are black and white. If the analysis has no random play, the middle
    part is both sides.
    """
    table, base = analysis.tables[name], analysis.tables.get(f"{name}_random")
    black, white = (f"{player} as {colour}" if player else colour for colour in COLOURS)
    middle = ("random play", base.where(side=BOTH)) if base else ("both sides", table.where(side=BOTH))
    return [(black, table.where(side=black)), middle, (white, table.where(side=white))]


def maps_of_own_turns(analysis: Analysis, player: str | None) -> dict[int, HeatMaps]:
    """Return three maps of the playable squares for each own turn, by the number of the own turn from 0.

    Own turn n is black's turn 2n and white's turn 2n + 1. The middle map is for both of these turns.
    """
    black, middle, white = _compared(analysis, player, "squares_by_turn")
    # After a pass, a side moves at turns of the other parity. These turns are left out.
    blacks, whites = ({*table.distinct("turn")} for _, table in (black, white))
    return {
        turn // 2: HeatMaps(
            [
                _map_at_turns(*black, [turn], analysis.size),
                _map_at_turns(*middle, [turn, turn + 1], analysis.size),
                _map_at_turns(*white, [turn + 1], analysis.size),
            ],
            "decisions in which a square could be played",
        )
        for turn in sorted(blacks)
        if turn % 2 == 0 and turn + 1 in whites
    }


def _map_at_turns(label: str, table: Table, turns: Sequence[int], size: int) -> HeatMap:
    """Return a map of the squares that a side could play, at several turns added up."""
    place = table.place("turn")
    rows = table.only(lambda row: row[place] in turns)
    decisions = rows.numbers("decisions").reshape(-1, size * size)
    possible = (rows.numbers("possible").reshape(-1, size * size) * decisions).sum(axis=0)
    number = int(decisions[:, 0].sum())
    shares = possible / max(1, number)
    reach = 100 * max(wilson(share, number).reach(share) for share in shares.tolist())
    says = f"percent of {number:,} decisions at turn {' and '.join(map(str, turns))}; ± {reach:.1f} at most"
    return HeatMap(label, shares.reshape(size, size), says)


def squares_by_turn_figure(analysis: Analysis) -> Figure:
    """Return a figure of maps of the playable squares at selected turns."""
    table = analysis.tables["squares_by_turn"].where(side=BOTH)
    maps = [
        HeatMap(f"turn {turn}", table.where(turn=turn).numbers("possible").reshape(analysis.size, -1))
        for turn in shown_turns(table.distinct("turn"), _MAPS)
    ]
    fewest = int(table.numbers("decisions").min())
    reach, share = 100 * wilson(_EXAMPLE, fewest).reach(_EXAMPLE), f"{100 * _EXAMPLE:.0f} %"
    foot = f"{fewest:,} decisions a turn at least: a share of {share} is ± {reach:.1f} ({WILSON})"
    # Square root: without it, the high shares of the first turn would make all other maps dark.
    group = HeatMaps(maps, "decisions in which a square could be played", square_root=True)
    return figure_of_maps(f"Where a move is possible: {analysis.title}", [group], 6, (15.0, 2.9), foot)


def figure_of_maps(
    title: str, groups: Sequence[HeatMaps], columns: int, size: tuple[float, float], foot: str
) -> Figure:
    """Return a figure of heat maps, row by row. Each group begins a new row and has its own scale.

    `size` is the width of the figure and the height of a row, in inches.
    """
    rows = [-(-len(group.maps) // columns) for group in groups]
    figure = Figure(figsize=(size[0], size[1] * sum(rows) + 0.5))
    figure.set_layout_engine("constrained", h_pad=0.12, w_pad=0.1)
    headline(figure, title)
    footnote(figure, foot)
    places = figure.subplots(sum(rows), columns, squeeze=False)
    for group, of_group in zip(groups, np.split(places, np.cumsum(rows)[:-1]), strict=True):
        axes = of_group.flatten().tolist()
        most = max(float(each.values.max()) for each in group.maps)
        scale = PowerNorm(0.5, 0.0, most) if group.square_root else Normalize(0.0, most)
        images = [_draw_map(*both, scale) for both in zip(axes, group.maps, strict=False)]
        for unused in axes[len(group.maps) :]:
            unused.axis("off")
        percent = PercentFormatter(1.0)
        figure.colorbar(images[0], ax=axes, label=group.label, format=percent, shrink=0.9, pad=0.015)
    return figure


def _draw_map(axes: Axes, board: HeatMap, scale: Normalize) -> AxesImage:
    """Draw the heat map of a board, a1 at the top left; a map with an explanation also has numbers."""
    values, size = board.values, len(board.values)
    image = axes.imshow(values, cmap=_WORTH, norm=scale)
    decimals = 0 if values.max() >= _WHOLE else 1
    axes.set_xticks(range(size), [chr(ord("a") + column) for column in range(size)])
    axes.set_yticks(range(size), [str(row + 1) for row in range(size)])
    axes.tick_params(length=0, labelsize=7, top=False, bottom=False, labeltop=True, labelbottom=False)
    for (row, column), value in np.ndenumerate(values) if board.says and size <= _WRITTEN else ():
        text, colour = f"{100 * value:.{decimals}f}", ink(value_colour(float(scale(value))))
        axes.text(column, row, text, ha="center", va="center", fontsize=7, color=colour)
    if board.says:
        entitle(axes, board.title, board.says, _LETTERS)
    else:
        axes.set_title(board.title, fontsize=10)
    return image
