"""Charts of corners: who can take one when, who owns how many, and what becomes of other chances."""

import numpy as np

from experiment.show.charts import GREYS, Chart, Look, Series, look
from experiment.show.tables import Table
from experiment.study.analysis.delays import FATES, KINDS
from experiment.study.analysis.findings import Analysis, players_in
from experiment.study.analysis.games import BOTH, COLOURS
from experiment.study.analysis.pictures.sides import (
    TURNS,
    beside,
    curve,
    enough,
    label_of,
    look_of,
    sides_of,
)

_LONGEST_DELAY = 16


def corners(analysis: Analysis) -> list[Chart]:
    """Return chances at corners by turn, and owners at the end."""
    table = analysis.tables["corner_chances"]
    chances = [curve(enough(own), "share", side, place) for place, side, own in sides_of(table)]
    says = "share of a side's own turns; band: 95 % interval"
    return [
        Chart("A corner can be taken", says, TURNS, "own turns", chances, low=0, percent=True),
        _owned(analysis.tables["corners_owned"]),
    ]


def _owned(table: Table) -> Chart:
    names = [name for name in table.distinct("owner") if name not in (*COLOURS, "nobody")] or [*COLOURS]
    width, series = 0.8 / len(names), list[Series]()
    for place, name in enumerate(names):
        row, at = table.where(owner=name), np.arange(5) + beside(len(names), place, width)
        shares = [row.numbers(f"share_{count}")[0] if row.rows else 0.0 for count in range(5)]
        mean = f"{row.numbers('mean')[0]:.2f}" if row.rows else "-"
        label = f"{label_of(name)}: mean {mean}"
        series.append(Series(label, at, shares, look_of(name, place), kind="bars", width=width))
    says = "share of the games in which a side owns this many"
    return Chart("Corners owned at the end", says, "corners", "games", series, percent=True)


def captures(analysis: Analysis) -> list[Chart]:
    """Return how soon squares were taken and what became of chances; of two players one after the other."""
    delays, found = analysis.tables["delays"], analysis.tables["captures"]
    return [
        chart
        for side in players_in(found) or [BOTH]
        for chart in (_delays(side, delays.where(side=side), found.where(side=side)), _fates(side, found))
    ]


def _delays(side: str, delays: Table, captures: Table) -> Chart:
    series = list[Series]()
    for place, kind in enumerate(KINDS):
        own, chances = delays.where(kind=kind), captures.where(kind=kind).numbers("chances").sum()
        shown = own.numbers("delay") <= _LONGEST_DELAY
        taken = np.cumsum(own.numbers("squares"))[shown] / max(1.0, chances)
        series.append(Series(kind, own.numbers("delay")[shown], taken, look(place)))
    title = f"From chance to disc: {label_of(side)}"
    says = "share of the squares that the side could play which it had taken this many own turns later"
    x, y = "own turns since the first chance", "squares taken by then"
    return Chart(title, says, x, y, series, low=0, high=1, percent=True)


def _fates(side: str, table: Table) -> Chart:
    own = table.where(side=side)
    at, left, series = np.arange(len(own.rows)), np.zeros(len(own.rows)), list[Series]()
    for place, fate in enumerate(FATES):
        share, low, high = (own.numbers(f"{fate}{end}") for end in ("", "_low", "_high"))
        if fate == FATES[-1]:
            low = high = np.empty(0)
        part = Look(GREYS[place], "", "")
        series.append(
            Series(fate.replace("_", " "), at, share, part, low, high, kind="bars", base=left.copy())
        )
        left += share
    title = f"What became of chances: {label_of(side)}"
    says = "squares that the side could play; at the end of each part the 95 % interval of its share"
    names = [str(kind) for kind in own.column("kind")]
    x, y = "kind of square", "share of the chances"
    return Chart(title, says, x, y, series, low=0, high=1, percent=True, names=names, lying=True)
