"""Columns of the tables of an analysis: what persons read in them, and how programs call them."""

from collections.abc import Sequence
from functools import partial
from math import isfinite
from operator import itemgetter
from typing import Any

from othello_lab.experiment.show.tables import Column, Value
from othello_lab.experiment.study.statistics.intervals import Estimate

ENDS = ("low", "high")
"""The keys of the ends of an interval, where a table has one alone."""
Row = dict[str, Any]
"""A row of a table by its keys."""


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
    """Return a number and both ends of its interval, where persons read ± instead; `ends` are their keys."""
    low, high = ends or ends_of(key)
    write = partial(estimate, decimals=decimals)
    return [Column(heading, itemgetter(key), write, key, beside=(low, high)), *keys(f"{low} {high}")]


def ends_of(key: str) -> tuple[str, str]:
    """Return the keys of both ends of a number's interval, where these are told apart from others."""
    return f"{key}_low", f"{key}_high"


def estimate_cells(key: str, found: Estimate, ends: tuple[str, str] | None = None) -> Row:
    """Return what stands in these columns."""
    return dict(zip((key, *(ends or ends_of(key))), (found.value, *found.interval), strict=True))


def estimate(found: Sequence[Value], decimals: int = 3) -> str:
    """Return a number with how far its interval reaches; `found` is the number and both ends."""
    value, low, high = map(float, found)
    if not isfinite(value):
        return "-"
    return f"{_number(value, decimals)} ± {_number(max(value - low, high - value), decimals)}"


def _number(value: Value, decimals: int) -> str:
    """Return a number as it is printed; a dash where nothing is known."""
    known = isinstance(value, int) or (isinstance(value, float) and isfinite(value))
    return f"{value:,.{decimals}f}" if known else "-"


def _percent(share: Value) -> str:
    return _number(100 * float(share), 1) + " %" if isfinite(float(share)) else "-"
