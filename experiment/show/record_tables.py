"""Return tables and a chart of recorded games: results by player, pair and opening, and all moves."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from othello_lab.experiment.show.charts import Chart, Mark, Series, bar_bounds, bar_width, look, of_training
from othello_lab.experiment.show.tables import Column, Table
from othello_lab.experiment.show.wording import percent
from othello_lab.experiment.study.statistics.intervals import Estimate
from othello_lab.experiment.study.statistics.units import PAIRED, Points, score
from othello_lab.game import Colour
from othello_lab.game.catalogue import short_name
from othello_lab.game.notation import format_squares
from othello_lab.game.openings import names_along, opening_name
from othello_lab.game.records import Record

_MOST, _TRANSCRIPTS, _BARS = 40, 200, 24
"""The most rows of a table of results and of a table of transcripts, and the approximate number of bars."""
Seat = tuple[Record, Colour]
"""A game and a side. The result is counted from the view of this side."""
_Groups = defaultdict[tuple[str, ...], list[Seat]]


class Group(NamedTuple):
    """Games that are counted together. All games of a group have the players or the opening in `names`."""

    names: tuple[str, ...]
    seats: Sequence[Seat]

    @property
    def won(self) -> int:
        """The number of wins."""
        return sum(record.winner is colour for record, colour in self.seats)

    @property
    def drawn(self) -> int:
        """The number of draws."""
        return sum(record.winner is None for record, _ in self.seats)

    @property
    def score(self) -> Estimate:
        """The share of wins plus half the share of draws, with its interval."""
        return score(self._points())

    def _points(self) -> Iterator[Points]:
        """Yield the unit and the points of each game.

        The unit is the opening. If a game has no opening, the unit is its index.
        """
        for place, (record, colour) in enumerate(self.seats):
            worth = 0.5 if record.winner is None else float(record.winner is colour)
            opening = record.game.start, *record.game.moves[: record.opening]
            yield (opening if record.opening else place), worth

    @property
    def discs(self) -> float | None:
        """The mean of black's discs minus white's discs in finished games. None without finished games."""
        discs = [*differences(record for record, _ in self.seats)]
        return sum(discs) / len(discs) if discs else None


_COUNTS: tuple[Column[Group], ...] = (
    Column("games", lambda it: len(it.seats), "{:,}".format),
    Column("won", lambda it: it.won, "{:,}".format),
    Column("drawn", lambda it: it.drawn, "{:,}".format),
    Column("lost", lambda it: len(it.seats) - it.won - it.drawn, "{:,}".format),
    Column("score", lambda it: it.score.value, "{:.3f}".format),
    Column("interval", lambda it: it.score.interval, "{0.low:.3f} to {0.high:.3f}".format),
)
_DISCS = Column[Group]("discs", lambda it: it.discs, "{:+.1f}".format)
_OF_A_PLAYER: tuple[Column[Group], ...] = (Column("player", lambda it: it.names[0]), *_COUNTS)
_OF_A_PAIR: tuple[Column[Group], ...] = (
    Column("black", lambda it: it.names[0]),
    Column("white", lambda it: it.names[1], wide=True),
    *_COUNTS,
    _DISCS,
)
_OF_A_GAME: tuple[Column[tuple[int, Record]], ...] = (
    Column("number", lambda it: it[0], "{}".format),
    Column("black", lambda it: short_name(it[1].black) or None),
    Column("white", lambda it: short_name(it[1].white) or None),
    Column("discs", lambda it: it[1].game.board.counts(), "{0[0]}-{0[1]}".format),
    Column("opening", lambda it: opening_name(it[1].game) or None),
    Column("moves", lambda it: format_squares(it[1].game.moves, it[1].game.size), wide=True),
)


def player_table(records: Iterable[Record], note: str) -> Table:
    """Return a table of the results of each player with both colours. All records must have a result."""
    groups = _Groups(list)
    for record in records:
        for colour in Colour:
            groups[_name(record, colour),].append((record, colour))
    return _table("By player", _OF_A_PLAYER, groups, f"Interval: {PAIRED}. {note}")


def pair_table(records: Iterable[Record]) -> Table:
    """Return a table of the results of each pair of players, for black. All records must have a result."""
    groups = _Groups(list)
    for record in records:
        names = _name(record, Colour.BLACK), _name(record, Colour.WHITE)
        groups[names].append((record, Colour.BLACK))
    says = f"Interval: {PAIRED}. Discs: black's minus white's, the mean."
    return _table("By pair, from black's side", _OF_A_PAIR, groups, says)


def opening_table(records: Iterable[Record]) -> Table:
    """Return a table that says how often each opening was played, and black's results in finished games."""
    over, groups = [record for record in records if record.is_over], _Groups(list)
    for record in over:
        for name in names_along(record.game).values():
            groups[name,].append((record, Colour.BLACK))
    columns: tuple[Column[Group], ...] = (
        Column("opening", lambda it: it.names[0]),
        Column("share", lambda it: len(it.seats) / len(over), percent),
        *_COUNTS,
        _DISCS,
    )
    says = (
        "A game counts for every opening that it goes through. Share: of the games with a result. "
        "Interval: 95 % (Wilson's), over the games; where their first moves were given, over those. "
        "Discs: black's minus white's, the mean."
    )
    return _table("By opening, from black's side", columns, groups, says)


def transcripts(records: Sequence[tuple[int, Record]]) -> Table:
    """Return a table of the moves of the first games. A page can show the table without JavaScript."""
    rest = len(records) - _TRANSCRIPTS
    says = f"{rest:,} more games are in the file." if rest > 0 else ""
    return Table.of("Moves of each game", _OF_A_GAME, records[:_TRANSCRIPTS], says, folded=True)


def score_chart(records: Sequence[Record]) -> Chart:
    """Return a histogram of black's discs minus white's discs at the end of the games."""
    largest = max(record.game.size**2 for record in records)
    width = bar_width(2 * largest + 1, _BARS)
    counts, bounds = np.histogram([*differences(records)], bar_bounds(largest, width))
    middles = (bounds[1:] + bounds[:-1]) / 2
    bars = Series("", middles, counts, look(0), kind="bars", width=0.95 * width)
    title, says = "How the games ended", "right of the line black has won, left of it white"
    even = Mark(0, "", of_training(0)._replace(dashes="-"), upright=True)
    return Chart(title, says, "black's discs minus white's at the end", "games", [bars], marks=[even])


def differences(records: Iterable[Record]) -> Iterator[int]:
    """Yield black's discs minus white's discs for each game that was played to its end."""
    for record in records:
        outcome = record.game.board.outcome()
        if outcome and not record.forfeit:
            yield outcome.disc_diff


def _name(record: Record, colour: Colour) -> str:
    name = record.black if colour is Colour.BLACK else record.white
    return short_name(name) or f"({colour.value}, unnamed)"


def _table(title: str, columns: Sequence[Column[Group]], groups: _Groups, says: str) -> Table:
    """Return a table of the largest groups of games. The largest group is the first."""
    ordered = sorted((Group(*group) for group in groups.items()), key=lambda group: -len(group.seats))
    rest = len(groups) - _MOST
    fewer = f" {rest:,} more with fewer games are left out." if rest > 0 else ""
    return Table.of(title, columns, ordered[:_MOST], says + fewer)
