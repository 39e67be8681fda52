"""The table of evaluations of a run: at its end, while it is watched, and in its report."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from othello_lab.experiment.run.outcomes import Evaluation, Tally, by_opponent, total
from othello_lab.experiment.run.random_mover import random_mover
from othello_lab.experiment.run.record import known
from othello_lab.experiment.show.headline import result_name
from othello_lab.experiment.show.tables import Column, Table
from othello_lab.experiment.study.statistics.intervals import wilson


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
