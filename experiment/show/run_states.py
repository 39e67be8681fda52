"""The progress of a run, the newest run, and a table of all runs."""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from othello_lab.experiment.run.length import Moment, moment
from othello_lab.experiment.run.plan import NOTHING_SAVED, cannot_go_on
from othello_lab.experiment.run.record import TrainingConfig
from othello_lab.experiment.run.run_folder import RunFolder, RunFolderError, RunState, run_names, state_of
from othello_lab.experiment.show import wording
from othello_lab.experiment.show.progress import clock
from othello_lab.experiment.show.run_curves import Curve, RunFiles, last_change, read
from othello_lab.experiment.show.tables import Column, Table
from othello_lab.experiment.show.verdict import met_in, verdict

_SILENCE: Final = 60.0  # seconds without new data before the status text reports the silence


@dataclass(frozen=True)
class Phase:
    """The progress of a run."""

    done: int  # The number of training games played.
    total: int  # The planned or estimated number of training games. The first estimate is 0.
    share: float  # The finished share of the training, from 0 to 1.
    state: RunState
    says: str  # The state in words.
    seconds_left: float | None = None  # Estimated seconds of training and evaluations left, or None.


def phase_of(run: RunFiles, silent: float) -> Phase:
    """Return the phase of a run whose files last changed `silent` seconds ago."""
    record = run.record
    config, session = record.experiment, record.sessions[-1] if record.sessions else {}
    _, seconds = run.curves.get("seconds", ([], [0.0]))
    now = moment(config, run.games, seconds[-1])
    over, left = now.share >= 1, None
    state = state_of(run.folder, record, over)
    if state is RunState.FINISHED:
        says = "the run has ended"
    elif state is RunState.STOPPED:
        says = f"the run was stopped; {_how_to_resume(run)}"
    elif state is RunState.FAILED:
        says = f"the run failed: {session.get('error')}; {_how_to_resume(run)}"
    else:
        is_starting = state is RunState.STARTING
        says = "starting: waiting for agent and environment" if is_starting else _activity(run, config, over)
        if silent >= _SILENCE:
            says += f"; nothing new for {clock(silent)}: busy or killed"
        left = None if over else _seconds_left(run.curves.get("time"), session, now)
    total = config.episodes
    if config.minutes:
        total = round(now.games / now.share) if now.share else 0
    return Phase(run.games, total, now.share, state, says, left)


def _how_to_resume(run: RunFiles) -> str:
    record = run.record
    if cannot_go_on(run.folder, record.experiment, bool(record.selfplay)):
        return NOTHING_SAVED
    command = "run" if record.agent.is_known else "experiment train"
    if record.selfplay:
        command = "selfplay"
    return f"go on with {wording.resume(run.folder.path, command)}"


def _activity(run: RunFiles, config: TrainingConfig, over: bool) -> str:
    if over:
        return "the last evaluation is played"
    evaluated = max((result.episode for result in run.evaluations), default=-1)
    every = config.eval_every if config.eval_games else 0
    return "evaluating" if every > 0 and run.games % every == 0 and evaluated < run.games else "training"


def _seconds_left(times: Curve | None, session: Mapping[str, Any], now: Moment) -> float | None:
    """Estimate the remaining seconds from the pace of this session, including evaluations."""
    if times is None or not now.share:
        return None
    first = bisect_left(times[1], _start_of(session))
    games, seconds = (column[first:] for column in times)
    if not games or games[-1] <= games[0]:
        return None
    pace = (seconds[-1] - seconds[0]) / (games[-1] - games[0])
    return pace * now.games * (1 - now.share) / now.share


def _start_of(session: Mapping[str, Any]) -> float:
    try:
        return datetime.fromisoformat(str(session.get("begun"))).timestamp()
    except ValueError:
        return 0.0


def newest_run(runs: Path) -> RunFolder:
    """Return the newest run that has not failed, else the newest run. Raises RunFolderError without runs."""
    folders = _newest_first(runs)
    if not folders:
        raise RunFolderError(f"there is no run in {runs}: start one with `othello run`, or give --runs-dir")
    return next((folder for folder in folders if not _has_failed(folder)), folders[0])


def _newest_first(runs: Path) -> list[RunFolder]:
    folders = [RunFolder(runs / name) for name in run_names(runs)]
    return sorted(folders, key=lambda folder: last_change(folder.path), reverse=True)


def _has_failed(folder: RunFolder) -> bool:
    try:
        return state_of(folder, folder.read_record()) is RunState.FAILED
    except (RunFolderError, OSError):
        return True


_COLUMNS: tuple[Column[str], ...] = (
    Column("run"),
    Column("state"),
    Column("games"),
    Column("verdict", wide=True),
)


def list_of_runs(runs: Path) -> Table:
    """Return a table of the runs in a folder, the most recently changed run first."""
    return Table("", _COLUMNS, [*map(_row, _newest_first(runs))])


def _row(folder: RunFolder) -> tuple[str, str, str, str]:
    """Return a run's name, state, number of training games, and verdict or error."""
    name = folder.path.name
    try:
        run = read(folder)
    except (RunFolderError, OSError) as error:
        return name, "unreadable", "", str(error)
    phase = phase_of(run, silent=0)
    games = f"{phase.done:,}" + (f" of {phase.total:,}" if 0 < phase.share < 1 and phase.total else "")
    if phase.state is RunState.FAILED:
        reason = str(run.record.sessions[-1]["error"])
        return name, "failed" if phase.done else "failed at start", games, reason
    met = [*met_in(run.last)]
    text = verdict(met, run.record.environment_stats.size) if met else "not evaluated"
    return name, phase.state, games, text
