"""Tables of games: each player, and each pair, with scores and intervals."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from experiment.show.display.wording import score_text
from experiment.show.report.page import Column, Table
from experiment.study.statistics.paired import PAIRED, Points, score
from game import Colour
from game.records import Record

MOST = 40
"""Rows of a table; who has played most comes first."""
_COUNTS = tuple(map(Column, ("games", "won", "drawn", "lost", "score", "interval")))
Seat = tuple[Record, Colour]
"""A game with the side from which it is seen."""
K = TypeVar("K")


def player_table(records: Iterable[Record], note: str) -> Table:
    """Return how each player did, on both sides together; only games with a result."""
    groups = defaultdict[str, list[Seat]](list)
    for record in records:
        for colour in Colour:
            groups[_name(record, colour)].append((record, colour))
    rows = [[name, *_cells(seats)] for name, seats in _most(groups)]
    says = f"Interval: {PAIRED}. {note}{_left_out(groups)}"
    return Table("By player", (Column("player", number=False), *_COUNTS), rows, says)


def pair_table(records: Iterable[Record]) -> Table:
    """Return how each pair did from black's side; only games with a result."""
    groups = defaultdict[tuple[str, str], list[Seat]](list)
    for record in records:
        names = _name(record, Colour.BLACK), _name(record, Colour.WHITE)
        groups[names].append((record, Colour.BLACK))
    columns = (
        Column("black", number=False),
        Column("white", number=False, wide=True),
        *_COUNTS,
        Column("discs"),
    )
    rows = [[*names, *_cells(seats), _mean_difference(seats)] for names, seats in _most(groups)]
    says = f"Interval: {PAIRED}. Discs: black's minus white's, the mean.{_left_out(groups)}"
    return Table("By pair, from black's side", columns, rows, says)


def differences(records: Iterable[Record]) -> Iterator[int]:
    """Yield black's discs minus white's of the games that came to their end."""
    for record in records:
        outcome = record.game.board.outcome()
        if outcome and not record.forfeit:
            yield outcome.disc_diff


def _name(record: Record, colour: Colour) -> str:
    name = record.black if colour is Colour.BLACK else record.white
    return name or f"({colour.value}, unnamed)"


def _most(groups: Mapping[K, list[Seat]]) -> list[tuple[K, list[Seat]]]:
    """Return the groups with the most games, those first."""
    return sorted(groups.items(), key=lambda group: -len(group[1]))[:MOST]


def _left_out(groups: Mapping[K, list[Seat]]) -> str:
    rest = len(groups) - MOST
    return f" {rest:,} more with fewer games are left out." if rest > 0 else ""


def _cells(seats: Sequence[Seat]) -> list[str]:
    """Return games, won, drawn, lost, score and its interval."""
    won = sum(record.winner is colour for record, colour in seats)
    drawn = sum(record.winner is None for record, _ in seats)
    found = score(_points(seats))
    counts = (len(seats), won, drawn, len(seats) - won - drawn)
    return [*(f"{count:,}" for count in counts), f"{found.value:.3f}", score_text(*found.interval)]


def _points(seats: Iterable[Seat]) -> Iterator[Points]:
    """Yield each game with its opening, the moves that were given."""
    for record, colour in seats:
        worth = 0.5 if record.winner is None else float(record.winner is colour)
        game = record.game
        yield (str(game.start), *game.moves[: record.opening]), worth


def _mean_difference(seats: Sequence[Seat]) -> str:
    found = [*differences(record for record, _ in seats)]
    return f"{sum(found) / len(found):+.1f}" if found else "-"
