"""The report of a file of games: who won how often, by how much, and the games."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from othello_lab.experiment.show.charts import Chart, Mark, Series, bar_bounds, bar_width, look, of_training
from othello_lab.experiment.show.plots import figure_of
from othello_lab.experiment.show.report.games import Wish, shown_games, spread
from othello_lab.experiment.show.report.inline_svg import PHONE, WIDE, Picture, picture
from othello_lab.experiment.show.report.page import Fact, Page, Section
from othello_lab.experiment.show.tables import Column, Table
from othello_lab.experiment.show.wording import between, percent, plural
from othello_lab.experiment.study.statistics.intervals import STUDENT, WILSON, Estimate, mean_of, wilson
from othello_lab.experiment.study.statistics.units import PAIRED, Points, score
from othello_lab.game import Colour
from othello_lab.game.notation import format_squares
from othello_lab.game.records import Record, readable
from othello_lab.game.records.record import left_out

MOST = 40
"""Rows of a table; who has played most comes first."""
_TRANSCRIPTS = 200
"""Rows of theirs."""
Seat = tuple[Record, Colour]
"""A game with the side from which it is seen."""
Groups = defaultdict[tuple[str, ...], list[Seat]]
_OF_A_GAME: tuple[Column[tuple[int, Record]], ...] = (
    Column("number", lambda it: it[0], "{}".format),
    Column("black", lambda it: it[1].black or None),
    Column("white", lambda it: it[1].white or None),
    Column("discs", lambda it: it[1].game.board.counts(), "{0[0]}-{0[1]}".format),
    Column("moves", lambda it: format_squares(it[1].game.moves, it[1].game.size), wide=True),
)
_WINNERS = {"black wins": Colour.BLACK, "white wins": Colour.WHITE, "drawn": None}
_BARS = 24
"""About this many at most."""


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
        """Yield each game with its opening, the moves that were given."""
        for record, colour in self.seats:
            worth = 0.5 if record.winner is None else float(record.winner is colour)
            game = record.game
            yield (str(game.start), *game.moves[: record.opening]), worth

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
_OF_A_PLAYER: tuple[Column[Group], ...] = (Column("player", lambda it: it.names[0]), *_COUNTS)
_OF_A_PAIR: tuple[Column[Group], ...] = (
    Column("black", lambda it: it.names[0]),
    Column("white", lambda it: it.names[1], wide=True),
    *_COUNTS,
    Column("discs", lambda it: it.discs, "{:+.1f}".format),
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


def transcripts(records: Sequence[Record]) -> Table:
    """Return all moves of the first games: for those too who cannot step through them."""
    rest = len(records) - _TRANSCRIPTS
    says = f"{rest:,} more games are in the file." if rest > 0 else ""
    return Table.of("Moves of each game", _OF_A_GAME, enumerate(records[:_TRANSCRIPTS], 1), says, folded=True)


def differences(records: Iterable[Record]) -> Iterator[int]:
    """Yield black's discs minus white's of the games that came to their end."""
    for record in records:
        outcome = record.game.board.outcome()
        if outcome and not record.forfeit:
            yield outcome.disc_diff


def _name(record: Record, colour: Colour) -> str:
    name = record.black if colour is Colour.BLACK else record.white
    return name or f"({colour.value}, unnamed)"


def _most(groups: Groups) -> list[Group]:
    """Return the groups with the most games, those first."""
    found = (Group(names, seats) for names, seats in groups.items())
    return sorted(found, key=lambda group: -len(group.seats))[:MOST]


def _fewer(groups: Groups) -> str:
    rest = len(groups) - MOST
    return f" {rest:,} more with fewer games are left out." if rest > 0 else ""


def page_of_records(path: Path, wish: Wish) -> Page:
    """Return the report of a file of games; raise ValueError without games, and as the adviser does."""
    records, faults = readable(path)
    if not records:
        raise ValueError(f"{path} has no games")
    shown = shown_games(spread(records, wish.games), wish)
    says = [] if len(shown) == len(records) else [f"{len(shown):,} of {len(records):,} games, evenly spread."]
    largest = max(record.game.size**2 for record in records)
    picture = score_picture([*differences(records)], largest)
    sections = [
        Section("Results", [_about(records)], [picture], _tables(records)),
        Section("Transcripts", tables=[transcripts(records)]),
    ]
    every = [*says, *left_out(faults)]
    sizes = ", ".join(f"{size}x{size}" for size in sorted({record.game.size for record in records}))
    subtitle = f"{plural(len(records), 'game')} of Othello on {sizes}"
    return Page(f"Games of {path.name}", subtitle, [*_facts(records)], sections, shown, every)


def _tables(records: Sequence[Record]) -> list[Table]:
    over = [record for record in records if record.is_over]
    note = f"The intervals above: {WILSON}; of the mean {STUDENT} over the games."
    return [player_table(over, note), pair_table(over)]


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
