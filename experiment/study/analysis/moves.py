"""Moves: how many there are, how large a tree of games they make, and how games go on.

The size of the tree from a turn on is the product of the mean numbers of legal moves, turn by turn (as in
Shannon, "Programming a computer for playing chess", 1950). Black's part of it is the product over the turns
that are black's: where a turn is black's in some games and white's in others, each has its share of it as
exponent.

Where both sides choose uniformly the number of all games is known better: the mean over games of the product
of their numbers of legal moves has exactly that expectation (Knuth, "Estimating the efficiency of backtrack
programs", 1975). Few games make up most of such a mean, so even a wide interval says too little.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import inf, log10

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.show.charts import Chart, Series, look, of_training
from othello_lab.experiment.show.tables import Table, Value
from othello_lab.experiment.study.analysis.findings import (
    TURNS,
    Analysis,
    beside,
    curve,
    enough,
    keys,
    label_of,
    look_of,
    players_in,
    share_of_sum,
    sides_of,
)
from othello_lab.experiment.study.analysis.games import BOTH, Games
from othello_lab.experiment.study.statistics.intervals import Estimate, Interval
from othello_lab.experiment.study.statistics.units import mean_over, share_over, sums_over
from othello_lab.game.batch.games import legal_moves
from othello_lab.game.batch.positions import count_squares

SIDES = (BOTH, "black", "white")
_SHARES = (5, 25, 50, 75, 95)
"""Percentiles."""


def count_choices(games: Games) -> NDArray[np.int64]:
    """Count the legal moves of each decision, 0 where there is none, int64 [turns + 1, games]."""
    found = np.zeros(games.moves.shape, np.int64)
    for turn, decided in enumerate(games.decided):
        found[turn, decided] = count_squares(legal_moves(games.positions(turn, decided)), games.size)
    return found


def tables(games: Games, choices: NDArray[np.int64]) -> list[Table]:
    """Return all that is told of moves and turns."""
    histogram = choices_histogram(games, choices)
    return [choices_by_turn(games, choices), histogram, remaining(games, choices), flow(games), passes(games)]


def choices_by_turn(games: Games, choices: NDArray[np.int64]) -> Table:
    """Return mean, interval and spread of the legal moves at each turn, for each side."""
    percentiles = " ".join(f"p{share}" for share in _SHARES)
    columns = keys(f"turn side decisions mean low high sd least {percentiles} most")
    about = "legal moves of a decision: mean with its 95 % interval, standard deviation, percentiles"
    return Table("moves", columns, [*_choices_by_turn(games, choices)], about)


def _choices_by_turn(games: Games, choices: NDArray[np.int64]) -> Iterator[tuple[Value, ...]]:
    for turn, side, which in games.each_turn():
        found = choices[turn, which]
        mean = mean_over(*sums_over(games.unit[which], found))
        spread = np.percentile(found, [0, *_SHARES, 100]).tolist()
        sd = float(found.std(ddof=1)) if len(found) > 1 else 0.0
        yield (turn, side, len(found), mean.value, *mean.interval, sd, *spread)


def choices_histogram(games: Games, choices: NDArray[np.int64]) -> Table:
    """Count the decisions with each number of legal moves at each turn, for each side."""
    rows = list[tuple[Value, ...]]()
    for turn, side, which in games.each_turn():
        counts = np.bincount(choices[turn, which])
        rows += [(turn, side, moves, int(counts[moves])) for moves in np.flatnonzero(counts).tolist()]
    about = "how many decisions had each number of legal moves"
    return Table("moves_histogram", keys("turn side moves decisions"), rows, about)


def remaining(games: Games, choices: NDArray[np.int64]) -> Table:
    """Return the logarithm of the size of the tree from each turn on, overall and each colour's part."""
    rows = list[tuple[Value, ...]]()
    for side in SIDES:
        logs, influence = _logarithms(games, choices, games.groups()[side])
        for turn in range(int(games.decided.any(axis=1).argmax()), games.turns):
            of_games = influence[turn:].sum(axis=0)
            reach = mean_over(*sums_over(games.unit, of_games)).reach
            size = float(logs[turn:].sum())
            rows.append((turn, side, size, size - reach, size + reach))
    about = "log10 of the product of the mean numbers of legal moves from a turn on, with its 95 % interval"
    return Table("tree", keys("turn side log10 low high"), rows, about)


def _logarithms(
    games: Games, choices: NDArray[np.int64], decided: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what each turn adds for a side, [turns + 1], and what a game adds to the error of that.

    Its logarithm is taken as linear about the mean (the delta method): a game with x moves, where the mean is
    m in a share s of the games, moves the sum by (x / m - 1) / s. [turns + 1, games]
    """
    each, every = decided.sum(axis=1), games.decided.sum(axis=1)
    mean = np.where(decided, choices, 0).sum(axis=1) / np.maximum(each, 1)
    part = each / np.maximum(every, 1)
    safe = np.maximum(mean, 1.0)[:, None]
    share = np.maximum(each / len(games), 1e-9)[:, None]
    influence = part[:, None] * np.where(decided, choices / safe - 1, 0) / share / np.log(10)
    return part * np.log10(np.maximum(mean, 1.0)), influence


def all_games(games: Games, choices: NDArray[np.int64]) -> Table:
    """Return the estimate of `knuth` as a table."""
    size, interval = knuth(games, choices)
    about = "log10 of the number of all games that follow, by Knuth's estimate, with its 95 % interval"
    return Table("all_games", keys("log10 low high"), [(size, *interval)], about)


def knuth(games: Games, choices: NDArray[np.int64]) -> Estimate:
    """Return log10 of the number of all games, estimated from games of players that choose uniformly."""
    logs = np.log10(np.maximum(choices, 1)).sum(axis=0)
    scale = float(logs.max())  # the numbers themselves may be beyond any float
    size, (low, high) = mean_over(*sums_over(games.unit, 10 ** (logs - scale)))
    return Estimate(scale + _log10(size), Interval(scale + _log10(low), scale + _log10(high)))


def _log10(number: float) -> float:
    return log10(number) if number > 0 else -inf


def flow(games: Games) -> Table:
    """Return, for the board after each number of discs: the games that came to it, the share of them in
    which a side then had to pass, and how many of their boards differ.
    """
    rows = list[tuple[Value, ...]]()
    for turn in np.flatnonzero(games.reached.any(axis=1)).tolist():
        counts = int(games.reached[turn].sum()), int(games.decided[turn].sum())
        rows.append((turn, *counts, *_share(games, turn, games.passed[turn]), distinct(games, turn)))
    columns = keys("turn games decisions skipped low high boards")
    about = (
        "games that came to a turn, share in which a side had to pass there, 95 % interval, different boards"
    )
    return Table("flow", columns, rows, about)


def passes(games: Games) -> Table:
    """Return the share of the games that came to a turn in which each side had to pass there."""
    rows = list[tuple[Value, ...]]()
    for side, is_black in games.sides().items():
        for turn in np.flatnonzero(games.decided.any(axis=1)).tolist():
            passed = games.passed[turn] & (games.black_to_move[turn] != is_black)
            rows.append((turn, side, int(games.reached[turn].sum()), *_share(games, turn, passed)))
    about = "share of the games that came to a turn in which a side had to pass there, with its 95 % interval"
    return Table("passes", keys("turn side games share low high"), rows, about)


def _share(games: Games, turn: int, passed: NDArray[np.bool_]) -> tuple[float, float, float]:
    """Return the share of the games that came to a turn in which somebody passed, and its interval."""
    reached = games.reached[turn]
    share = share_over(*sums_over(games.unit[reached], passed[reached]))
    return (share.value, *share.interval)


def distinct(games: Games, turn: int) -> int:
    """Count the different positions, side to move included, that the games have or end in at a turn."""
    which = games.reached[turn]
    positions, black = games.positions(turn, which), games.black_to_move[turn, which]
    columns: list[NDArray[np.generic]] = [*positions.own.T, *positions.opponent.T, black]
    order = np.lexsort(columns)
    changes = [np.diff(column[order].astype(np.uint64)) != 0 for column in columns]
    return int(np.any(changes, axis=0).sum()) + bool(len(order))


def choices_charts(analysis: Analysis, turn: int) -> list[Chart]:
    """Return legal moves by turn, their histogram at one turn, and the tree that remains."""
    return [_chart_by_turn(analysis), _histogram_chart(analysis, turn), _tree_chart(analysis)]


def _chart_by_turn(analysis: Analysis) -> Chart:
    series = list[Series]()
    for place, side, table in sides_of(analysis.tables["moves"]):
        mean = curve(enough(table), "mean", side, place)
        series += [curve(enough(table), "mean", side, place, ("p5", "p95")), replace(mean, kind="whiskers")]
    says = "mean of each side's own turns; bars: its 95 % interval; band: from 5 % to 95 % of the decisions"
    return Chart("Legal moves by turn", says, TURNS, "legal moves", series, low=0)


def _histogram_chart(analysis: Analysis, turn: int) -> Chart:
    table = analysis.tables["moves_histogram"]
    sides, series = players_in(table) or [BOTH], list[Series]()
    for place, side in enumerate(sides):
        own, width = table.where(side=side, turn=turn), 0.9 / len(sides)
        counts, at = own.numbers("decisions"), own.numbers("moves") + beside(len(sides), place, width)
        label, y = f"{label_of(side)}: {counts.sum():,.0f} decisions", share_of_sum(counts)
        series.append(Series(label, at, y, look_of(side, place), kind="bars", width=width))
    says = f"share of the decisions after {turn} placed discs"
    return Chart(f"Legal moves at turn {turn}", says, "legal moves", "decisions", series, percent=True)


def _tree_chart(analysis: Analysis) -> Chart:
    table = analysis.tables["tree"]
    series = [curve(table.where(side=side), "log10", side) for side in SIDES]
    says = "product of the mean numbers of moves from a turn on, and each side's part; bands: 95 % interval"
    return Chart("The tree of games that remains", says, TURNS, "games, log10", series, low=0)


def flow_charts(analysis: Analysis) -> list[Chart]:
    """Return the share of skipped turns and the number of different boards, by turn."""
    found, table = analysis.tables["passes"], analysis.tables["flow"]
    skipped = [curve(own, "share", side, place) for place, side, own in sides_of(found)]
    says = "share of the games that came to a turn in which a side had to pass there; bands: 95 % interval"
    turns, reached = table.numbers("turn"), of_training(1)._replace(marker="")
    boards = [
        Series("games that came to the turn", turns, table.numbers("games"), reached),
        Series("different boards", turns, table.numbers("boards"), look(0)),
    ]
    alike = (
        "positions, side to move included; where both lines meet no two games are on the same board any more"
    )
    return [
        Chart("Skipped turns", says, TURNS, "games", skipped, low=0, percent=True),
        Chart("Different boards", alike, TURNS, "number", boards, logarithmic=True),
    ]
