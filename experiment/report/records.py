"""The report of a file of games: who won how often, by how much, and the games."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from experiment.episodes.outcomes import Tally
from experiment.report.page import Column, Fact, Page, Section, Table
from experiment.report.score_picture import score_picture
from experiment.report.wording import between, percent, plural, score_text
from experiment.statistics.means import STUDENT, mean_of
from experiment.statistics.paired import PAIRED, Points, score
from experiment.statistics.shares import WILSON, wilson
from game import Colour
from game.notation import format_squares
from game.records import Record

_MOST = 40
"""Rows of a table; who has played most comes first."""
Pair = tuple[str, str]


def records_page(
    title: str, records: Sequence[Record], games: Sequence[dict[str, Any]], says: Sequence[str]
) -> Page:
    """Return the report of at least one game, with those that are to be stepped through."""
    sections = [
        Section("Results", [_about(records)], [score_picture(records)], [*_tables(records)]),
        Section("Transcripts", tables=[_transcripts(records)]),
    ]
    return Page(title, _subtitle(records), [*_facts(records)], sections, games, says)


def _subtitle(records: Sequence[Record]) -> str:
    sizes = sorted({record.game.size for record in records})
    return f"{plural(len(records), 'game')} of Othello on {', '.join(f'{size}x{size}' for size in sizes)}"


def _about(records: Sequence[Record]) -> str:
    open_ = sum(1 for record in records if not record.is_over)
    rest = f" Games without a result are left out of all counts: {open_}." if open_ else ""
    return f"A score is the share of games won, half of the drawn ones added.{rest}"


def _facts(records: Sequence[Record]) -> Iterator[Fact]:
    over = [record for record in records if record.is_over]
    yield Fact("games", f"{len(records):,}")
    counts = {what: sum(1 for r in over if r.winner is who) for what, who in _WINNERS.items()}
    for what, count in counts.items():
        share = count / len(over) if over else 0.0
        yield Fact(what, percent(share), f"95 %: {between(*wilson(share, len(over)))}")
    if differences := [*_differences(over)]:
        found = mean_of(differences)
        says = f"± {found.reach:.2f} (95 %)" if len(differences) > 1 else ""
        yield Fact("black's discs minus white's, mean", f"{found.value:+.2f}", says)


_WINNERS = {"black wins": Colour.BLACK, "white wins": Colour.WHITE, "drawn": None}


def _differences(records: Iterable[Record]) -> Iterator[int]:
    """Yield black's discs minus white's of the games that came to their end."""
    for record in records:
        outcome = record.game.board.outcome()
        if outcome and not record.forfeit:
            yield outcome.disc_diff


def _tables(records: Sequence[Record]) -> Iterator[Table]:
    note = f"The intervals above: {WILSON}; of the mean {STUDENT} over the games."
    pairs = defaultdict[Pair, list[Record]](list)
    for record in records:
        if record.is_over:
            pairs[_name(record, Colour.BLACK), _name(record, Colour.WHITE)].append(record)
    by_player = _by_player(pairs)
    columns = (
        Column("player", number=False),
        *map(Column, ("games", "won", "drawn", "lost", "score", "interval")),
    )
    rows = [[name, *_cells(seats)] for name, seats in _most(by_player)]
    yield Table("By player", columns, rows, f"Interval: {PAIRED}. {note}{_left_out(by_player)}")
    columns = (Column("black", number=False), Column("white", number=False), *columns[1:], Column("discs"))
    rows = [
        [*pair, *_cells([(r, Colour.BLACK) for r in own]), _mean_difference(own)]
        for pair, own in _most(pairs)
    ]
    yield Table(
        "By pair, from black's side",
        columns,
        rows,
        f"Interval: {PAIRED}. Discs: black's minus white's, the mean.{_left_out(pairs)}",
    )


Seat = tuple[Record, Colour]


def _by_player(pairs: dict[Pair, list[Record]]) -> dict[str, list[Seat]]:
    found = defaultdict[str, list[Seat]](list)
    for names, records in pairs.items():
        for name, colour in zip(names, Colour, strict=True):
            found[name] += [(record, colour) for record in records]
    return found


def _name(record: Record, colour: Colour) -> str:
    return getattr(record, colour.value) or f"({colour.value}, unnamed)"


def _most(groups: dict[Any, list[Any]]) -> list[tuple[Any, list[Any]]]:
    """Return the groups with the most games, those first."""
    return sorted(groups.items(), key=lambda group: -len(group[1]))[:_MOST]


def _left_out(groups: dict[Any, list[Any]]) -> str:
    rest = len(groups) - _MOST
    return f" {rest:,} more with fewer games are left out." if rest > 0 else ""


def _cells(seats: Sequence[Seat]) -> list[str]:
    """Return games, won, drawn, lost, score and its interval."""
    tally = Tally(
        sum(1 for record, colour in seats if record.winner is colour),
        sum(1 for record, _ in seats if record.winner is None),
        sum(1 for record, colour in seats if record.winner is colour.other),
    )
    found = score(_points(seats))
    counts = (tally.games, tally.win, tally.draw, tally.loss)
    return [*(f"{count:,}" for count in counts), f"{found.value:.3f}", score_text(*found.interval)]


def _points(seats: Iterable[Seat]) -> Iterator[Points]:
    """Yield each game with its opening, the moves that were given."""
    for record, colour in seats:
        worth = 0.5 if record.winner is None else float(record.winner is colour)
        game = record.game
        yield (str(game.boards[0]), *game.moves[: record.opening]), worth


def _mean_difference(records: Sequence[Record]) -> str:
    found = [*_differences(records)]
    return f"{sum(found) / len(found):+.1f}" if found else "-"


def _transcripts(records: Sequence[Record]) -> Table:
    """Return all moves of the first games: what also those read who cannot step through them."""
    columns = (
        Column("number"),
        Column("black", False),
        Column("white", False),
        Column("discs"),
        Column("moves", False, True),
    )
    rows = [
        [
            f"{number}",
            record.black or "-",
            record.white or "-",
            "-".join(map(str, record.game.board.counts())),
            format_squares(record.game.moves, record.game.size),
        ]
        for number, record in enumerate(records[:_TRANSCRIPTS], 1)
    ]
    rest = len(records) - len(rows)
    says = f"{rest:,} more games are in the file." if rest else ""
    return Table("Moves of each game", columns, rows, says, folded=True)


_TRANSCRIPTS = 200
