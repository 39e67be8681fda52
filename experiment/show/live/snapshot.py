"""A snapshot of a run at one moment: what the terminal draws, and what the page is sent."""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from othello_lab.experiment.run.record import TrainingConfig, known
from othello_lab.experiment.run.training.length import Length, Mark
from othello_lab.experiment.run.training.plan import NOTHING_SAVED, cannot_go_on
from othello_lab.experiment.show import shell_commands
from othello_lab.experiment.show.charts import Chart
from othello_lab.experiment.show.evaluation_table import sums, table
from othello_lab.experiment.show.headline import headline
from othello_lab.experiment.show.progress import clock
from othello_lab.experiment.show.run_files import MEANS, POOL, Curve, Following
from othello_lab.experiment.show.tables import Table
from othello_lab.experiment.show.training_charts import panels, rates
from othello_lab.experiment.show.view import is_selfplay

SILENCE = 60.0
"""Seconds without news after which that is said."""
_KNOWN: Mapping[str, tuple[str, str]] = {
    "epsilon": ("epsilon", "{:.2f}"),
    "q_mean": ("mean Q", "{:+.2f}"),
    "loss": ("loss", "{:.2g}"),
    "games_per_second": ("games a second", "{:,.0f}"),
    "steps_per_second": ("decisions a second", "{:,.0f}"),
    "updates_per_second": ("updates a second", "{:,.0f}"),
    "updates": ("updates", "{:,.0f}"),
    "steps": ("decisions", "{:,.0f}"),
}
"""Names in metrics.jsonl, the most important first: what to call them, and how to write them."""
_SHOWN_ELSEWHERE = {"time", "seconds", "episode", "win_rate", "score", "black", "white", "drawn"}


@dataclass(frozen=True)
class Phase:
    """Where a run is."""

    done: int
    """Training games."""
    total: int
    """The games there will be, by an estimate where the run's time is given; 0 before there is one."""
    share: float
    """Of the training that is behind, 0 to 1."""
    ended: bool
    """Whether nothing more will be written, unless the run is resumed."""
    says: str
    """In words."""
    seconds_left: float | None = None
    """Of training, with the evaluations on the way; None where there is nothing to go by."""


@dataclass(frozen=True)
class Snapshot:
    """A run at one moment."""

    title: str
    run: str
    seed: str
    phase: Phase
    rates: Chart
    charts: list[Chart]
    """Of the learner's numbers."""
    results: Table
    """Of the last evaluation, all colours together."""
    after: int
    """Training games before the evaluation that `results` are of."""
    numbers: dict[str, str]
    """What the learner says of itself now, and its speeds: what they are, and how much."""


def phase_of(run: Following, silent: float) -> Phase:
    """Return where a run is whose files have been silent for this many seconds."""
    record = known(run.config)
    config, session = record.experiment, record.sessions[-1] if record.sessions else {}
    mark = Length(config, _last(run, "seconds"), int(_last(run, "steps"))).mark(run.games)
    over = mark.share >= 1
    if "seconds" in session:
        says = "the run has ended" if over else f"the run was stopped; {_how_it_goes_on(run)}"
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


def _how_it_goes_on(run: Following) -> str:
    record = known(run.config)
    if cannot_go_on(run.folder, record.experiment, is_selfplay(run.config)):
        return NOTHING_SAVED
    own = "run" if record.agent.is_known else "experiment train"
    command = "selfplay" if is_selfplay(run.config) else own
    return f"go on with {shell_commands.resume(run.folder.path, command)}"


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


def newest(curves: Mapping[str, Curve]) -> dict[str, str]:
    """Return what each number is called, and the number; what has no line here goes by its own name."""
    last = {name: values[-1] for name, (_, values) in curves.items()}
    known = {label: form.format(last[name]) for name, (label, form) in _KNOWN.items() if name in last}
    others = [name for name in last.keys() - _KNOWN.keys() - _SHOWN_ELSEWHERE if not name.startswith(POOL)]
    return known | {name.replace("_", " "): _plain(last[name]) for name in sorted(others)}


def _plain(value: float) -> str:
    """Write a number with four digits, a large one as a whole number: 15,240, never 1.524e+04."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def snapshot(run: Following) -> Snapshot:
    """Return how a run stands by what was read of it."""
    config = run.config
    last = [result for result in run.evaluations if result.episode == run.evaluations[-1].episode]
    return Snapshot(
        headline(config),
        run.folder.path.resolve().name,
        str(config.get("seed", "")),
        phase_of(run, run.silent),
        replace(rates(run, MEANS, by_colour=False), title="Share of games won"),
        list(panels(run.curves)),
        table("", sums(last, config)),
        last[0].episode if last else 0,
        newest(run.curves),
    )
