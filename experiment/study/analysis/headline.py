"""The figures that a text would quote: means and shares over all games and all decisions, with intervals."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiment.show.tables import Table, Value
from experiment.study.analysis.corners import owners
from experiment.study.analysis.games import COLOURS, Games
from experiment.study.statistics.intervals import Estimate
from experiment.study.statistics.units import mean_over, share_over, sums_over, united

Found = tuple[str, Estimate, int]
"""What it is, how large it is, and of how many games or decisions."""


def headline(games: Games, choices: NDArray[np.int64]) -> Table:
    """Return the figures of some games; those of ends and of whole games only where a game has an end."""
    found = [*_of_ends(games), *_of_play(games), *_of_decisions(games, choices)]
    rows: list[tuple[Value, ...]] = [(name, each.value, *each.interval, count) for name, each, count in found]
    about = "means and shares with their 95 % intervals; `of` counts the games or decisions"
    return Table.plain("headline", about, ("figure", "value", "low", "high", "of"), rows)


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
