"""The tables of recorded games: who won how often, by player, by pair and by opening, and all moves.

Nothing here draws: `othello games` prints them and a report shows them.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from othello_lab.experiment.show.tables import Column, Table
from othello_lab.experiment.show.wording import percent
from othello_lab.experiment.study.statistics.intervals import Estimate
from othello_lab.experiment.study.statistics.units import PAIRED, Points, score
from othello_lab.game import Colour
from othello_lab.game.notation import format_squares
from othello_lab.game.openings import names_along, opening_name
from othello_lab.game.players.short_names import short_name
from othello_lab.game.records import Record

MOST = 40
"""Rows of a table; who has played most comes first."""
_TRANSCRIPTS = 200
"""Rows of theirs."""
Seat = tuple[Record, Colour]
"""A game with the side from which it is seen."""
Groups = defaultdict[tuple[str, ...], list[Seat]]
_OF_A_GAME: tuple[Column[tuple[int, Record]], ...] = (
    Column("number", lambda it: it[0], "{}".format),
    Column("black", lambda it: short_name(it[1].black) or None),
    Column("white", lambda it: short_name(it[1].white) or None),
    Column("discs", lambda it: it[1].game.board.counts(), "{0[0]}-{0[1]}".format),
    Column("opening", lambda it: opening_name(it[1].game) or None),
    Column("moves", lambda it: format_squares(it[1].game.moves, it[1].game.size), wide=True),
)


class Group(NamedTuple):
    """Games that belong together, by the names of those who played them."""

    names: tuple[str, ...]
    seats: Sequence[Seat]

    @property
    def won(self) -> int:
        """The games that the side from which they are seen won."""
        return sum(record.winner is colour for record, colour in self.seats)

    @property
    def drawn(self) -> int:
        """The games that nobody won."""
        return sum(record.winner is None for record, _ in self.seats)

    @property
    def score(self) -> Estimate:
        """Wins and half the draws, a share of the games."""
        return score(self._points())

    def _points(self) -> Iterator[Points]:
        """Yield each game with its opening, the moves that were given; without any it stands for itself."""
        for place, (record, colour) in enumerate(self.seats):
            worth = 0.5 if record.winner is None else float(record.winner is colour)
            given = record.game.start, *record.game.moves[: record.opening]
            yield (given if record.opening else place), worth

    @property
    def discs(self) -> float | None:
        """Black's discs minus white's, the mean; None where no game came to its end."""
        found = [*differences(record for record, _ in self.seats)]
        return sum(found) / len(found) if found else None


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


def player_table(records: Iterable[Record], note: str) -> Table:
    """Return how each player did, on both sides together; only games with a result."""
    groups = Groups(list)
    for record in records:
        for colour in Colour:
            groups[(_name(record, colour),)].append((record, colour))
    says = f"Interval: {PAIRED}. {note}{_fewer(groups)}"
    return Table.of("By player", _OF_A_PLAYER, _most(groups), says)


def pair_table(records: Iterable[Record]) -> Table:
    """Return how each pair did from black's side; only games with a result."""
    groups = Groups(list)
    for record in records:
        names = _name(record, Colour.BLACK), _name(record, Colour.WHITE)
        groups[names].append((record, Colour.BLACK))
    says = f"Interval: {PAIRED}. Discs: black's minus white's, the mean.{_fewer(groups)}"
    return Table.of("By pair, from black's side", _OF_A_PAIR, _most(groups), says)


def opening_table(records: Iterable[Record]) -> Table:
    """Return how often each opening was played and how black did; only games with a result."""
    over, groups = [record for record in records if record.is_over], Groups(list)
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
        f"Discs: black's minus white's, the mean.{_fewer(groups)}"
    )
    return Table.of("By opening, from black's side", columns, _most(groups), says)


def transcripts(records: Sequence[tuple[int, Record]]) -> Table:
    """Return all moves of the first games, by their numbers: for those too who cannot step through them."""
    rest = len(records) - _TRANSCRIPTS
    says = f"{rest:,} more games are in the file." if rest > 0 else ""
    return Table.of("Moves of each game", _OF_A_GAME, records[:_TRANSCRIPTS], says, folded=True)


def differences(records: Iterable[Record]) -> Iterator[int]:
    """Yield black's discs minus white's of the games that came to their end."""
    for record in records:
        outcome = record.game.board.outcome()
        if outcome and not record.forfeit:
            yield outcome.disc_diff


def _name(record: Record, colour: Colour) -> str:
    name = record.black if colour is Colour.BLACK else record.white
    return short_name(name) or f"({colour.value}, unnamed)"


def _most(groups: Groups) -> list[Group]:
    """Return the groups with the most games, those first."""
    found = (Group(names, seats) for names, seats in groups.items())
    return sorted(found, key=lambda group: -len(group.seats))[:MOST]


def _fewer(groups: Groups) -> str:
    rest = len(groups) - MOST
    return f" {rest:,} more with fewer games are left out." if rest > 0 else ""
