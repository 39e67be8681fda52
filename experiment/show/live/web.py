"""The page of a run for browsers on this machine: what it shows as JSON, and its files."""

import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

import msgspec

from othello_lab.experiment.run.run_folder import RunFolderError
from othello_lab.experiment.show.live.shown_game import GameShow, Shown
from othello_lab.experiment.show.live.snapshot import snapshot
from othello_lab.experiment.show.report.style import part, style_of_pages
from othello_lab.experiment.show.run_files import Following
from othello_lab.experiment.show.site import Files, Site
from othello_lab.experiment.study.statistics.intervals import WILSON
from othello_lab.game import Colour
from othello_lab.game.drawing import as_data
from othello_lab.game.players.base import value_text

STATE: Final = "/state.json"
_FRESH_SECONDS = 0.9
_PAGE: Final = Path(__file__).parent / "page"


class RunPage:
    """What the page of a run shows."""

    def __init__(self, run: Following, game: GameShow) -> None:
        self._run, self._game = run, game
        self._lock = Lock()
        self._state, self._made = b"", -_FRESH_SECONDS

    @property
    def site(self) -> Site:
        """The page as an application for a server: it only reads."""
        return Site(files, {STATE: self.state})

    def state(self) -> bytes:
        """Return what the page shows now, as JSON; it is looked up once a second at most."""
        with self._lock:
            if time.monotonic() >= self._made + _FRESH_SECONDS:
                self._state, self._made = msgspec.json.encode(self._look()), time.monotonic()
            return self._state

    def _look(self) -> dict[str, Any]:
        try:
            self._run.look()
        except (RunFolderError, OSError) as error:
            return {"error": str(error)}
        shown = self._game.shown
        now = snapshot(self._run)
        results = {"headings": [column.heading for column in now.results.shown], "rows": now.results.cells}
        told = {**vars(now), "results": results, "results_say": f"Won % with its {WILSON}."}
        return {**told, "game": shown and game_state(shown), "game_says": self._game.says}


@cache
def files() -> Files:
    """Return what the page is made of."""
    script, style = "text/javascript", style_of_pages() + (_PAGE / "watch.css").read_text("utf-8")
    found = {"/style.css": ("text/css", style.encode()), "/board.js": (script, part("board.js").encode())}
    for path, name, kind in (
        ("/", "watch.html", "text/html"),
        ("/watch.js", "watch.js", script),
        ("/charts.js", "charts.js", script),
    ):
        found[path] = kind, (_PAGE / name).read_bytes()
    return found


def game_state(shown: Shown) -> dict[str, Any]:
    """Return a position as board.js draws it, and what stands beside it."""
    from othello_lab.experiment.show.report.page import shades_of

    shades = shades_of(shown.marks.values.values())
    texts = map(value_text, shown.marks.values.values())
    return {
        **as_data(shown.board, replace(shown.marks, legal=True)),
        "values": list(zip(texts, shades, strict=True)) if shown.marks.values else None,
        "discs": shown.board.counts(),
        "moves": shown.moves,
        **{colour.value: getattr(shown, colour.value) for colour in Colour},
        "says": shown.says,
        "unit": shown.unit,
    }
