"""Results of games: the figures that a text would quote, who wins, and by how many discs."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.show.charts import Chart, Mark, Series, bar_bounds, bar_width, look, of_training
from othello_lab.experiment.show.tables import Table, Value
from othello_lab.experiment.study.analysis.corners import owners
from othello_lab.experiment.study.analysis.findings import (
    ENDS,
    TURNS,
    Analysis,
    beside,
    curve,
    estimate_cells,
    estimate_columns,
    keys,
    label_of,
    look_of,
    number_column,
    players_in,
    share_of_sum,
    sides_of,
    text_column,
)
from othello_lab.experiment.study.analysis.games import AT_START, COLOURS, Games
from othello_lab.experiment.study.statistics.intervals import Estimate
from othello_lab.experiment.study.statistics.units import mean_over, share_over, sums_over, united

SCORE, WON, DRAWN, LOST = "score", "won", "drawn", "lost"
HEADLINE = (
    text_column("figure"),
    *estimate_columns("value", "value", 4, ENDS),
    number_column("of"),
)
Found = tuple[str, Estimate, int]
"""What it is, how large it is, and of how many games or decisions."""
_BARS = 65
"""About this many at most."""


def tables(games: Games, choices: NDArray[np.int64]) -> list[Table]:
    """Return all that is told of results, the figures to quote first."""
    first = headline(games, choices)
    return [first, results(games), scores(games), points(games), points_histogram(games)]


def headline(games: Games, choices: NDArray[np.int64]) -> Table:
    """Return the figures of some games; those of ends and of whole games only where a game has an end."""
    found = [*_of_ends(games), *_of_play(games), *_of_decisions(games, choices)]
    rows = [
        {"figure": name, **estimate_cells("value", each, ENDS), "of": count} for name, each, count in found
    ]
    about = "means and shares with their 95 % intervals; `of` counts the games or decisions"
    return Table.of("headline", HEADLINE, rows, about)


def _of_ends(games: Games) -> Iterator[Found]:
    """Yield what is known of the ends of games."""
    black, white = (side[games.complete] for side in games.final_discs())
    winner = np.sign(black - white)
    yield from _over(games, "share", {
        "games won by black": np.equal(winner, 1),
        "games won by white": np.equal(winner, -1),
        "drawn games": np.equal(winner, 0),
        "games that end with empty squares": np.less(black + white, games.size**2),
        "games that end with one colour only": np.equal(np.minimum(black, white), 0),
    })  # fmt: skip
    yield from _over(games, "mean", {
        "black's discs minus white's": black - white,
        "black's discs": black,
        "white's discs": white,
        "corners of black at the end": owners(games)["black"],
        "corners of white at the end": owners(games)["white"],
    })  # fmt: skip


def _of_play(games: Games) -> Iterator[Found]:
    """Yield what is known of whole games on the way; those without an end do not count."""
    whole = games.complete
    passed, black = games.passed[:, whole], games.black_to_move[:, whole]
    yield from _over(games, "mean", {
        "discs placed in a game": games.decided[:, whole].sum(axis=0),
        "passes in a game": passed.sum(axis=0),
        "passes of black in a game": (passed & ~black).sum(axis=0),
        "passes of white in a game": (passed & black).sum(axis=0),
    })  # fmt: skip
    yield from _over(games, "share", {"games with a pass": np.greater(passed.sum(axis=0), 0)})


def _over(games: Games, kind: str, columns: Mapping[str, NDArray[Any]]) -> Iterator[Found]:
    unit = games.unit[games.complete]
    for name, values in columns.items() if len(unit) else ():
        estimate = share_over if kind == "share" else mean_over
        yield name, estimate(*sums_over(unit, values)), len(values)


def _of_decisions(games: Games, choices: NDArray[np.int64]) -> Iterator[Found]:
    """Yield what is known of single decisions."""
    groups = games.groups()
    for side, decided in groups.items():
        if not decided.any() or side.endswith(tuple(f" as {colour}" for colour in COLOURS)):
            continue  # a player that gave up before its first move, and details
        name = "legal moves of a decision" + ("" if side == next(iter(groups)) else f" of {side}")
        legal = np.where(decided, choices, 0).sum(axis=0)
        yield name, mean_over(*united(games.unit, legal, decided.sum(axis=0))), int(decided.sum())
    forced, decided = (choices == 1).sum(axis=0), games.decided.sum(axis=0)
    yield (
        "decisions with one legal move",
        share_over(*united(games.unit, forced, decided)),
        int(decided.sum()),
    )


def _differences(games: Games) -> Iterator[tuple[str, NDArray[np.int64], NDArray[np.int64]]]:
    """Yield black, and of two players each, with both colours and with either: the side's name, the units of
    its games that have an end, and by how many discs it won them.
    """
    black, white = games.final_discs()
    every, difference, unit = games.complete, black - white, games.unit
    yield "black", unit[every], difference[every]
    players = [(name, black) for name, black in games.sides().items() if name not in COLOURS]
    for name, has_black in players:
        own = np.where(has_black, difference, -difference)
        yield name, unit[every], own[every]
        for colour, which in zip(COLOURS, (every & has_black, every & ~has_black), strict=True):
            yield f"{name} as {colour}", unit[which], own[which]


def results(games: Games) -> Table:
    """Return the shares of games that a side won, drew and lost, and its score, with their intervals."""
    rows = list[tuple[Value, ...]]()
    for side, unit, difference in (each for each in _differences(games) if len(each[1])):
        outcomes = {SCORE: (np.sign(difference) + 1) / 2, WON: difference > 0, DRAWN: difference == 0}
        for name, points in (outcomes | {LOST: difference < 0}).items():
            found = share_over(*sums_over(unit, points))
            rows.append((side, name, len(difference), found.value, *found.interval))
    about = "share of the games that a side won, drew and lost, and its score: wins and half the draws"
    return Table("results", keys("side result games share low high"), rows, about)


def scores(games: Games) -> Table:
    """Count the games by their difference of discs, plain and with the empty squares given to the winner."""
    black, white = games.final_discs()
    plain = (black - white)[games.complete]
    final = plain + np.sign(plain) * (games.size**2 - black - white)[games.complete]
    squares = games.size**2
    counts = [np.bincount(kind + squares, minlength=2 * squares + 1) for kind in (plain, final)]
    each = range(-squares, squares + 1)
    rows = list(zip(each, counts[0].tolist(), counts[1].tolist(), strict=True))
    about = (
        "games by black's discs minus white's at the end, plain and with empty squares given to the winner"
    )
    return Table("scores", keys("difference games games_final_score"), rows, about)


def points(games: Games) -> Table:
    """Return the discs of each side after each number of discs was placed: mean, interval, spread."""
    rows = list[tuple[Value, ...]]()
    for turn, name, unit, discs in _discs(games):
        mean = mean_over(*sums_over(unit, discs))
        spread = np.percentile(discs, [5, 25, 50, 75, 95]).tolist()
        rows.append((turn, name, len(discs), mean.value, *mean.interval, *spread))
    columns = keys("turn side games mean low high p5 p25 p50 p75 p95")
    about = "discs of a side after each number of discs was placed: mean, 95 % interval, percentiles"
    return Table("points", columns, rows, about)


def points_histogram(games: Games) -> Table:
    """Count the games by the discs of a side after each number of discs was placed."""
    rows = list[tuple[Value, ...]]()
    for turn, name, _, discs in _discs(games):
        counts = np.bincount(discs)
        rows += [(turn, name, count, int(counts[count])) for count in np.flatnonzero(counts).tolist()]
    about = "games by the discs of a side, after each number of discs was placed"
    return Table("points_histogram", keys("turn side discs games"), rows, about)


def _discs(games: Games) -> Iterator[tuple[int, str, NDArray[np.int64], NDArray[np.int64]]]:
    """Yield turn, side, and of the games that came to it the units and the discs of that side."""
    sides = games.sides()
    for turn in np.flatnonzero(games.reached.any(axis=1)).tolist():
        which = games.reached[turn]
        positions, black = games.positions(turn, which), games.black_to_move[turn, which]
        own, other = positions.counts()
        for name, is_black in sides.items():
            yield turn, name, games.unit[which], np.where(black == is_black[which], own, other)


def results_charts(analysis: Analysis, turn: int) -> list[Chart]:
    """Return the histogram of differences, results with intervals, discs by turn and at one turn."""
    tables = analysis.tables
    points = [
        curve(own, "mean", side, place, ("p5", "p95")) for place, side, own in sides_of(tables["points"])
    ]
    says = "mean of the games that came to a turn; band: 5 % to 95 % of them"
    return [
        _differences_chart(tables["scores"]),
        _results_chart(tables["results"]),
        Chart("Discs by turn", says, TURNS, "discs of a side", points, low=0),
        _points_chart(tables["points_histogram"], turn),
    ]


def _differences_chart(table: Table) -> Chart:
    difference, games = table.numbers("difference"), table.numbers("games")
    width = bar_width(len(difference), _BARS)
    bounds = bar_bounds(int(difference.max()), width)
    counts, _ = np.histogram(difference, bounds, weights=games)
    middles = (bounds[1:] + bounds[:-1]) / 2
    bars = Series("", middles, share_of_sum(counts), look(0), kind="bars", width=0.9 * width)
    mean = float((difference * games).sum() / max(1.0, games.sum()))
    marks = [
        Mark(mean, f"mean {mean:+.2f}", of_training(0), upright=True),
        Mark(0, "", of_training(1)._replace(dashes="-"), upright=True),
    ]
    says, x = "black's discs minus white's; right of 0 black has won", "black's discs minus white's"
    title = "Difference of discs at the end"
    return Chart(title, says, f"{x}, {width} to a bar", "games", [bars], percent=True, marks=marks)


def _results_chart(table: Table) -> Chart:
    sides = ["black", *players_in(table)[:1]]  # the second's are the first's turned round
    names = WON, DRAWN, LOST
    width, series = 0.8 / max(1, len(sides)), list[Series]()
    for place, side in enumerate(sides):
        rows = [table.where(side=side, result=result) for result in names]
        share, low, high = ([row.numbers(end)[0] for row in rows] for end in ("share", "low", "high"))
        at, texts = np.arange(3) + beside(len(sides), place, width), [f"{100 * each:.1f} %" for each in share]
        own = label_of(side), at, share, look_of(side, place - 1), low, high
        series.append(Series(*own, kind="bars", width=width, texts=texts))
    says = "share of the games that a side won, drew and lost; bars: 95 % interval"
    top = min(1.1, 1.15 * max(max(each.high) for each in series))
    return Chart("Results", says, "", "games", series, low=0, high=top, percent=True, names=names)


def _points_chart(table: Table, turn: int) -> Chart:
    series = list[Series]()
    for place, side, own in sides_of(table):
        at_turn = own.where(turn=turn)
        at, games = at_turn.numbers("discs") + 0.4 * (place - 0.5), share_of_sum(at_turn.numbers("games"))
        series.append(Series(label_of(side), at, games, look_of(side, place), kind="bars", width=0.4))
    says = f"share of the games in which a side has this many of the {turn + AT_START} discs"
    return Chart(f"Discs at turn {turn}", says, "discs of a side", "games", series, percent=True)
