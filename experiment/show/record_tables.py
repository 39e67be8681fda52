"""Tables and the chart of recorded games: results by player, by pair and by opening, scores, all moves."""

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
from othello_lab.game.notation import format_squares
from othello_lab.game.openings import names_along, opening_name
from othello_lab.game.players.short_names import short_name
from othello_lab.game.records import Record

_MOST, _TRANSCRIPTS, _BARS = 40, 200, 24
"""The most rows of a table of results, and of transcripts; the bars of the chart, about."""
Seat = tuple[Record, Colour]
"""A game and the side whose result counts."""
_Groups = defaultdict[tuple[str, ...], list[Seat]]


class Group(NamedTuple):
    """Games that are counted together, by the names of their players or opening."""

    names: tuple[str, ...]
    seats: Sequence[Seat]

    @property
    def won(self) -> int:
        """Number of wins."""
        return sum(record.winner is colour for record, colour in self.seats)

    @property
    def drawn(self) -> int:
        """Number of draws."""
        return sum(record.winner is None for record, _ in self.seats)

    @property
    def score(self) -> Estimate:
        """Wins and half the draws, a share of the games."""
        return score(self._points())

    def _points(self) -> Iterator[Points]:
        """Yield each game with its opening, the moves that were given, or its index without any."""
        for place, (record, colour) in enumerate(self.seats):
            worth = 0.5 if record.winner is None else float(record.winner is colour)
            opening = record.game.start, *record.game.moves[: record.opening]
            yield (opening if record.opening else place), worth

    @property
    def discs(self) -> float | None:
        """The mean of black's discs minus white's; None if no game has come to its end."""
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
    """Return the result of each player, on both sides together; only games with a result."""
    groups = _Groups(list)
    for record in records:
        for colour in Colour:
            groups[_name(record, colour),].append((record, colour))
    return _table("By player", _OF_A_PLAYER, groups, f"Interval: {PAIRED}. {note}")


def pair_table(records: Iterable[Record]) -> Table:
    """Return the result of each pair from black's side; only games with a result."""
    groups = _Groups(list)
    for record in records:
        names = _name(record, Colour.BLACK), _name(record, Colour.WHITE)
        groups[names].append((record, Colour.BLACK))
    says = f"Interval: {PAIRED}. Discs: black's minus white's, the mean."
    return _table("By pair, from black's side", _OF_A_PAIR, groups, says)


def opening_table(records: Iterable[Record]) -> Table:
    """Return how often each opening was played, and black's result; only games with a result."""
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
    """Return the moves of the first games, by their numbers: a page needs no JavaScript to show them."""
    rest = len(records) - _TRANSCRIPTS
    says = f"{rest:,} more games are in the file." if rest > 0 else ""
    return Table.of("Moves of each game", _OF_A_GAME, records[:_TRANSCRIPTS], says, folded=True)


def score_chart(records: Sequence[Record]) -> Chart:
    """Return the histogram of black's discs minus white's at the end."""
    largest = max(record.game.size**2 for record in records)
    width = bar_width(2 * largest + 1, _BARS)
    counts, bounds = np.histogram([*differences(records)], bar_bounds(largest, width))
    middles = (bounds[1:] + bounds[:-1]) / 2
    bars = Series("", middles, counts, look(0), kind="bars", width=0.95 * width)
    title, says = "How the games ended", "right of the line black has won, left of it white"
    even = Mark(0, "", of_training(0)._replace(dashes="-"), upright=True)
    return Chart(title, says, "black's discs minus white's at the end", "games", [bars], marks=[even])


def differences(records: Iterable[Record]) -> Iterator[int]:
    """Yield black's discs minus white's for each game that has come to its end."""
    for record in records:
        outcome = record.game.board.outcome()
        if outcome and not record.forfeit:
            yield outcome.disc_diff


def _name(record: Record, colour: Colour) -> str:
    name = record.black if colour is Colour.BLACK else record.white
    return short_name(name) or f"({colour.value}, unnamed)"


def _table(title: str, columns: Sequence[Column[Group]], groups: _Groups, says: str) -> Table:
    """Return a table of the groups with the most games, those first."""
    ordered = sorted((Group(*group) for group in groups.items()), key=lambda group: -len(group.seats))
    rest = len(groups) - _MOST
    fewer = f" {rest:,} more with fewer games are left out." if rest > 0 else ""
    return Table.of(title, columns, ordered[:_MOST], says + fewer)
