"""The size of the tree of games, estimated from some games.

The size from a turn on is the product of the mean numbers of legal moves, turn by turn (as in Shannon,
"Programming a computer for playing chess", 1950). Black's part of it is the product over the turns that are
black's: where a turn is black's in some games and white's in others, each has its share of it as exponent.

Where both sides choose uniformly the number of all games is known better: the mean over games of the product
of their numbers of legal moves has exactly that expectation (Knuth, "Estimating the efficiency of backtrack
programs", 1975). Few games make up most of such a mean, so even a wide interval says too little.
"""

from math import inf, log10

import numpy as np
from numpy.typing import NDArray

from experiment.show.tables import Table, Value
from experiment.study.analysis.games import BOTH, Games
from experiment.study.statistics.intervals import Estimate, Interval
from experiment.study.statistics.units import mean_over, sums_over

SIDES = (BOTH, "black", "white")


def remaining(games: Games, choices: NDArray[np.int64]) -> Table:
    """Return the logarithm of the size of the tree from each turn on, overall and each colour's part."""
    rows: list[tuple[Value, ...]] = []
    for name in SIDES:
        logs, influence = _logarithms(games, choices, games.groups()[name])
        for turn in range(int(games.decided.any(axis=1).argmax()), games.turns):
            of_games = influence[turn:].sum(axis=0)
            reach = mean_over(*sums_over(games.unit, of_games)).reach
            size = float(logs[turn:].sum())
            rows.append((turn, name, size, size - reach, size + reach))
    about = "log10 of the product of the mean numbers of legal moves from a turn on, with its 95 % interval"
    return Table.plain("tree", about, ("turn", "side", "log10", "low", "high"), rows)


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
    size, (low, high) = knuth(games, choices)
    about = "log10 of the number of all games that follow, by Knuth's estimate, with its 95 % interval"
    return Table.plain("all_games", about, ("log10", "low", "high"), [(size, low, high)])


def knuth(games: Games, choices: NDArray[np.int64]) -> Estimate:
    """Return log10 of the number of all games, estimated from games of players that choose uniformly."""
    logs = np.log10(np.maximum(choices, 1)).sum(axis=0)
    scale = float(logs.max())  # the numbers themselves may be beyond any float
    size, (low, high) = mean_over(*sums_over(games.unit, 10 ** (logs - scale)))
    return Estimate(scale + _log10(size), Interval(scale + _log10(low), scale + _log10(high)))


def _log10(number: float) -> float:
    return log10(number) if number > 0 else -inf
