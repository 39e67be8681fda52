"""All that was found out about some games, as tables: their columns, and what their charts have in common."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import isfinite
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.show.charts import Look, Series, look
from othello_lab.experiment.show.tables import Column, Table, Value, as_csv, as_json, from_csv
from othello_lab.experiment.study.analysis.games import BOTH, COLOURS
from othello_lab.experiment.study.statistics.intervals import Estimate, Interval
from othello_lab.game.files import DATA, read_text, replace
from othello_lab.game.notation import printable, printable_values
from rlglue.messages import json_object

ENDS = ("low", "high")
"""The keys of the ends of an interval, where a table has one alone."""
Row = dict[str, Any]
"""A row of a table by its keys."""
SUMMARY = "analysis.json"
VERSION = 1
"""Of the tables: their names and columns."""
ALWAYS = (
    *("headline", "results", "scores", "points", "points_histogram", "moves", "moves_histogram", "tree"),
    *("flow", "passes", "squares", "squares_by_turn", "corner_chances", "corners_owned"),
    *("captures", "delays"),
)
"""The tables that every analysis has."""
TURNS: Final = "turn: discs placed before"
_FEWEST: Final = 0.05
"""Turns of a side with less than this share of its decisions at its commonest turn are not drawn."""
_BLACK, _WHITE = Look("training-0", "o", "-"), Look("training-1", "o", "--", hollow=True)


@dataclass(frozen=True)
class Analysis:
    """What was found out."""

    title: str
    """Which games, in a line."""
    size: int
    tables: Mapping[str, Table]
    facts: Mapping[str, Any]
    """Where the games come from, for programs."""

    def with_tables(self, tables: Iterable[Table]) -> "Analysis":
        """Return this with more tables."""
        more = {table.title: table for table in tables}
        return Analysis(self.title, self.size, {**self.tables, **more}, self.facts)

    def as_json(self) -> dict[str, Any]:
        """Return everything for programs."""
        tables = {name: as_json(_rounded(table)) for name, table in self.tables.items()}
        return {"title": self.title, "size": self.size, **self.facts, "tables": tables}

    @property
    def intervals(self) -> str:
        """What the intervals are."""
        return str(self.facts.get("intervals", ""))

    def write(self, folder: Path) -> None:
        """Write each table as CSV into a folder, which may have to be made; raises OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in self.tables.items():
            replace(folder / f"{name}.csv", as_csv(_rounded(table)))
        about = {name: table.says for name, table in self.tables.items()}
        facts = {"title": self.title, "size": self.size, **self.facts, "version": VERSION, "tables": about}
        replace(folder / SUMMARY, json.dumps(facts, indent=2) + "\n")


def _rounded(table: Table) -> Table:
    """Return a table with numbers as long as they are written."""
    rows = [[round(value, 6) if isinstance(value, float) else value for value in row] for row in table.rows]
    return Table(table.title, table.columns, rows, table.says)


_NAMES = {"side", "player", "owner"}
"""Keys of columns in which players stand by their names."""


class AnalysisError(ValueError):
    """A folder that has no tables of an analysis."""


def read(folder: Path, needed: Iterable[str] = ALWAYS) -> Analysis:
    """Return what `write` has written; raise OSError, and AnalysisError without the tables needed."""
    try:
        facts = printable_values(json_object(read_text(folder / SUMMARY)))
        if facts.pop("version", None) != VERSION:
            raise AnalysisError(f"{folder} has tables of another version: write them again")
        title, size, about = facts.pop("title"), facts.pop("size"), facts.pop("tables")
        names = dict.fromkeys([*about, *needed])
        texts = {name: printable(read_text(folder / f"{name}.csv", DATA)) for name in names}
        tables = {name: from_csv(name, about[name], text, _NAMES) for name, text in texts.items()}
    except AnalysisError:
        raise
    except FileNotFoundError as error:
        raise AnalysisError(
            f"{folder} has no {Path(error.filename).name}: expected the folder of a --csv"
        ) from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise AnalysisError(f"{folder} has tables that cannot be read ({error}): write them again") from None
    return Analysis(str(title), int(size), tables, facts)


def players_in(table: Table) -> list[str]:
    """Return the sides of a table that are one of two players with both colours; none where one player met
    itself.
    """
    with_a_colour = tuple(f" as {colour}" for colour in COLOURS)
    sides = [side for side in table.distinct("side") if side not in (BOTH, *COLOURS)]
    return [side for side in sides if not side.endswith(with_a_colour)]


def shown_turns(turns: Sequence[Value], most: int) -> list[int]:
    """Return about this many of some turns, evenly spread, the first and the last among them."""
    every = [int(turn) for turn in turns]
    if len(every) <= most:
        return every
    return sorted({every[round(place * (len(every) - 1) / (most - 1))] for place in range(most)})


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


def share_of_sum(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return counts as shares of their sum."""
    return np.asarray(counts / max(1.0, counts.sum()))


def keys(names: str) -> list[Column[Row]]:
    """Return columns that programs alone are told, from their keys with spaces between."""
    return [Column("", itemgetter(key), key=key) for key in names.split()]


def text_column(heading: str, key: str = "") -> Column[Row]:
    """Return a column of names."""
    return Column(heading, itemgetter(key or heading), key=key or heading)


def number_column(heading: str, key: str = "", decimals: int = 0) -> Column[Row]:
    """Return a column of numbers."""
    return Column(heading, itemgetter(key or heading), partial(_number, decimals=decimals), key or heading)


def share_column(heading: str, key: str = "") -> Column[Row]:
    """Return a column of shares, 0 to 1, that persons read in percent."""
    return Column(heading, itemgetter(key or heading), _percent, key or heading)


def estimate_columns(
    heading: str, key: str, decimals: int = 3, ends: tuple[str, str] | None = None
) -> list[Column[Row]]:
    """Return a column of numbers with intervals, and two of its ends for programs; `ends` are their keys."""
    low, high = ends or ends_of(key)
    write = partial(estimate, decimals=decimals)
    return [Column(heading, itemgetter(key), write, key, extra=(low, high)), *keys(f"{low} {high}")]


def ends_of(key: str) -> tuple[str, str]:
    """Return the keys of both ends of a number's interval, where these are told apart from others."""
    return f"{key}_low", f"{key}_high"


def estimate_cells(key: str, found: Estimate, ends: tuple[str, str] | None = None) -> Row:
    """Return what stands in these columns."""
    return dict(zip((key, *(ends or ends_of(key))), (found.value, *found.interval), strict=True))


def estimate(found: Sequence[Value], decimals: int = 3) -> str:
    """Return a number and its interval as text; `found` is the number and both ends."""
    value, low, high = map(float, found)
    return f"{Estimate(value, Interval(low, high)):,.{decimals}f}" if isfinite(value) else "-"


def _number(value: Value, decimals: int) -> str:
    """Return a number as it is printed; a dash where nothing is known."""
    known = isinstance(value, int) or (isinstance(value, float) and isfinite(value))
    return f"{value:,.{decimals}f}" if known else "-"


def _percent(share: Value) -> str:
    return _number(100 * float(share), 1) + " %" if isfinite(float(share)) else "-"
