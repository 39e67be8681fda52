"""Tables of evaluations, and the report at the end of a run."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from othello_lab.experiment.run.outcomes import (
    FROM_OPENINGS,
    Evaluation,
    RunResult,
    Tally,
    by_opponent,
    total,
)
from othello_lab.experiment.run.record import RunRecord, agent_part
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show import wording
from othello_lab.experiment.show.progress import clock
from othello_lab.experiment.show.tables import Column, Table, grid
from othello_lab.experiment.show.verdict import met_in, random_mover, verdict
from othello_lab.experiment.study.statistics.intervals import WILSON, wilson

_LONGEST = 24  # maximum length of a name in the table


class Row(NamedTuple):
    """A table row with the results against one opponent."""

    against: str
    tally: Tally
    colour: str | None = None  # The agent's colour or `both`. The column is hidden if all values are None.
    after: int | None = None  # The number of earlier training games. None if all rows have the same number.
    # The percentage won in the run's first evaluation, or None if the run has only one evaluation.
    before: float | str | None = None


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
    """Return a table of results, without empty columns."""
    return Table.of(title, _COLUMNS, rows, says, folded=folded).without_empty()


def sums(results: Iterable[Evaluation], record: RunRecord, width: int | None = None) -> Iterator[Row]:
    """Yield one row per opponent, summed over both colours. Names have at most `width` characters."""
    for opponent, games in by_opponent(results).items():
        yield Row(record.result_name(opponent, width), total(games))


def each_colour(results: Iterable[Evaluation], record: RunRecord) -> Iterator[Row]:
    """Yield one row per opponent and colour. If there are several colours, their sum comes first."""
    for opponent, games in by_opponent(results).items():
        name = record.result_name(opponent)
        if len(games) > 1:
            yield Row(name, total(games), "both")
        for result in games:
            yield Row(name, result.tally, result.colour or "-")


def _final_table(report: RunResult, early: Iterable[Evaluation], record: RunRecord) -> Table:
    """Return the table of the last evaluation. The column `before` has the results of `early`."""
    before = {(result.opponent, result.colour): 100 * result.tally.win_rate for result in early}
    nothing = "" if before else None
    rows = list[Row]()
    for result in report.evaluations:
        name = record.result_name(result.opponent, _LONGEST)
        won = before.get((result.opponent, result.colour), nothing)
        rows.append(Row(name, result.tally, result.colour, before=won))
        tally = random_mover(record, result.opponent, result.colour)
        if tally and result.opponent == report.evaluations[0].opponent:
            rows.append(Row("  if it moved at random", tally, result.colour, before=nothing))
    others = sums(report.held_out, record, _LONGEST)
    return table("", [*rows, *(row._replace(colour="both", before=nothing) for row in others)])


def print_report(
    console: Console, report: RunResult, folder: RunFolder, plot: Path | None, resume_command: str
) -> None:
    """Print the verdict, the results, the amount of work, the files, and commands to continue."""
    record = folder.read_record()

    def say(text: str) -> None:
        console.print(text, markup=False, highlight=False, soft_wrap=True)

    say(f"\n{record.headline}")
    if met := [*met_in([*report.evaluations, *report.held_out])]:
        size = record.environment_stats.size
        console.print(f"Verdict: {verdict(met, size)}", markup=False, highlight=False)
    if report.evaluations:
        say("\nGames without learning and exploration:")
        evaluations = folder.evaluations()
        first = min((result.episode for result in evaluations), default=report.episodes)
        early = [result for result in evaluations if result.episode == first < report.episodes]
        console.print(grid(_final_table(report, early, record)))
        for line in _explanations(report, early, record):
            say(line)
    for note in notes_of(report):
        say(f"note: {note}")
    say("")
    for line in _work(report, record):
        say(line)
    steps = [*_next_steps(report, folder, plot, resume_command)]
    width = max(len(what) for what, _ in steps)
    for what, where in steps:
        say(f"{what:{width}}  {where}")


def _work(report: RunResult, record: RunRecord) -> Iterator[str]:
    work, seconds = report.work, max(report.work.seconds, 1e-9)
    speeds = f"{work.games / seconds:,.1f} games and {work.decisions / seconds:,.0f} decisions a second"
    yield f"{work.games:,} training games in {clock(work.seconds)}: {speeds}"
    before = report.episodes - work.games
    resumed = f"; {before:,} games before it was resumed" if before else ""
    state = "stopped after" if report.interrupted else "wall time"
    yield f"{state} {clock(report.seconds)}, evaluations included; seed {record.seed}{resumed}"


def _explanations(report: RunResult, early: Sequence[Evaluation], record: RunRecord) -> Iterator[str]:
    yield f"won %: with its {WILSON}"
    if any(result.opponent.endswith(FROM_OPENINGS) for result in report.evaluations):
        never = "" if record.selfplay else "; training never begins there"
        yield f"openings: every position after four moves{never}"
    if any(record.is_held_out(result.opponent) for result in report.held_out):
        yield "never met: players that it has not trained against, from openings"
    if early:
        when = f"after {early[0].episode:,} training games" if early[0].episode else "without any training"
        yield f"before: won % {when}"


def notes_of(report: RunResult) -> tuple[str, ...]:
    """Return the notes of a run and its evaluations, without duplicates."""
    as_it_is = [f"evaluated as it is: {note}" for result in report.evaluations for note in result.notes]
    return tuple(dict.fromkeys([*report.notes, *as_it_is]))


def _next_steps(
    report: RunResult, folder: RunFolder, plot: Path | None, resume: str
) -> Iterator[tuple[str, str]]:
    """Yield pairs of a label and a path to open or a command to run."""
    if plot:
        yield "picture", str(plot)
        yield "curves", wording.tensorboard(folder.path.parent)
    else:
        yield "run", str(folder.path)
    if folder.read_record().agent.command:
        if report.checkpoint:
            runs_dir = wording.runs_dir(folder.path.parent)
            yield "play it", wording.othello("play", folder.path.name, *runs_dir, "--allow-programs")
    elif report.policy:
        yield "play it", _play(report.policy, folder)
    if report.interrupted and (report.checkpoint or not report.episodes):
        yield "go on", resume
    elif not report.checkpoint:
        yield "go on", "not possible: the agent has saved no checkpoint"
    else:
        length = "games" if folder.read_record().selfplay else "episodes"
        yield "train on", f"{resume} --{length} {2 * report.episodes}"


def _play(policy: str, folder: RunFolder) -> str:
    """Return the command to play against a policy, with the run's path if the run's name is ambiguous."""
    if not Path(policy).is_relative_to(folder.checkpoints):
        return wording.othello("play", policy)
    if agent_part(folder.path.name).text:
        return wording.othello("play", str(folder.path))
    return wording.othello("play", folder.path.name, *wording.runs_dir(folder.path.parent))
