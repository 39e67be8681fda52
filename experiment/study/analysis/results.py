"""Tables of the results of games: main figures, wins, disc differences, discs by turn, corners at the end."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.show.tables import Table, keyed
from othello_lab.experiment.study.analysis.games import BOTH, COLOURS, PERCENTILES, Games
from othello_lab.experiment.study.statistics.units import (
    Cells,
    cells,
    mean_cells,
    mean_over,
    share_cells,
    share_over,
    united,
)
from othello_lab.game.batch import to_mask
from othello_lab.game.board import corners

SCORE, WON, DRAWN, LOST = "score", "won", "drawn", "lost"


def result_tables(games: Games, choices: NDArray[np.int64]) -> list[Table]:
    """Return all tables of this file. `choices` has the numbers of legal moves, [turns + 1, games]."""
    about = "means and shares with their 95 % intervals; `of` counts the games or decisions"
    figures = [*_figures_of_games(games), *_figures_of_decisions(games, choices)]
    return [
        keyed("headline", "figure value low high of", figures, about),
        _results(games),
        _scores(games),
        *_discs(games),
        _corners_owned(games),
    ]


def _figures_of_games(games: Games) -> Iterator[tuple[Any, ...]]:
    """Yield rows about the games that were played to their end: name, mean or share, interval, count."""
    whole = games.complete
    unit = games.unit[whole]
    if not len(unit):
        return
    black, white = (discs[whole] for discs in games.final_discs())
    passed, black_next = games.passed[:, whole], games.black_to_move[:, whole]
    owners = corner_owners(games)
    figures: tuple[tuple[str, Callable[..., Cells], NDArray[Any]], ...] = (
        ("games won by black", share_cells, black > white),
        ("games won by white", share_cells, black < white),
        ("drawn games", share_cells, black == white),
        ("games that end with empty squares", share_cells, black + white < games.size**2),
        ("games that end with one colour only", share_cells, np.minimum(black, white) == 0),
        ("black's discs minus white's", mean_cells, black - white),
        ("black's discs", mean_cells, black),
        ("white's discs", mean_cells, white),
        ("corners of black at the end", mean_cells, owners["black"]),
        ("corners of white at the end", mean_cells, owners["white"]),
        ("discs placed in a game", mean_cells, games.decided[:, whole].sum(axis=0)),
        ("passes in a game", mean_cells, passed.sum(axis=0)),
        ("passes of black in a game", mean_cells, (passed & ~black_next).sum(axis=0)),
        ("passes of white in a game", mean_cells, (passed & black_next).sum(axis=0)),
        ("games with a pass", share_cells, passed.sum(axis=0) > 0),
    )
    for name, estimate, values in figures:
        yield (name, *estimate(unit, values), len(values))


def _figures_of_decisions(games: Games, choices: NDArray[np.int64]) -> Iterator[tuple[Any, ...]]:
    for side, decided in games.groups().items():
        if decided.any() and not side.endswith((" as black", " as white")):
            name = "legal moves of a decision" + ("" if side == BOTH else f" of {side}")
            legal = np.where(decided, choices, 0).sum(axis=0)
            estimate = mean_over(*united(games.unit, legal, decided.sum(axis=0)))
            yield (name, *cells(estimate), int(decided.sum()))
    decided, forced = games.decided, (choices == 1).sum(axis=0)
    estimate = share_over(*united(games.unit, forced, decided.sum(axis=0)))
    yield ("decisions with one legal move", *cells(estimate), int(decided.sum()))


def _results(games: Games) -> Table:
    """Return a table of the results of black, of each player, and of each player with each colour."""
    black, white = games.final_discs()
    every = games.complete
    sides = {"black": (every, black - white)}
    for name, has_black in games.sides().items():
        if name not in COLOURS:
            difference = np.where(has_black, black - white, white - black)
            sides[name] = every, difference
            sides[f"{name} as black"] = every & has_black, difference
            sides[f"{name} as white"] = every & ~has_black, difference
    rows = list[tuple[Any, ...]]()
    for side, (which, all_differences) in sides.items():
        difference, unit = all_differences[which], games.unit[which]
        if len(unit):
            score = (np.sign(difference) + 1) / 2
            values = {SCORE: score, WON: difference > 0, DRAWN: difference == 0, LOST: difference < 0}
            rows += [(side, name, len(unit), *share_cells(unit, points)) for name, points in values.items()]
    about = "share of the games that a side won, drew and lost, and its score: wins and half the draws"
    return keyed("results", "side result games share low high", rows, about)


def _scores(games: Games) -> Table:
    """Count games by disc difference: plain, and with the empty squares given to the winner."""
    black, white = games.final_discs()
    plain = (black - white)[games.complete]
    final = plain + np.sign(plain) * (games.size**2 - black - white)[games.complete]
    squares = games.size**2
    counts = [np.bincount(kind + squares, minlength=2 * squares + 1).tolist() for kind in (plain, final)]
    rows = zip(range(-squares, squares + 1), *counts, strict=True)
    about = (
        "games by black's discs minus white's at the end, plain and with empty squares given to the winner"
    )
    return keyed("scores", "difference games games_final_score", rows, about)


def _discs(games: Games) -> tuple[Table, Table]:
    """Return two tables of the discs of each side at each turn: means with percentiles, and a histogram."""
    sides, points, histogram = games.sides(), list[tuple[Any, ...]](), list[tuple[Any, ...]]()
    for turn in np.flatnonzero(games.reached.any(axis=1)).tolist():
        which = games.reached[turn]
        own, other = games.positions(turn, which).counts()
        for side, is_black in sides.items():
            discs = np.where(games.black_to_move[turn, which] == is_black[which], own, other)
            percentiles = np.percentile(discs, PERCENTILES).tolist()
            points.append((turn, side, len(discs), *mean_cells(games.unit[which], discs), *percentiles))
            counts = np.bincount(discs)
            histogram += [(turn, side, n, int(counts[n])) for n in np.flatnonzero(counts).tolist()]
    about = "discs of a side after each number of discs was placed: mean, 95 % interval, percentiles"
    of_counts = "games by the discs of a side, after each number of discs was placed"
    return (
        keyed("points", "turn side games mean low high p5 p25 p50 p75 p95", points, about),
        keyed("points_histogram", "turn side discs games", histogram, of_counts),
    )


def _corners_owned(games: Games) -> Table:
    """Return a table of the numbers of corners that each side owns at the end."""
    unit, rows = games.unit[games.complete], []
    for owner, count in corner_owners(games).items() if len(unit) else ():
        shares = np.bincount(count, minlength=5) / len(count)
        rows.append((owner, len(count), *mean_cells(unit, count), *shares.tolist()))
    keys = "owner games mean low high share_0 share_1 share_2 share_3 share_4"
    return keyed("corners_owned", keys, rows, "corners owned at the end: mean, 95 % interval, share of games")


def corner_owners(games: Games) -> dict[str, NDArray[np.int64]]:
    """Count the corners at the end of each complete game, by owner: black, white, nobody, each player."""
    ends, black_next = games.at_the_end()
    squares = list(corners(games.size))
    own, other = (to_mask(side, games.size)[:, squares].sum(axis=1) for side in (ends.own, ends.opponent))
    black, white = np.where(black_next, own, other), np.where(black_next, other, own)
    owners = {"black": black, "white": white, "nobody": 4 - black - white}
    if games.first_is_black is not None:
        owners[games.players[0]] = np.where(games.first_is_black, black, white)
        owners[games.players[1]] = np.where(games.first_is_black, white, black)
    return {name: count[games.complete] for name, count in owners.items()}
