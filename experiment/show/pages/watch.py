"""The page of `othello watch`, which shows the state of a run."""

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from threading import Lock
from typing import Any, Final

import msgspec

from othello_lab.experiment.run.run_folder import RunFolder, RunFolderError
from othello_lab.experiment.show.pages.page import style_of_pages, web_file
from othello_lab.experiment.show.run_curves import (
    MEANS,
    PANELS,
    POOL,
    Curve,
    RunFiles,
    last_change,
    panels,
    rates,
    read,
    stamps_of,
)
from othello_lab.experiment.show.run_end import sums, table
from othello_lab.experiment.show.run_states import phase_of
from othello_lab.experiment.show.site import Files, Site
from othello_lab.experiment.study.statistics.intervals import WILSON

_FRESH_SECONDS: Final = 0.9
# Reading the run's files, which grow during the run, takes at most this share of the time.
_READING_SHARE: Final = 0.1
# These names in metrics.jsonl are shown in other parts of the page, or nowhere.
_ELSEWHERE: Final = {"time", "seconds", "episode", "win_rate", "score", "black", "white", "drawn"}


class RunPage:
    """The page of one run."""

    def __init__(self, folder: RunFolder) -> None:
        """Read the run's files. Raises OSError, or RunFolderError if config.json cannot be read."""
        self._folder = folder
        self._stamps, self._changed = stamps_of(folder.path), last_change(folder.path)
        self._run = read(folder)
        self._lock = Lock()
        self._state, self._next = b"", 0.0

    @property
    def site(self) -> Site:
        """The page as a read-only WSGI application."""
        return Site(_files, {"/state.json": self._json})

    def _json(self) -> bytes:
        """Return the state of the run as JSON. The state of a long run may be a few seconds old."""
        with self._lock:
            if (begin := time.monotonic()) >= self._next:
                self._state = msgspec.json.encode(self._read())
                end = time.monotonic()
                self._next = end + max(_FRESH_SECONDS, (end - begin) / _READING_SHARE)
            return self._state

    def _read(self) -> dict[str, Any]:
        try:
            self._folder.check_there()
            if (stamps := stamps_of(self._folder.path)) != self._stamps:
                self._run = read(self._folder)
                self._stamps, self._changed = stamps, time.time()
        except (RunFolderError, OSError) as error:
            return {"error": str(error)}
        return run_state(self._run, silent=max(0.0, time.time() - self._changed))


@cache
def _files() -> Files:
    """Return the files of the page, each with its media type and its content, by path."""
    scripts = ("watch.js", "charts.js", "board.js")
    return {
        "/": ("text/html", web_file("watch.html").encode()),
        **{f"/{name}": ("text/javascript", web_file(name).encode()) for name in scripts},
        "/style.css": ("text/css", (style_of_pages() + web_file("watch.css")).encode()),
    }


def run_state(run: RunFiles, silent: float) -> dict[str, Any]:
    """Return the state of a run for watch.js. The run's files have not changed for `silent` seconds."""
    record = run.record
    last = [result for result in run.evaluations if result.episode == run.evaluations[-1].episode]
    results = table("", sums(last, record))
    return {
        "title": record.headline,
        "run": run.folder.path.resolve().name,
        "seed": "" if record.seed is None else str(record.seed),
        "phase": phase_of(run, silent),
        "rates": replace(rates(run, MEANS, by_colour=False), title="Share of games won"),
        "charts": list(panels(run.curves)),
        "results": {"headings": [column.heading for column in results.visible], "rows": results.cells},
        "results_say": f"Won % with its {WILSON}.",
        "after": last[0].episode if last else 0,
        "numbers": _newest(run.curves),
    }


def _newest(curves: Mapping[str, Curve]) -> dict[str, str]:
    """Return the newest number of each curve without a chart, by name."""
    drawn = {name for panel in PANELS for name in panel.lines}
    names = sorted(name for name in curves.keys() - drawn - _ELSEWHERE if not name.startswith(POOL))
    return {name.replace("_", " "): _plain(curves[name][1][-1]) for name in names}


def _plain(value: float) -> str:
    """Return a number as text with four digits, or as a whole number from 1000 on."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
