"""The list of runs in a folder: state, length and verdict of each."""

from pathlib import Path
from typing import NamedTuple

from othello_lab.experiment.run.lifecycle import State
from othello_lab.experiment.run.names import run_names
from othello_lab.experiment.run.outcomes import Evaluation
from othello_lab.experiment.run.record import known
from othello_lab.experiment.run.run_folder import RunFolder, RunFolderError
from othello_lab.experiment.run.verdict import met_in, verdict
from othello_lab.experiment.show.pages.watch import phase_of
from othello_lab.experiment.show.run_curves import last_change, read
from othello_lab.experiment.show.tables import Column, Table


class _Run(NamedTuple):
    """A row of the list."""

    name: str
    state: str
    games: str = ""
    """Training games: played, and planned if the run is not complete."""
    verdict: str = ""
    """The verdict on the newest evaluation; of a failed run its error."""


_COLUMNS: tuple[Column[_Run], ...] = (
    Column("run", lambda run: run.name),
    Column("state", lambda run: run.state),
    Column("games", lambda run: run.games),
    Column("verdict", lambda run: run.verdict, wide=True),
)


def list_of_runs(runs: Path) -> Table:
    """Return a table of the runs in a folder, the one that changed last first."""
    folders = [RunFolder(runs / name) for name in run_names(runs)]
    folders.sort(key=lambda folder: last_change(folder.path), reverse=True)
    return Table.of("", _COLUMNS, map(_row, folders))


def _row(folder: RunFolder) -> _Run:
    name = folder.path.name
    try:
        run = read(folder)
    except (RunFolderError, OSError) as error:
        return _Run(name, "unreadable", verdict=str(error))
    phase = phase_of(run, silent=0)
    games = f"{phase.done:,}" + (f" of {phase.total:,}" if 0 < phase.share < 1 and phase.total else "")
    if phase.state is State.FAILED:
        reason = str(known(run.config).sessions[-1]["error"])
        return _Run(name, "failed" if phase.done else "failed at start", games, reason)
    return _Run(name, phase.state, games, _verdict(run.evaluations, run.folder.config()))


def _verdict(evaluations: list[Evaluation], config: dict[str, object]) -> str:
    """Return the verdict on the newest evaluation; empty before the first one."""
    newest = [result for result in evaluations if result.episode == evaluations[-1].episode]
    met = [*met_in(newest)]
    return verdict(met, known(config).environment_stats.size) if met else "not evaluated"
