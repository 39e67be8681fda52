"""`othello experiment benchmark`: learners side by side, with several seeds each; and options of a row."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello_lab.commands.checks import check_new_file
from othello_lab.commands.compare import print_tables, say_where
from othello_lab.commands.ending import blaming, reported_errors
from othello_lab.commands.options import Number, argument, option, options, refuse, takes, whole_number
from othello_lab.commands.shared_options import FILE

if TYPE_CHECKING:
    from othello_lab.experiment.compare.judging.trial import Judgement

_ACROSS = 4
"""Opponents that have room in a line of a terminal."""


@options
class RowOptions:
    """Options of `othello evaluate` that write the row of a learner."""

    benchmark: Path | None = option(
        "Take the AGENTs for seeds of one learner and write its row to this new file.",
        type=FILE,
        metavar="NAME.json",
        section="Row of a benchmark",
    )
    minutes: float | None = option("Minutes that each seed was trained.", type=Number(0, min_open=True))
    cores: int | None = whole_number("Cores that each was trained on.", lowest=1)

    def check_row(self, agents: Sequence[str], opponents: Sequence[str]) -> None:
        """Raise click.UsageError for a row that cannot be written."""
        if self.benchmark is None:
            refuse({"minutes", "cores"}, "this is no option without --benchmark")
            return
        from othello_lab.experiment.compare.judging.benchmark import MOST_OPPONENTS, MOST_SEEDS

        check_new_file(self.benchmark, "--benchmark")
        if len(agents) > MOST_SEEDS or len(opponents) > MOST_OPPONENTS:
            raise click.UsageError(
                f"--benchmark: a row has at most {MOST_SEEDS} seeds and {MOST_OPPONENTS} opponents"
            )
        if len(set(agents)) < len(agents):
            raise click.UsageError("--benchmark: an AGENT is named twice, name each seed of the learner once")

    def write_row(self, judged: "Sequence[Sequence[Judgement]]") -> None:
        """Write the row, if one is wanted."""
        from othello_lab.experiment.compare.judging.benchmark import written
        from othello_lab.game.files import replace

        if self.benchmark:
            with reported_errors():
                replace(self.benchmark, written(judged, self.minutes, self.cores))


@options
class _Options:
    rows: tuple[Path, ...] = argument(type=FILE, metavar="ROW.json...", nargs=-1, required=True)
    output: Path = option(
        "The picture; the same as SVG and all rows as CSV go beside it.",
        default=Path("benchmark.png"),
        type=FILE,
    )
    markdown: bool = option("Print the table as Markdown.")


@takes(_Options)
def command(said: _Options) -> None:
    """Compare learners by their rows: a table and a picture of what their seeds score.

    `othello evaluate --benchmark ROW.json` writes the row of a learner, named like the file. All must have
    played the same games. NAME@1.json and the like, after fewer minutes of training, make a curve.
    """
    from othello_lab.experiment.compare.judging.benchmark import charts, last_of_each, read_row, table, tables
    from othello_lab.experiment.show.plots import check_suffix, figure_of, save_both
    from othello_lab.experiment.show.tables import as_csv
    from othello_lab.experiment.study.statistics.stratified import STRATIFIED
    from othello_lab.game.files import replace

    with blaming("--output"):
        check_suffix(said.output)
    with reported_errors(), blaming("ROW.json"):
        rows = [read_row(path) for path in said.rows]
        last = last_of_each(rows)
    with reported_errors():
        print_tables(tables(last) if said.markdown else tables(last, _ACROSS), said.markdown)
        size = 6.0, max(3.6, 1.5 + 0.4 * len(last))
        picture = save_both(figure_of("Benchmark", charts(rows), 2, size, STRATIFIED), said.output)
        replace(picture.with_suffix(".csv"), as_csv(table(rows)))
        say_where(picture, said.markdown)
        click.echo(f"rows: {picture.with_suffix('.csv')}", err=said.markdown)
