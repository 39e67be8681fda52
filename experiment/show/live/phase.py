"""The phase of a run between its start and its end, as far as its files tell."""

from bisect import bisect_left
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from experiment.run.record import TrainingConfig, known
from experiment.run.training.length import Length, Mark
from experiment.show import shell_commands
from experiment.show.curves import Curve
from experiment.show.live.contents import Phase
from experiment.show.progress import clock
from experiment.show.run_files import Following
from experiment.show.view import is_selfplay

SILENCE = 60.0
"""Seconds without news after which that is said."""


def phase_of(run: Following, silent: float) -> Phase:
    """Return where a run is whose files have been silent for this many seconds."""
    record = known(run.config)
    config, session = record.experiment, record.sessions[-1] if record.sessions else {}
    mark = Length(config, _last(run, "seconds"), int(_last(run, "steps"))).mark(run.games)
    over = mark.share >= 1
    if "seconds" in session:
        says = "the run has ended" if over else f"the run was stopped; go on with {_resume(run)}"
        return Phase(run.games, _total(config, mark), mark.share, True, says)
    says = _going_on(run, config, over)
    if silent >= SILENCE:
        says += f"; nothing new for {clock(silent)}: busy or killed"
    left = None if over else _seconds_left(run.curves.get("time"), session, mark)
    return Phase(run.games, _total(config, mark), mark.share, False, says, left)


def _last(run: Following, name: str) -> float:
    _, values = run.curves.get(name, ([], [0.0]))
    return values[-1]


def _total(config: TrainingConfig, now: Mark) -> int:
    if config.is_open:
        return round(now.games / now.share) if now.share else 0
    return config.episodes


def _resume(run: Following) -> str:
    folder = run.folder.path if run.folder.path.name else run.folder.path.resolve()  # of the path `.`
    own = "run" if known(run.config).agent.is_known else "experiment train"
    return shell_commands.resume(folder, folder.parent, "selfplay" if is_selfplay(run.config) else own)


def _going_on(run: Following, config: TrainingConfig, over: bool) -> str:
    if "task_spec" not in run.config:
        return "waiting for agent and environment"
    if over:
        return "the last evaluation is played"
    evaluated = max((result.episode for result in run.evaluations), default=-1)
    every = config.eval_every if config.eval_games else 0
    return "evaluating" if every > 0 and run.games % every == 0 and evaluated < run.games else "training"


def _seconds_left(times: Curve | None, session: Mapping[str, Any], now: Mark) -> float | None:
    """As long as what this session has done has taken, evaluations included."""
    if times is None or not now.share:
        return None
    first = bisect_left(times[1], _begun(session))
    games, seconds = (column[first:] for column in times)
    if not games or games[-1] <= games[0]:
        return None
    pace = (seconds[-1] - seconds[0]) / (games[-1] - games[0])
    return pace * now.games * (1 - now.share) / now.share


def _begun(session: Mapping[str, Any]) -> float:
    """When a session began, seconds; long ago if it does not tell."""
    try:
        return datetime.fromisoformat(str(session.get("begun"))).timestamp()
    except ValueError:
        return 0.0
