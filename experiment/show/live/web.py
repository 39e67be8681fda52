"""The page of a run for browsers on this machine: what it shows as JSON, its files, and the server."""

import time
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import msgspec
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound
from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler
from werkzeug.wrappers import Request, Response

from othello_lab.experiment.run.run_folder import RunFolderError
from othello_lab.experiment.show.live.shown_game import GameShow, Shown
from othello_lab.experiment.show.live.snapshot import snapshot
from othello_lab.experiment.show.run_files import Following
from othello_lab.experiment.study.statistics.intervals import WILSON
from othello_lab.game import PASS, Colour
from othello_lab.game.players.base import value_text

NAMES: Final = ("127.0.0.1", "localhost")
"""What this server may be called: a page of another name that has been made to lead here reads nothing."""
STATE: Final = "/state.json"
_FRESH_SECONDS = 0.9
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
_PAGE: Final = Path(__file__).parent / "page"
HOST: Final = "127.0.0.1"


class RunPage:
    """The page of a run as a WSGI application (PEP 3333)."""

    def __init__(self, run: Following, game: GameShow) -> None:
        self._run, self._game = run, game
        self._lock = Lock()
        self._state, self._made = b"", -_FRESH_SECONDS

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer a request: only GET, only by a name of this machine's own, and nothing that is not shown."""
        try:
            response = self._answer(Request(environ))
        except HTTPException as error:
            response = Response(f"{error.code} {error.name}\n", error.code, mimetype="text/plain")
        response.headers.update(_HEADERS)
        return response(environ, start)

    def _answer(self, request: Request) -> Response:
        request.trusted_hosts = [*NAMES]
        _ = request.host  # raises for others
        if request.method != "GET":
            raise MethodNotAllowed(["GET"])
        if request.path == STATE:
            return Response(self.state(), mimetype="application/json")
        if request.path not in files():
            raise NotFound
        kind, content = files()[request.path]
        return Response(content, mimetype=kind)

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
def files() -> dict[str, tuple[str, bytes]]:
    """Return what the page is made of: by path its kind and its bytes."""
    from othello_lab.experiment.show.report.page import board_script, style_of_pages  # loads matplotlib

    script, style = "text/javascript", style_of_pages() + (_PAGE / "watch.css").read_text("utf-8")
    found = {"/style.css": ("text/css", style.encode()), "/board.js": (script, board_script().encode())}
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

    board = shown.board
    legal = [*board.legal_moves]
    shades = shades_of(shown.marks.values.values())
    texts = map(value_text, shown.marks.values.values())
    return {
        "size": board.size,
        "cells": str(board).split()[0],
        "legal": legal,
        "values": list(zip(texts, shades, strict=True)) if shown.marks.values else None,
        "last": None if shown.marks.last == PASS else shown.marks.last,
        "flips": [*shown.marks.turned],
        "discs": board.counts(),
        "moves": shown.moves,
        **{colour.value: getattr(shown, colour.value) for colour in Colour},
        "says": shown.says,
        "unit": shown.unit,
    }


class PortError(ValueError):
    """A port that cannot be listened on."""


def serve(app: WSGIApplication, port: int, say: Callable[[str], None]) -> None:
    """Serve an application until Ctrl-C, at any free port if it is 0, and say where; raises PortError."""
    server = _Server(HOST, port, app, _Handler)
    say(f"http://{HOST}:{server.port}/")
    server.serve_forever()


class _Server(ThreadedWSGIServer):
    """Werkzeug's own prints what is wrong with a port, and ends the process."""

    def server_bind(self) -> None:
        try:
            super().server_bind()
        except OSError as error:
            why = error.strerror or str(error)
            raise PortError(f"cannot listen on {HOST}:{self.port} ({why}): choose another") from None


class _Handler(WSGIRequestHandler):
    """Says nothing of each request."""

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002  werkzeug's name
        pass
