"""The report of a file of games: who won how often, by how much, and the games."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from othello_lab.experiment.show.charts import Chart, Mark, Series, bar_bounds, bar_width, look, of_training
from othello_lab.experiment.show.plots import figure_of
from othello_lab.experiment.show.record_tables import (
    differences,
    opening_table,
    pair_table,
    player_table,
    transcripts,
)
from othello_lab.experiment.show.report.games import Wish, result_of, score_of, shown_games, spread
from othello_lab.experiment.show.report.page import PHONE, WIDE, Fact, Page, Picture, Section, picture
from othello_lab.experiment.show.tables import Table
from othello_lab.experiment.show.wording import between, percent, plural
from othello_lab.experiment.study.statistics.intervals import STUDENT, WILSON, mean_of, wilson
from othello_lab.game import Colour
from othello_lab.game.players.short_names import short_name
from othello_lab.game.records import Record, entries, faults_of
from othello_lab.game.records.record import first_few

_WINNERS = {"black wins": Colour.BLACK, "white wins": Colour.WHITE, "drawn": None}
_BARS = 24
"""About this many at most."""


def page_of_records(path: Path, wish: Wish) -> Page:
    """Return the report of a file of games; raise ValueError without games, and as the adviser does."""
    every = entries(path)
    faults = faults_of(every)
    numbered = [(number, each) for number, each in enumerate(every, 1) if isinstance(each, Record)]
    records = [record for _, record in numbered]
    if not records:
        raise ValueError(f"{path} has no games")
    shown = shown_games([each for _, each in spread(numbered, wish.games)], wish)
    says = [] if len(shown) == len(records) else [f"{len(shown):,} of {len(records):,} games, evenly spread."]
    sections = [Section("Transcripts", tables=[transcripts(numbered)])]
    if len(records) > 1:
        picture = score_picture([*differences(records)], max(record.game.size**2 for record in records))
        sections.insert(0, Section("Results", [_about(records)], [picture], _tables(records)))
    notes = [*says, *first_few(faults)]
    sizes = ", ".join(f"{size}x{size}" for size in sorted({record.game.size for record in records}))
    subtitle = f"{plural(len(records), 'game')} of Othello on {sizes}"
    return Page(f"Games of {path.name}", subtitle, [*_facts(records)], sections, shown, notes)


def _tables(records: Sequence[Record]) -> list[Table]:
    over = [record for record in records if record.is_over]
    note = f"The intervals above: {WILSON}; of the mean {STUDENT} over the games."
    tables = [player_table(over, note), pair_table(over), opening_table(over)]
    return [table for table in tables if table.rows]


def _about(records: Sequence[Record]) -> str:
    open_ = sum(1 for record in records if not record.is_over)
    rest = f" Games without a result are left out of all counts: {open_}." if open_ else ""
    return f"A score is the share of games won, half of the drawn ones added.{rest}"


def _facts(records: Sequence[Record]) -> Iterator[Fact]:
    if len(records) == 1:
        (record,) = records
        yield Fact("black", short_name(record.black) or "-")
        yield Fact("white", short_name(record.white) or "-")
        yield Fact("result", score_of(record), result_of(record))
        return
    over = [record for record in records if record.is_over]
    yield Fact("games", f"{len(records):,}")
    for what, who in _WINNERS.items():
        share = sum(record.winner is who for record in over) / max(1, len(over))
        yield Fact(what, percent(share), f"95 %: {between(*wilson(share, len(over)))}")
    if ends := [*differences(over)]:
        found = mean_of(ends)
        says = f"± {found.reach:.2f} (95 %)" if len(ends) > 1 else ""
        yield Fact("black's discs minus white's, mean", f"{found.value:+.2f}", says)


def score_picture(found: Sequence[int], largest: int) -> Picture:
    """Return the histogram of black's discs minus white's at the end; `largest` is the most there can be."""
    width = bar_width(2 * largest + 1, _BARS)
    counts, bounds = np.histogram(found, bar_bounds(largest, width))
    middles = (bounds[1:] + bounds[:-1]) / 2
    bars = Series("", middles, counts, look(0), kind="bars", width=0.95 * width)
    title, says = "How the games ended", "right of the line black has won, left of it white"
    even = Mark(0, "", of_training(0)._replace(dashes="-"), upright=True)
    chart = Chart(title, says, "black's discs minus white's at the end", "games", [bars], marks=[even])
    wide, phone = (figure_of("", [chart], 1, (width, 3.0)) for width in (WIDE, PHONE))
    about = f"Histogram of black's discs minus white's at the end of {len(found):,} games."
    return picture(wide, phone, "scores", title, about)
