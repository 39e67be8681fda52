"""The sides of an analysis as series of charts: their looks, and a column of a table by turn."""

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from experiment.show.charts import Look, Series, look
from experiment.show.tables import Table, Value
from experiment.study.analysis.findings import players_in
from experiment.study.analysis.games import BOTH, COLOURS

TURNS: Final = "turn: discs placed before"
_FEWEST: Final = 0.05
"""Turns of a side with less than this share of its decisions at its commonest turn are not drawn."""
_BLACK, _WHITE = Look("training-0", "o", "-"), Look("training-1", "o", "--", hollow=True)


def label_of(side: Value) -> str:
    """Return what a side is called in a legend."""
    return "both sides" if side == BOTH else str(side)


def look_of(side: Value, place: int = 0) -> Look:
    """Return the look of a side: black and white as discs, players in colours by their place."""
    if side == BOTH:
        return look(0)
    if side in COLOURS:
        return _BLACK if side == COLOURS[0] else _WHITE
    return look(1 + place)


def sides_of(table: Table) -> Iterator[tuple[int, str, Table]]:
    """Yield the place, the name and the rows of each player, or of black and white where one met itself."""
    for place, side in enumerate(players_in(table) or COLOURS):
        yield place, side, table.where(side=side)


def enough(table: Table) -> Table:
    """Return the rows of turns at which a side decides often enough to be drawn."""
    counts, place = table.numbers("decisions"), table.place("decisions")
    return table.only(lambda row: row[place] >= _FEWEST * max(counts, default=0))


def curve(
    table: Table, value: str, side: Value, place: int = 0, ends: Iterable[str] = ("low", "high")
) -> Series:
    """Return a column by turn as a curve, with a band between two other columns."""
    low, high = (table.numbers(end) for end in ends)
    own = label_of(side), table.numbers("turn"), table.numbers(value)
    return Series(*own, look_of(side, place), low, high)


def beside(places: int, place: int, width: float) -> float:
    """Return how far what stands at a place among some moves, so that all stand side by side."""
    return (place - (places - 1) / 2) * width


def shares(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return counts as shares of their sum."""
    return np.asarray(counts / max(1.0, counts.sum()))
