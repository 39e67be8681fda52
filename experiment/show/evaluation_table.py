"""The table of evaluations of a run: at its end, while it is watched, and in its report.

Beside it stands the score of a random mover: the least that an agent should reach.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from othello_lab.experiment.run.outcomes import SELF, STAND_IN, Evaluation, Tally, by_opponent, total
from othello_lab.experiment.run.record import RunRecord, known, result_name
from othello_lab.experiment.show.tables import Column, Table
from othello_lab.experiment.study.statistics.intervals import wilson

_GAMES = 5000
_RANDOM_MOVER: Mapping[tuple[int, str], tuple[int, int, int, int]] = {
    (4, "corner-greedy"): (147, 48, 1767, 708),
    (4, "greedy"): (2019, 423, 2664, 582),
    (4, "mobility"): (352, 6, 1351, 483),
    (4, "positional"): (372, 17, 1685, 396),
    (4, "random"): (1794, 514, 2753, 477),
    (4, "weights:swh"): (263, 33, 1765, 450),
    (6, "corner-greedy"): (642, 144, 1132, 221),
    (6, "greedy"): (1597, 223, 1940, 257),
    (6, "mobility"): (566, 107, 866, 129),
    (6, "positional"): (440, 131, 431, 148),
    (6, "random"): (2236, 275, 2519, 296),
    (6, "weights:swh"): (503, 166, 698, 246),
    (8, "corner-greedy"): (966, 128, 996, 119),
    (8, "greedy"): (1897, 165, 1828, 176),
    (8, "mobility"): (964, 104, 1012, 95),
    (8, "positional"): (439, 93, 496, 117),
    (8, "random"): (2272, 203, 2542, 215),
    (8, "weights:swh"): (851, 180, 1010, 212),
    (10, "corner-greedy"): (984, 104, 1086, 122),
    (10, "greedy"): (1705, 133, 1639, 135),
    (10, "random"): (2244, 169, 2579, 163),
}
"""Board size and opponent: how many of 5,000 games a random mover won and drew as black, and as white.

From the standard start; measured by playing `Pairing("random", opponent, size, repeat=5000)`,
with luck that came from the number of the game. Luck of another kind gives other games of the same chances.
"""
_COLOURS: Mapping[str, tuple[str, ...]] = {"agent": ("black",), "opponent": ("white",)}
"""Who begins: which colours the agent has, if not both."""


class Row(NamedTuple):
    """Games against one opponent."""

    against: str
    tally: Tally
    colour: str | None = None
    """The agent's, or `both`; None where no row says it."""
    after: int | None = None
    """Training games before them; None where that is the same for all rows."""
    before: float | str | None = None
    """Percent won in the first evaluation of the run; None where it is the last one."""


_COLUMNS: tuple[Column[Row], ...] = (
    Column("after games", lambda it: it.after, "{:,}".format),
    Column("against", lambda it: it.against),
    Column("as", lambda it: it.colour),
    Column("games", lambda it: it.tally.games, "{:,}".format),
    Column("won %", lambda it: 100 * it.tally.win_rate, "{:.1f}".format, "won"),
    Column(
        "95 %",
        lambda it: [100 * end for end in wilson(it.tally.win_rate, it.tally.games)],
        "{0[0]:.1f}-{0[1]:.1f}".format,
        "interval",
    ),
    Column("drawn", lambda it: it.tally.draw, "{:,}".format),
    Column("lost", lambda it: it.tally.loss, "{:,}".format),
    Column("before", lambda it: it.before, "{:.1f}".format),
)


def table(title: str, rows: Iterable[Row], says: str = "", folded: bool = False) -> Table:
    """Return a table of games; a column that says nothing of any row is left out."""
    return Table.of(title, _COLUMNS, rows, says, folded=folded).without_empty()


def sums(results: Iterable[Evaluation], config: Mapping[str, Any], width: int | None = None) -> Iterator[Row]:
    """Yield a row for each opponent, all colours together; names have at most `width` characters."""
    for opponent, own in by_opponent(results).items():
        yield Row(result_name(opponent, config, width), total(own))


def each_colour(results: Iterable[Evaluation], config: Mapping[str, Any]) -> Iterator[Row]:
    """Yield a row for each opponent, and of several colours one for each."""
    for opponent, own in by_opponent(results).items():
        name = result_name(opponent, config)
        if len(own) > 1:
            yield Row(name, total(own), "both")
        for result in own:
            yield Row(name, result.tally, result.colour or "-")


def at_the_end(
    evaluations: Sequence[Evaluation],
    others: Iterable[Evaluation],
    early: Iterable[Evaluation],
    config: Mapping[str, Any],
    width: int,
) -> Table:
    """Return the table of a run's end: a row for each opponent and colour, beside it what was won before.

    Below the first opponent stands what a random mover has against it, where that is known; below all, with
    both colours together, `others`, who were not met before.
    """
    before = {(result.opponent, result.colour): 100 * result.tally.win_rate for result in early}
    nothing = "" if before else None
    rows = list[Row]()
    for result in evaluations:
        name = result_name(result.opponent, config, width)
        won = before.get((result.opponent, result.colour), nothing)
        rows.append(Row(name, result.tally, result.colour, before=won))
        tally = random_mover(known(config), result.opponent, result.colour)
        if tally and result.opponent == evaluations[0].opponent:
            rows.append(Row("  if it moved at random", tally, result.colour, before=nothing))
    rows += [row._replace(colour="both", before=nothing) for row in sums(others, config, width)]
    return table("", rows)


def first_evaluation(evaluations: Sequence[Evaluation], end: int) -> list[Evaluation]:
    """Return the first evaluation of a run, nothing if that is its last."""
    first = min((result.episode for result in evaluations), default=end)
    return [result for result in evaluations if result.episode == first < end]


def random_mover(record: RunRecord, opponent: str, colour: str) -> Tally | None:
    """Return the result of a random mover in the games of a run against an opponent; None if not measured."""
    measured = _RANDOM_MOVER.get((record.environment_stats.size or 0, opponent))
    if measured is None or record.environment.random_opening or colour not in ("black", "white"):
        return None
    win, draw = measured[:2] if colour == "black" else measured[2:]
    return Tally(win, draw, _GAMES - win - draw)


def random_mover_in(record: RunRecord) -> Tally | None:
    """Return the result of a random mover in the training games of a run; None if not measured.

    In a run of self-play, it is that of the first evaluation games instead.
    """
    stats = record.environment_stats
    opponent, colours = stats.opponent or "", _COLOURS.get(stats.first or "", ("black", "white"))
    if opponent == SELF:
        opponent, colours = STAND_IN, ("black",)
    found = [random_mover(record, opponent, colour) for colour in colours]
    return sum((tally for tally in found if tally), Tally()) if all(found) else None
