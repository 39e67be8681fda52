"""Tables and a chart of recorded games, by player and by opening."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.show.charts import Chart, Mark, Series, bar_bounds, bar_width, look, of_training
from othello_lab.experiment.show.tables import Column, Table
from othello_lab.experiment.show.wording import percent
from othello_lab.experiment.study.statistics.units import PAIRED, score
from othello_lab.game import Colour
from othello_lab.game.openings import names_along, opening_name
from othello_lab.game.play import Played
from othello_lab.game.records import Record
from othello_lab.game.short_names import short_name
from othello_lab.game.transcripts import format_squares

_MOST, _TRANSCRIPTS, _BARS = 40, 200, 24  # maximum rows and transcripts; approximate number of bars
_Groups = defaultdict[tuple[str, ...], list[Played]]  # Games by player or opening.
_COUNTS: tuple[Column[Any], ...] = (
    *(Column(heading, write="{:,}".format) for heading in ("games", "won", "drawn", "lost")),
    Column("score", write="{:.3f}".format),
    Column("interval", write="{0.low:.3f} to {0.high:.3f}".format),
)
_DISCS = Column[Any]("discs", write="{:+.1f}".format)
_OF_A_GAME: tuple[Column[tuple[int, Record]], ...] = (
    Column("number", lambda it: it[0], "{}".format),
    Column("black", lambda it: short_name(it[1].black) or None),
    Column("white", lambda it: short_name(it[1].white) or None),
    Column("discs", lambda it: it[1].game.board.counts(), "{0[0]}-{0[1]}".format),
    Column("opening", lambda it: opening_name(it[1].game) or None),
    Column("moves", lambda it: format_squares(it[1].game.moves, it[1].game.size), wide=True),
)


def _counts(games: Sequence[Played]) -> tuple[Any, ...]:
    points = [game.points for game in games]
    # Games from one opening are one sampling unit. A game without an opening is its own unit.
    units = [game.opening if game.record.opening else place for place, game in enumerate(games)]
    value, interval = score(zip(units, points, strict=True))
    return len(games), points.count(1), points.count(0.5), points.count(0), value, interval


def _discs(games: Sequence[Played]) -> float | None:
    """Return black's mean disc difference, or None if no game is finished."""
    discs = differences(game.record for game in games)
    return sum(discs) / len(discs) if discs else None


def player_table(records: Iterable[Record], note: str) -> Table:
    """Return a table of each player's results with both colours. All records must have a result."""
    groups = _Groups(list)
    for record in records:
        for colour in Colour:
            groups[_name(record, colour),].append(Played(record, colour))
    largest, fewer = _largest(groups)
    rows = [(*names, *_counts(games)) for names, games in largest]
    return Table("By player", (Column("player"), *_COUNTS), rows, f"Interval: {PAIRED}. {note}{fewer}")


def opening_table(records: Iterable[Record]) -> Table:
    """Return a table of each opening's share of the finished games, with black's results."""
    over, groups = [record for record in records if record.is_over], _Groups(list)
    for record in over:
        for name in names_along(record.game).values():
            groups[name,].append(Played(record, Colour.BLACK))
    largest, fewer = _largest(groups)
    columns = Column("opening"), Column("share", write=percent), *_COUNTS, _DISCS
    rows = [(*names, len(games) / len(over), *_counts(games), _discs(games)) for names, games in largest]
    says = (
        "A game counts for every opening that it goes through. Share: of the games with a result. "
        "Interval: 95 % (Wilson's), over the games; where their first moves were given, over those. "
        f"Discs: black's minus white's, the mean.{fewer}"
    )
    return Table("By opening, from black's side", columns, rows, says)


def _largest(groups: _Groups) -> tuple[list[tuple[tuple[str, ...], list[Played]]], str]:
    """Return the largest groups of games, the largest first, and a note on the omitted groups."""
    ordered = sorted(groups.items(), key=lambda group: -len(group[1]))
    rest = len(groups) - _MOST
    return ordered[:_MOST], f" {rest:,} more with fewer games are left out." if rest > 0 else ""


def transcripts(records: Sequence[tuple[int, Record]]) -> Table:
    """Return a table of the moves of the first games."""
    rest = len(records) - _TRANSCRIPTS
    says = f"{rest:,} more games are in the file." if rest > 0 else ""
    return Table.of("Moves of each game", _OF_A_GAME, records[:_TRANSCRIPTS], says, folded=True)


def score_chart(records: Sequence[Record]) -> Chart:
    """Return a histogram of black's final disc differences."""
    ends = differences(records)
    squares = max(record.game.size**2 for record in records)
    return differences_chart(np.array(ends), np.ones(len(ends)), squares, _BARS)


def differences_chart(differences: NDArray[Any], games: NDArray[Any], squares: int, most_bars: int) -> Chart:
    """Return a histogram of black's final disc differences. `games` has their counts, [n]."""
    width, number = bar_width(2 * squares + 1, most_bars), max(1.0, float(games.sum()))
    counts, bounds = np.histogram(differences, bar_bounds(squares, width), weights=games)
    middles, mean = (bounds[1:] + bounds[:-1]) / 2, float((differences * games).sum()) / number
    bars = Series("", middles, counts / number, look(0), kind="bars", width=0.9 * width)
    marks = [
        Mark(mean, f"mean {mean:+.2f}", of_training(0), upright=True),
        Mark(0, "", of_training(1)._replace(dashes="-"), upright=True),
    ]
    x = "black's discs minus white's at the end"
    says = "right of 0 black has won, left of 0 white"
    title = "How the games ended"
    return Chart(title, says, f"{x}, {width} to a bar", "games", [bars], percent=True, marks=marks)


def differences(records: Iterable[Record]) -> list[int]:
    """Return black's final disc difference in each finished game."""
    ends = (Played(record, Colour.BLACK).disc_diff for record in records)
    return [difference for difference in ends if difference is not None]


def _name(record: Record, colour: Colour) -> str:
    name = record.black if colour is Colour.BLACK else record.white
    return short_name(name) or f"({colour.value}, unnamed)"
