"""The page of a run for browsers on this machine: the state of the run as JSON, and the files of the page."""

import time
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

import msgspec

from othello_lab.experiment.run.length import Moment, moment
from othello_lab.experiment.run.lifecycle import State, state_of
from othello_lab.experiment.run.plan import NOTHING_SAVED, cannot_go_on
from othello_lab.experiment.run.record import TrainingConfig, headline, is_selfplay, known
from othello_lab.experiment.run.run_folder import RunFolderError
from othello_lab.experiment.show import wording
from othello_lab.experiment.show.evaluation_table import sums, table
from othello_lab.experiment.show.live.demo_game import Demonstration, DemoPosition
from othello_lab.experiment.show.progress import clock
from othello_lab.experiment.show.report.style import part, style_of_pages
from othello_lab.experiment.show.run_files import MEANS, POOL, Curve, Following
from othello_lab.experiment.show.site import Files, Site
from othello_lab.experiment.show.training_charts import panels, rates
from othello_lab.experiment.study.statistics.intervals import WILSON
from othello_lab.game import Colour
from othello_lab.game.drawing import as_data
from othello_lab.game.values import value_text

STATE: Final = "/state.json"
SILENCE: Final = 60.0
"""Seconds without new lines after which the page says so."""
_FRESH_SECONDS: Final = 0.9
_PAGE: Final = Path(__file__).parent / "page"
_NUMBERS: Final[Mapping[str, tuple[str, str]]] = {
    "epsilon": ("epsilon", "{:.2f}"),
    "q_mean": ("mean Q", "{:+.2f}"),
    "loss": ("loss", "{:.2g}"),
    "games_per_second": ("games a second", "{:,.0f}"),
    "steps_per_second": ("decisions a second", "{:,.0f}"),
    "updates_per_second": ("updates a second", "{:,.0f}"),
    "updates": ("updates", "{:,.0f}"),
    "steps": ("decisions", "{:,.0f}"),
}
"""Label and format of names in metrics.jsonl, the most important first."""
_ELSEWHERE: Final = {"time", "seconds", "episode", "win_rate", "score", "black", "white", "drawn"}
"""Names in metrics.jsonl that another part of the page shows, or that mean nothing to a reader."""


class RunPage:
    """The page of one run."""

    def __init__(self, run: Following, game: Demonstration) -> None:
        self._run, self._game = run, game
        self._lock = Lock()
        self._state, self._encoded_at = b"", -_FRESH_SECONDS

    @property
    def site(self) -> Site:
        """The page as a read-only WSGI application."""
        return Site(files, {STATE: self.state})

    def state(self) -> bytes:
        """Return the state of the run as JSON, at most one second old."""
        with self._lock:
            if time.monotonic() >= self._encoded_at + _FRESH_SECONDS:
                self._state, self._encoded_at = msgspec.json.encode(self._read()), time.monotonic()
            return self._state

    def _read(self) -> dict[str, Any]:
        try:
            self._run.look()
        except (RunFolderError, OSError) as error:
            return {"error": str(error)}
        position = self._game.position
        return {
            **run_state(self._run),
            "game": position and game_state(position),
            "game_says": self._game.says,
        }


@cache
def files() -> Files:
    """Return the files of the page: by path the media type and the content."""
    script = "text/javascript"
    style = style_of_pages() + (_PAGE / "watch.css").read_text("utf-8")
    return {
        "/": ("text/html", (_PAGE / "watch.html").read_bytes()),
        "/watch.js": (script, (_PAGE / "watch.js").read_bytes()),
        "/charts.js": (script, (_PAGE / "charts.js").read_bytes()),
        "/board.js": (script, part("board.js").encode()),
        "/style.css": ("text/css", style.encode()),
    }


def run_state(run: Following) -> dict[str, Any]:
    """Return the state of a run, as read so far, for watch.js."""
    config = run.config
    last = [result for result in run.evaluations if result.episode == run.evaluations[-1].episode]
    results = table("", sums(last, config))
    return {
        "title": headline(config),
        "run": run.folder.path.resolve().name,
        "seed": str(config.get("seed", "")),
        "phase": phase_of(run, run.silent),
        "rates": replace(rates(run, MEANS, by_colour=False), title="Share of games won"),
        "charts": list(panels(run.curves)),
        "results": {"headings": [column.heading for column in results.visible], "rows": results.cells},
        "results_say": f"Won % with its {WILSON}.",
        "after": last[0].episode if last else 0,
        "numbers": newest(run.curves),
    }


def game_state(position: DemoPosition) -> dict[str, Any]:
    """Return a position as board.js draws it, with the texts beside it."""
    from othello_lab.experiment.show.report.page import shades_of

    values = position.marks.values.values()
    return {
        **as_data(position.board, replace(position.marks, legal=True)),
        "values": list(zip(map(value_text, values), shades_of(values), strict=True)) if values else None,
        "discs": position.board.counts(),
        "moves": position.moves,
        **{colour.value: getattr(position, colour.value) for colour in Colour},
        "says": position.says,
        "unit": position.unit,
    }


def newest(curves: Mapping[str, Curve]) -> dict[str, str]:
    """Return the newest number of each curve by its label; a name without a label is its own."""
    last = {name: values[-1] for name, (_, values) in curves.items()}
    labelled = {label: form.format(last[name]) for name, (label, form) in _NUMBERS.items() if name in last}
    others = [name for name in last.keys() - _NUMBERS.keys() - _ELSEWHERE if not name.startswith(POOL)]
    return labelled | {name.replace("_", " "): _plain(last[name]) for name in sorted(others)}


def _plain(value: float) -> str:
    """Write a number with four digits, a large one as a whole number: 15,240, never 1.524e+04."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


@dataclass(frozen=True)
class Phase:
    """How far a run is."""

    done: int
    """Training games played."""
    total: int
    """Training games planned, estimated if the length is in minutes; 0 before there is an estimate."""
    share: float
    """Completed part of training, 0 to 1."""
    state: State
    says: str
    """In words."""
    seconds_left: float | None = None
    """Time left for training and the evaluations during it; None without an estimate."""


def phase_of(run: Following, silent: float) -> Phase:
    """Return the phase of a run whose files have not changed for `silent` seconds."""
    record = known(run.config)
    config, session = record.experiment, record.sessions[-1] if record.sessions else {}
    now = moment(config, run.games, _last(run, "seconds"), int(_last(run, "steps")))
    over, left = now.share >= 1, None
    state = state_of(run.folder, run.config, over)
    if state is State.FINISHED:
        says = "the run has ended"
    elif state is State.STOPPED:
        says = f"the run was stopped; {_how_to_resume(run)}"
    elif state is State.FAILED:
        says = f"the run failed: {session.get('error')}; {_how_to_resume(run)}"
    else:
        is_starting = state is State.STARTING
        says = "starting: waiting for agent and environment" if is_starting else _activity(run, config, over)
        if silent >= SILENCE:
            says += f"; nothing new for {clock(silent)}: busy or killed"
        left = None if over else _seconds_left(run.curves.get("time"), session, now)
    return Phase(run.games, _total(config, now), now.share, state, says, left)


def _last(run: Following, name: str) -> float:
    _, values = run.curves.get(name, ([], [0.0]))
    return values[-1]


def _total(config: TrainingConfig, now: Moment) -> int:
    if config.is_open:
        return round(now.games / now.share) if now.share else 0
    return config.episodes


def _how_to_resume(run: Following) -> str:
    record = known(run.config)
    if cannot_go_on(run.folder, record.experiment, is_selfplay(run.config)):
        return NOTHING_SAVED
    command = "run" if record.agent.is_known else "experiment train"
    if is_selfplay(run.config):
        command = "selfplay"
    return f"go on with {wording.resume(run.folder.path, command)}"


def _activity(run: Following, config: TrainingConfig, over: bool) -> str:
    if over:
        return "the last evaluation is played"
    evaluated = max((result.episode for result in run.evaluations), default=-1)
    every = config.eval_every if config.eval_games else 0
    return "evaluating" if every > 0 and run.games % every == 0 and evaluated < run.games else "training"


def _seconds_left(times: Curve | None, session: Mapping[str, Any], now: Moment) -> float | None:
    """Extrapolate from the pace of this session, evaluations included."""
    if times is None or not now.share:
        return None
    first = bisect_left(times[1], _start_of(session))
    games, seconds = (column[first:] for column in times)
    if not games or games[-1] <= games[0]:
        return None
    pace = (seconds[-1] - seconds[0]) / (games[-1] - games[0])
    return pace * now.games * (1 - now.share) / now.share


def _start_of(session: Mapping[str, Any]) -> float:
    """Return the start of a session in seconds since 1970; 0 if the record has none."""
    try:
        return datetime.fromisoformat(str(session.get("begun"))).timestamp()
    except ValueError:
        return 0.0
