"""Draw the pictures of an analysis: charts of its tables, and heat maps of boards."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import isqrt
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, PowerNorm
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from othello_lab.experiment.show.charts import SOFT, Chart, Look, Series, look, of_training
from othello_lab.experiment.show.plots import figure_of, footnote, headline, save_both
from othello_lab.experiment.show.record_tables import differences_chart
from othello_lab.experiment.show.tables import Table
from othello_lab.experiment.study.analysis.analysis import Analysis, shown_turns
from othello_lab.experiment.study.analysis.counts import DRAWN, KINDS, LOST, SIDES, WON
from othello_lab.experiment.study.analysis.games import AT_START, BOTH, COLOURS
from othello_lab.experiment.study.analysis.symmetry import ALL
from othello_lab.experiment.study.statistics.intervals import WILSON, wilson
from othello_lab.game.drawing import ink, value_colour
from othello_lab.game.notation import square_name

TURNS: Final = "turn: discs placed before"
_FEWEST: Final = 0.05  # minimum number of decisions for a turn in a curve, as a share of the side's maximum
_BLACK, _WHITE = Look("training-0", "o", "-"), Look("training-1", "o", "--", hollow=True)
_BARS = 65  # approximate maximum number of bars for disc differences
_LONGEST_DELAY = 16
_LOWEST = -1.0  # minimum of the lower axis limit of R² in the charts by turn
_MEASURES = {
    "r2": ("R² of the values", "of moves and of their images under a symmetry", "R²"),
    "within": ("R² within positions", "each board's mean taken off: the part that chooses", "R²"),
    "agrees": ("Same best move", "share of the positions", "share"),
}
_OVER_POSITIONS = (
    "95 % intervals over positions, each with its seven images: Student's t of a ratio for R², Wilson's"
)


def draw(analysis: Analysis, folder: Path, turn: int | None = None) -> None:
    """Draw all pictures into a folder, and create the folder if necessary. Raises OSError."""
    middle = (analysis.size**2 - AT_START) // 2
    for name, make in figures(analysis, middle if turn is None else turn):
        save_both(make(), folder / f"{name}.png")


def figures(analysis: Analysis, turn: int) -> Iterator[tuple[str, Callable[[], Figure]]]:
    """Yield the name of each picture and a function that draws it. Some charts show only `turn`."""
    of = partial(_figure, analysis)
    yield "moves", lambda: of("Legal moves", _moves_charts(analysis, turn), 3, 15.5)
    for name, player in zip(("squares", "squares-second"), analysis.players or [""], strict=False):
        yield name, partial(squares_figure, analysis, player)
        yield f"{name}-by-turn", partial(squares_by_turn_figure, analysis, player)
    yield "flow", lambda: of("How games go on", _flow_charts(analysis))
    if analysis.tables["results"].rows:
        yield "results", lambda: of("Results", _results_charts(analysis, turn))
    yield "corners", lambda: of("Corners", _corners_charts(analysis))
    yield "captures", lambda: of("Chances", _chances_charts(analysis))
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
    """Return a figure of charts, `width` inches wide. `foot` explains the intervals."""
    size = width / columns, 4.2
    return figure_of(f"{what}: {analysis.title}", charts, columns, size, foot or analysis.intervals)


def _chances_charts(analysis: Analysis) -> list[Chart]:
    sides = analysis.players or [BOTH]
    tables = [[analysis.tables[name].where(side=side) for name in ("delays", "captures")] for side in sides]
    return [_delays_chart(side, *both) for side, both in zip(sides, tables, strict=True)]


def _label(side: str) -> str:
    return "both sides" if side == BOTH else side


def _look(side: str, place: int = 0) -> Look:
    if side == BOTH:
        return look(0)
    if side in COLOURS:
        return _BLACK if side == COLOURS[0] else _WHITE
    return look(1 + place)


def _sides(analysis: Analysis, name: str) -> Iterator[tuple[int, str, Table]]:
    """Yield the index, the name and the rows of each player, or of each colour if there are no players."""
    for place, side in enumerate(analysis.players or COLOURS):
        yield place, side, analysis.tables[name].where(side=side)


def _often(table: Table) -> Table:
    """Return the rows of the turns with at least _FEWEST of the maximum number of decisions."""
    counts, place = table.numbers("decisions"), table.place("decisions")
    return table.only(lambda row: row[place] >= _FEWEST * max(counts, default=0))


def _curve(
    table: Table, value: str, side: str, place: int = 0, ends: Iterable[str] = ("low", "high")
) -> Series:
    """Return the column `value` by turn as a curve, with a band between the columns `ends`."""
    low, high = (table.numbers(end) for end in ends)
    return Series(_label(side), table.numbers("turn"), table.numbers(value), _look(side, place), low, high)


def _histogram(table: Table, values: str, counts: str, side: str, place: int = 0) -> Series:
    """Return bars at the column `values`, with the column `counts` normalized to sum 1 as heights."""
    number = table.numbers(counts)
    shares = number / max(1.0, number.sum())
    return Series(_label(side), table.numbers(values), shares, _look(side, place), kind="bars")


def _moves_charts(analysis: Analysis, turn: int) -> list[Chart]:
    moves = list[Series]()
    for place, side, table in _sides(analysis, "moves"):
        mean = _curve(_often(table), "mean", side, place)
        band = _curve(_often(table), "mean", side, place, ("p5", "p95"))
        moves += [band, replace(mean, label="", look=Look(mean.look.shade, "", ""), kind="points")]
    table, histogram = analysis.tables["moves_histogram"], list[Series]()
    for place, side in enumerate(analysis.players or [BOTH]):
        rows = table.where(side=side, turn=turn)
        bars = _histogram(rows, "moves", "decisions", side, place)
        decisions = f"{rows.numbers('decisions').sum():,.0f} decisions"
        histogram.append(replace(bars, label=f"{bars.label}: {decisions}"))
    tree = [_curve(analysis.tables["tree"].where(side=side), "log10", side) for side in SIDES]
    means = "mean of each side's own turns; bars: its 95 % interval; band: from 5 % to 95 % of the decisions"
    of_turn = f"share of the decisions after {turn} placed discs"
    product = (
        "product of the mean numbers of moves from a turn on, and each side's part; bands: 95 % interval"
    )
    return [
        Chart("Legal moves by turn", means, TURNS, "legal moves", moves, low=0),
        Chart(f"Legal moves at turn {turn}", of_turn, "legal moves", "decisions", histogram, percent=True),
        Chart("The tree of games that remains", product, TURNS, "games, log10", tree, low=0),
    ]


def _flow_charts(analysis: Analysis) -> list[Chart]:
    skipped = [_curve(rows, "share", side, place) for place, side, rows in _sides(analysis, "passes")]
    table = analysis.tables["flow"]
    turns, games = table.numbers("turn"), of_training(1)._replace(marker="")
    boards = [
        Series("games that came to the turn", turns, table.numbers("games"), games),
        Series("different boards", turns, table.numbers("boards"), look(0)),
    ]
    says = "share of the games that came to a turn in which a side had to pass there; bands: 95 % interval"
    alike = (
        "positions, side to move included; where both lines meet no two games are on the same board any more"
    )
    return [
        Chart("Skipped turns", says, TURNS, "games", skipped, low=0, percent=True),
        Chart("Different boards", alike, TURNS, "number", boards, logarithmic=True),
    ]


def _results_charts(analysis: Analysis, turn: int) -> list[Chart]:
    curves = [
        _curve(rows, "mean", side, place, ("p5", "p95")) for place, side, rows in _sides(analysis, "points")
    ]
    discs = [
        _histogram(rows.where(turn=turn), "discs", "games", side, place)
        for place, side, rows in _sides(analysis, "points_histogram")
    ]
    scores = analysis.tables["scores"]
    differences, games = scores.numbers("difference"), scores.numbers("games")
    mean = "mean of the games that came to a turn; band: 5 % to 95 % of them"
    of_turn = f"share of the games in which a side has this many of the {turn + AT_START} discs"
    return [
        differences_chart(differences, games, analysis.size**2, _BARS),
        _results_chart(analysis),
        Chart("Discs by turn", mean, TURNS, "discs of a side", curves, low=0),
        Chart(f"Discs at turn {turn}", of_turn, "discs of a side", "games", discs, percent=True),
    ]


def _results_chart(analysis: Analysis) -> Chart:
    table = analysis.tables["results"]
    sides = ["black", *analysis.players[:1]]  # the second player has the opposite results
    names = WON, DRAWN, LOST
    series = list[Series]()
    for place, side in enumerate(sides):
        rows = [table.where(side=side, result=result) for result in names]
        share, low, high = ([row.numbers(key)[0] for row in rows] for key in ("share", "low", "high"))
        texts = [f"{100 * y:.1f} %" for y in share]
        bars = _label(side), range(3), share, _look(side, place - 1), low, high
        series.append(Series(*bars, kind="bars", texts=texts))
    says = "share of the games that a side won, drew and lost; bars: 95 % interval"
    top = min(1.1, 1.15 * max(max(bars.high) for bars in series))
    return Chart("Results", says, "", "games", series, low=0, high=top, percent=True, names=names)


def _corners_charts(analysis: Analysis) -> list[Chart]:
    curves = [
        _curve(_often(rows), "share", side, place) for place, side, rows in _sides(analysis, "corner_chances")
    ]
    table, owned = analysis.tables["corners_owned"], list[Series]()
    for place, name in enumerate(analysis.players or COLOURS):
        row = table.where(owner=name)
        shares = [row.numbers(f"share_{count}")[0] if row.rows else 0.0 for count in range(5)]
        mean = f"{row.numbers('mean')[0]:.2f}" if row.rows else "-"
        label = f"{_label(name)}: mean {mean}"
        owned.append(Series(label, range(5), shares, _look(name, place), kind="bars"))
    says = "share of a side's own turns; band: 95 % interval"
    of_games = "share of the games in which a side owns this many"
    return [
        Chart("A corner can be taken", says, TURNS, "own turns", curves, low=0, percent=True),
        Chart("Corners owned at the end", of_games, "corners", "games", owned, percent=True),
    ]


def _delays_chart(side: str, delays: Table, captures: Table) -> Chart:
    series = list[Series]()
    for place, kind in enumerate(KINDS):
        rows, chances = delays.where(kind=kind), captures.where(kind=kind).numbers("chances").sum()
        delay = rows.numbers("delay")
        taken = np.cumsum(rows.numbers("squares")) / max(1.0, chances)
        which = delay <= _LONGEST_DELAY
        series.append(Series(kind, delay[which], taken[which], look(place)))
    title = f"From chance to disc: {_label(side)}"
    says = "share of the squares that the side could play which it had taken this many own turns later"
    x, y = "own turns since the first chance", "squares taken by then"
    return Chart(title, says, x, y, series, low=0, high=1, percent=True)


def _symmetry(analysis: Analysis) -> Figure:
    """Return a figure with two charts per measure: by symmetry and by turn."""
    table = analysis.tables["symmetry"]
    looks = {player: look(1 + place) for place, player in enumerate(table.distinct("player"))}
    by_symmetry, by_turn, place = list[Chart](), list[Chart](), table.place("player")
    for kind in _MEASURES:
        known = {player for player in looks if np.isfinite(table.where(player=player).numbers(kind)).any()}
        if known:
            rows = table.only(lambda row, known=known: row[place] in known)  # type: ignore[misc]
            by_symmetry.append(_chart_by_symmetry(rows.where(turn=ALL), kind, looks))
            by_turn.append(_chart_by_turn(rows.where(symmetry=ALL), kind, looks))
    columns, charts = len(by_turn), [*by_symmetry, *by_turn]
    return _figure(analysis, "Symmetry", charts, columns, 3.5 + 4 * columns, _OVER_POSITIONS)


def _chart_by_symmetry(table: Table, kind: str, looks: dict[str, Look]) -> Chart:
    names, players = [*map(str, table.distinct("symmetry"))], table.distinct("player")
    series = list[Series]()
    for place, player in enumerate(players):
        value, low, high = (table.where(player=player).numbers(kind + end) for end in ("", "_low", "_high"))
        at = np.arange(len(value)) + 0.2 * (place - (len(players) - 1) / 2)
        series.append(Series(player, at, value, looks[player]._replace(dashes=""), low, high, kind="points"))
    title, says, axis = _MEASURES[kind]
    says = f"{says}; bars: 95 % interval; good: right, 1 is full agreement"
    least = min(0.0, *(min(points.low) for points in series))
    return Chart(title, says, "", axis, series, low=least, high=1, names=names, horizontal=True)


def _chart_by_turn(table: Table, kind: str, looks: dict[str, Look]) -> Chart:
    by_turn, ends = table.only(lambda row: row[table.place("turn")] != ALL), (f"{kind}_low", f"{kind}_high")
    series = [
        replace(_curve(by_turn.where(player=player), kind, player, ends=ends), look=looks[player])
        for player in table.distinct("player")
    ]
    title, _, axis = _MEASURES[kind]
    says = "all symmetries together; band: 95 % interval; good: up"
    least = max(_LOWEST, min(0.0, *(min(curve.y) for curve in series)))
    return Chart(f"{title}, by turn", says, TURNS, axis, series, low=least, high=1)


# Heat maps of how often each square is legal, and how often each square is played

_MAPS: Final = 6  # maximum number of turns with a map, per side
_EXAMPLE: Final = 0.1  # the share whose precision the footnote gives as an example
_WORTH: Final = ListedColormap([value_colour(step / 255) for step in range(256)])
_WHOLE: Final = 0.1  # minimum of a map's maximum share for percentages without decimals
_WRITTEN: Final = 8  # maximum board size with numbers on the squares


class HeatMap(NamedTuple):
    """A board with a share from 0 to 1 for each square."""

    title: str
    values: NDArray[np.float64]  # The shares of the squares from a1 on, [squares].
    says: str = ""  # An explanation of the shares. If set, the squares show percentages.


def squares_figure(analysis: Analysis, player: str) -> Figure:
    """Return heat maps of how often each square was legal and was played."""
    groups = {}
    for kind, phrase in (("possible", "could be played"), ("played", "was played")):
        maps = groups[f"decisions in which a square {phrase}"] = list[HeatMap]()
        for label, table in _compared(analysis, player, "squares"):
            reach = 100 * float((table.numbers(f"{kind}_high") - table.numbers(kind)).max())
            decisions = f"{table.numbers('decisions')[0]:,.0f} decisions"
            says = f"percent of {decisions}\nin which it {phrase}; ± {reach:.1f} at most"
            maps.append(HeatMap(label, table.numbers(kind), says))
    return figure_of_maps(f"Squares: {analysis.title}", groups, 3, (13.5, 4.3), analysis.intervals)


def _compared(analysis: Analysis, player: str, name: str) -> list[tuple[str, Table]]:
    """Return labels and rows of the table `name`: as black, random play or both sides, and as white."""
    table, base = analysis.tables[name], analysis.tables.get(f"{name}_random")
    black, white = (f"{player} as {colour}" if player else colour for colour in COLOURS)
    middle = ("random play", base.where(side=BOTH)) if base else ("both sides", table.where(side=BOTH))
    return [(black, table.where(side=black)), middle, (white, table.where(side=white))]


def squares_by_turn_figure(analysis: Analysis, player: str) -> Figure:
    """Return heat maps of the legal moves at selected turns, with a row for each side."""
    groups, fewest = dict[str, list[HeatMap]](), list[int]()
    for label, table in _compared(analysis, player, "squares_by_turn"):
        if turns := shown_turns(table.distinct("turn"), _MAPS):
            shares = [table.where(turn=turn).numbers("possible") for turn in turns]
            maps = [HeatMap(f"turn {turn}", share) for turn, share in zip(turns, shares, strict=True)]
            groups[f"{label}: share of the\ndecisions of a turn"] = maps
            fewest.append(min(table.column("decisions")))
    reach, share = 100 * wilson(_EXAMPLE, min(fewest)).reach(_EXAMPLE), f"{100 * _EXAMPLE:.0f} %"
    foot = f"{min(fewest):,} decisions a turn at least: a share of {share} is ± {reach:.1f} ({WILSON})"
    title = f"Where a move is possible: {analysis.title}"
    return figure_of_maps(title, groups, _MAPS, (15.0, 2.9), foot)


def figure_of_maps(
    title: str, groups: Mapping[str, Sequence[HeatMap]], columns: int, size: tuple[float, float], foot: str
) -> Figure:
    """Return a figure of heat maps, row by row. Each group begins a new row and has its own scale.

    The keys of `groups` label the colour bars. `size` is the figure's width and a row's height, in inches.
    """
    rows = [-(-len(maps) // columns) for maps in groups.values()]
    figure = Figure(figsize=(size[0], size[1] * sum(rows) + 0.5))
    figure.set_layout_engine("constrained", h_pad=0.12, w_pad=0.1)
    headline(figure, title)
    footnote(figure, foot)
    places = figure.subplots(sum(rows), columns, squeeze=False)
    by_group = zip(groups.items(), np.split(places, np.cumsum(rows)[:-1]), strict=True)
    for (label, maps), of_group in by_group:
        axes = of_group.flatten().tolist()
        # A square-root scale, because the high shares of the first turn would make all other maps dark.
        scale = PowerNorm(0.5, 0.0, max(float(heat_map.values.max()) for heat_map in maps))
        images = [_draw_map(*both, scale) for both in zip(axes, maps, strict=False)]
        for unused in axes[len(maps) :]:
            unused.axis("off")
        percent = PercentFormatter(1.0)
        figure.colorbar(images[0], ax=axes, label=label, format=percent, shrink=0.9, pad=0.015)
    return figure


def _draw_map(axes: Axes, board: HeatMap, scale: PowerNorm) -> AxesImage:
    """Draw a heat map with a1 at the top left. A map with an explanation also shows numbers."""
    size = isqrt(len(board.values))
    values = board.values.reshape(size, size)
    image = axes.imshow(values, cmap=_WORTH, norm=scale)
    decimals = 0 if values.max() >= _WHOLE else 1
    axes.set_xticks(range(size), [square_name(column, size)[0] for column in range(size)])
    axes.set_yticks(range(size), [str(row + 1) for row in range(size)])
    axes.tick_params(length=0, labelsize=7, top=False, bottom=False, labeltop=True, labelbottom=False)
    for (row, column), value in np.ndenumerate(values) if board.says and size <= _WRITTEN else ():
        text, colour = f"{100 * value:.{decimals}f}", ink(value_colour(float(scale(value))))
        axes.text(column, row, text, ha="center", va="center", fontsize=7, color=colour)
    axes.set_title(board.title, fontsize=10, loc="left")
    axes.set_xlabel(board.says, fontsize=8, color=SOFT)
    return image
