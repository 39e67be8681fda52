"""Delays from a square that can be taken to the square that is taken: corners beside other squares.

A chance is the first of a side's own turns in which it could play a square. The delay is how many of its own
turns later it did: 0 is at once.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.show.charts import GREYS, Chart, Look, Series, look
from othello_lab.experiment.show.tables import Table, Value
from othello_lab.experiment.study.analysis.findings import (
    Analysis,
    Row,
    ends_of,
    estimate_cells,
    keys,
    label_of,
    number_column,
    players_in,
    share_column,
    text_column,
)
from othello_lab.experiment.study.analysis.games import BOTH, Games
from othello_lab.experiment.study.statistics.intervals import Estimate
from othello_lab.experiment.study.statistics.units import share_over, united
from othello_lab.game.batch.games import legal_moves, to_mask

KINDS: Final = ("corner", "C", "X", "edge", "inside")
"""Corners, the squares beside them on an edge and on the diagonal, other edge squares, all others."""
FATES: Final = ("at_once", "later", "by_the_other", "never")
"""What can become of a chance."""
NEVER: Final = -1
CAPTURES: Final = (
    *keys("side"),
    text_column("squares", "kind"),
    number_column("chances"),
    *(
        column
        for fate in FATES
        for column in (share_column(fate.replace("_", " "), fate), *keys(" ".join(ends_of(fate))))
    ),
    number_column("delay", "mean_delay", 2),
)
_LONGEST_DELAY = 16
"""In the chart."""


def tables(games: Games) -> list[Table]:
    """Return all that is told of chances."""
    found = find_chances(games)
    return [captures(games, found), delays(games, found)]


def kinds(size: int) -> NDArray[np.int64]:
    """Return the kind of each square, its place in KINDS, int64 [squares]."""
    distance = np.minimum(np.arange(size), np.arange(size)[::-1])
    near, far = np.minimum.outer(distance, distance), np.maximum.outer(distance, distance)
    table = {(0, 0): 0, (0, 1): 1, (1, 1): 2}
    pairs = zip(near.ravel().tolist(), far.ravel().tolist(), strict=True)
    return np.array([table.get(pair, 3 if pair[0] == 0 else 4) for pair in pairs], np.int64)


@dataclass(frozen=True)
class Chances:
    """The chances of both sides. Arrays [games, 2, squares], black first."""

    first: NDArray[np.int16]
    """In which of its own turns a side could first play a square, from 0; NEVER."""
    taken: NDArray[np.int16]
    """In which of its own turns it did; NEVER."""

    @property
    def delay(self) -> NDArray[np.int16]:
        """Own turns from the chance to the disc; NEVER where there was no disc."""
        return np.where(self.taken == NEVER, NEVER, self.taken - self.first).astype(np.int16)


def find_chances(games: Games) -> Chances:
    """Find all first chances and what was made of them."""
    first = np.full((len(games), 2, games.size**2), NEVER, np.int16)
    taken = np.full_like(first, NEVER)
    own_turn = np.zeros((len(games), 2), np.int16)
    for turn, decided in enumerate(games.decided):
        game = np.flatnonzero(decided)
        side = np.where(games.black_to_move[turn, game], 0, 1)
        legal = to_mask(legal_moves(games.positions(turn, decided)), games.size)
        now, before = own_turn[game, side], first[game, side]
        first[game, side] = np.where(legal & (before == NEVER), now[:, None], before)
        taken[game, side, games.moves[turn, game]] = now
        own_turn[game, side] += 1
    return Chances(first, taken)


def captures(games: Games, chances: Chances) -> Table:
    """Return what became of the chances, by kind of square: taken at once, later, by the other, never."""
    rows = list[Row]()
    delay, lost = chances.delay, chances.taken[:, ::-1] != NEVER
    fates = delay == 0, delay > 0, (delay == NEVER) & lost, (delay == NEVER) & ~lost
    for name, sides in _sides(games).items():
        for kind, squares in enumerate(_squares(games.size)):
            had = (chances.first[:, :, squares] != NEVER) & sides[:, :, None]
            took = delay[:, :, squares][had & (delay[:, :, squares] != NEVER)]
            row = {"side": name, "kind": KINDS[kind], "chances": int(had.sum())}
            for fate, became in zip(FATES, fates, strict=True):
                row |= estimate_cells(fate, _share(games, had & became[:, :, squares], had))
            rows.append({**row, "mean_delay": float(took.mean()) if len(took) else float("nan")})
    about = "what became of squares that a side could play: shares of chances, mean delay in its own turns"
    return Table.of("captures", CAPTURES, rows, about)


def _share(games: Games, these: NDArray[np.bool_], all_: NDArray[np.bool_]) -> Estimate:
    """Return which share of all chances these are, [games, 2, squares] both, and its interval."""
    return share_over(*united(games.unit, these.sum(axis=(1, 2)), all_.sum(axis=(1, 2))))


def delays(games: Games, chances: Chances) -> Table:
    """Count the squares that were taken this many own turns after the first chance, by kind of square."""
    rows = list[tuple[Value, ...]]()
    for name, sides in _sides(games).items():
        for kind, squares in enumerate(_squares(games.size)):
            found = chances.delay[:, :, squares][sides]
            counts = np.bincount(found[found != NEVER])
            rows += [(name, KINDS[kind], delay, int(count)) for delay, count in enumerate(counts)]
    about = "squares that a side took this many of its own turns after it first could"
    return Table("delays", keys("side kind delay squares"), rows, about)


def _squares(size: int) -> list[NDArray[np.int64]]:
    table = kinds(size)
    return [np.flatnonzero(table == kind) for kind in range(len(KINDS))]


def _sides(games: Games) -> dict[str, NDArray[np.bool_]]:
    """Return which side of which game is meant by a name, bool [games, 2], black first."""
    own = {side: np.stack([is_black, ~is_black], axis=1) for side, is_black in games.sides().items()}
    return {BOTH: np.ones((len(games), 2), np.bool_), **own}


def captures_charts(analysis: Analysis) -> list[Chart]:
    """Return how soon squares were taken and what became of chances; of two players one after the other."""
    delays, found = analysis.tables["delays"], analysis.tables["captures"]
    return [
        chart
        for side in players_in(found) or [BOTH]
        for chart in (
            _delays_chart(side, delays.where(side=side), found.where(side=side)),
            _fates_chart(side, found),
        )
    ]


def _delays_chart(side: str, delays: Table, captures: Table) -> Chart:
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


def _fates_chart(side: str, table: Table) -> Chart:
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
