"""The report of a file of games: who won how often, by how much, and the games."""

from collections.abc import Iterator, Sequence
from typing import Any

from experiment.show.report.page import Fact, Page, Section
from experiment.show.report.record_tables import differences, pair_table, player_table, transcripts
from experiment.show.report.score_picture import score_picture
from experiment.show.tables import Table
from experiment.show.wording import between, percent, plural
from experiment.study.statistics.means import STUDENT, mean_of
from experiment.study.statistics.shares import WILSON, wilson
from game import Colour
from game.records import Record


def records_page(
    title: str, records: Sequence[Record], games: Sequence[dict[str, Any]], says: Sequence[str]
) -> Page:
    """Return the report of at least one game, with those that are to be stepped through."""
    largest = max(record.game.size**2 for record in records)
    picture = score_picture([*differences(records)], largest)
    sections = [
        Section("Results", [_about(records)], [picture], _tables(records)),
        Section("Transcripts", tables=[transcripts(records)]),
    ]
    return Page(title, _subtitle(records), [*_facts(records)], sections, games, says)


def _tables(records: Sequence[Record]) -> list[Table]:
    over = [record for record in records if record.is_over]
    note = f"The intervals above: {WILSON}; of the mean {STUDENT} over the games."
    return [player_table(over, note), pair_table(over)]


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
    for what, who in _WINNERS.items():
        share = sum(record.winner is who for record in over) / max(1, len(over))
        yield Fact(what, percent(share), f"95 %: {between(*wilson(share, len(over)))}")
    if ends := [*differences(over)]:
        found = mean_of(ends)
        says = f"± {found.reach:.2f} (95 %)" if len(ends) > 1 else ""
        yield Fact("black's discs minus white's, mean", f"{found.value:+.2f}", says)


_WINNERS = {"black wins": Colour.BLACK, "white wins": Colour.WHITE, "drawn": None}
