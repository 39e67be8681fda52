"""Charts of how games end, and of how the discs come about."""

import numpy as np

from experiment.show.charts import Chart, Mark, Series, bar_bounds, bar_width, look, of_training
from experiment.show.tables import Table
from experiment.study.analysis.findings import Analysis
from experiment.study.analysis.games import AT_START
from experiment.study.analysis.pictures.sides import (
    TURNS,
    beside,
    curve,
    label_of,
    look_of,
    shares,
    sides_of,
)
from experiment.study.analysis.results import DRAWN, LOST, WON

_BARS = 65
"""About this many at most."""


def results(analysis: Analysis, turn: int) -> list[Chart]:
    """Return the histogram of differences, results with intervals, discs by turn and at one turn."""
    tables = analysis.tables
    points = [
        curve(own, "mean", side, place, ("p5", "p95")) for place, side, own in sides_of(tables["points"])
    ]
    says = "mean of the games that came to a turn; band: 5 % to 95 % of them"
    return [
        _differences(tables["scores"]),
        _shares(tables["results"]),
        Chart("Discs by turn", says, TURNS, "discs of a side", points, low=0),
        _histogram(tables["points_histogram"], turn),
    ]


def _differences(table: Table) -> Chart:
    difference, games = table.numbers("difference"), table.numbers("games")
    width = bar_width(len(difference), _BARS)
    bounds = bar_bounds(int(difference.max()), width)
    counts, _ = np.histogram(difference, bounds, weights=games)
    middles = (bounds[1:] + bounds[:-1]) / 2
    bars = Series("", middles, shares(counts), look(0), kind="bars", width=0.9 * width)
    mean = float((difference * games).sum() / max(1.0, games.sum()))
    marks = [
        Mark(mean, f"mean {mean:+.2f}", of_training(0), upright=True),
        Mark(0, "", of_training(1)._replace(dashes="-"), upright=True),
    ]
    says, x = "black's discs minus white's; right of 0 black has won", "black's discs minus white's"
    title = "Difference of discs at the end"
    return Chart(title, says, f"{x}, {width} to a bar", "games", [bars], percent=True, marks=marks)


def _shares(table: Table) -> Chart:
    sides, results = table.distinct("side"), (WON, DRAWN, LOST)
    width, series = 0.8 / max(1, len(sides)), list[Series]()
    for place, side in enumerate(sides):
        rows = [table.where(side=side, result=result) for result in results]
        share, low, high = ([row.numbers(end)[0] for row in rows] for end in ("share", "low", "high"))
        at, texts = np.arange(3) + beside(len(sides), place, width), [f"{100 * each:.1f} %" for each in share]
        own = label_of(side), at, share, look_of(side, place - 1), low, high
        series.append(Series(*own, kind="bars", width=width, texts=texts))
    says = "share of the games that a side won, drew and lost; bars: 95 % interval"
    top = min(1.1, 1.15 * max(max(each.high) for each in series))
    return Chart("Results", says, "", "games", series, low=0, high=top, percent=True, names=results)


def _histogram(table: Table, turn: int) -> Chart:
    series = list[Series]()
    for place, side, own in sides_of(table):
        at_turn = own.where(turn=turn)
        at, games = at_turn.numbers("discs") + 0.4 * (place - 0.5), shares(at_turn.numbers("games"))
        series.append(Series(label_of(side), at, games, look_of(side, place), kind="bars", width=0.4))
    says = f"share of the games in which a side has this many of the {turn + AT_START} discs"
    return Chart(f"Discs at turn {turn}", says, "discs of a side", "games", series, percent=True)
