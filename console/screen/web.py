"""The program for browsers on this machine: textual-serve runs one for each tab, behind checks of our own."""

import asyncio
import json
import logging
import shlex
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import textual_serve
from aiohttp import WSCloseCode, WSMessage, WSMsgType, web
from textual_serve.app_service import AppService
from textual_serve.server import Server

HOST: Final = "127.0.0.1"
_NAMES: Final = (HOST, "localhost")
"""What this server may be called: a page of another name that has been made to lead here gets nothing."""
_STATIC: Final = Path(textual_serve.__file__).parent / "static"
_PAGE, _SCRIPT = (Path(__file__).with_name(f"web.{kind}") for kind in ("html", "js"))
LARGEST: Final = 2000
"""Columns or rows of a window."""
_HEADERS: Final = {
    # xterm.js writes the styles of its screen into the page.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; font-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def serve(command: Sequence[str], port: int, say: Callable[[str], None]) -> None:
    """Serve a command of the full-screen program until Ctrl-C or SIGTERM, and say where.

    `port` 0 is any free one. Raises ValueError for a port that cannot be listened on.
    """
    logging.getLogger("textual-serve").setLevel(logging.ERROR)
    with suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(_serve(shlex.join(command), port, say))


async def _serve(command: str, port: int, say: Callable[[str], None]) -> None:
    runner = web.AppRunner(_application(CheckedServer(command, HOST, port)), access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, HOST, port, shutdown_timeout=1).start()
        say(f"http://{HOST}:{runner.addresses[0][1]}/")
        await _end_of_process()
    except OSError as error:
        why = error.strerror or str(error)
        raise ValueError(f"cannot listen on {HOST}:{port} ({why}): choose another") from None
    finally:
        await runner.cleanup()


async def _end_of_process() -> None:
    """Wait for SIGTERM; Ctrl-C cancels the wait."""
    ended = asyncio.Event()
    with suppress(NotImplementedError):  # elsewhere than on Unix
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    await ended.wait()


def _application(server: Server) -> web.Application:
    application = web.Application(middlewares=[_checked])
    application.router.add_get("/", _page)
    application.router.add_get("/web.js", _script)
    application.router.add_get("/ws", server.handle_websocket)
    application.router.add_static("/static", _STATIC)
    return application


async def _page(request: web.Request) -> web.StreamResponse:
    text = _PAGE.read_text("utf-8").replace("HOST", request.host)
    return web.Response(text=text, content_type="text/html")


async def _script(request: web.Request) -> web.StreamResponse:
    return web.Response(text=_SCRIPT.read_text("utf-8"), content_type="text/javascript")


@web.middleware
async def _checked(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Answer only by a name of this machine's own, and open a game only for this server's own page."""
    name, _, _ = request.host.partition(":")
    own = f"http://{request.host}"
    if name not in _NAMES or (request.path == "/ws" and request.headers.get("Origin") != own):
        raise web.HTTPForbidden
    if not all(map(_is_length, (request.query.get(side, "80") for side in ("width", "height")))):
        raise web.HTTPBadRequest
    response = await handler(request)
    if not response.prepared:
        response.headers.update(_HEADERS)
    return response


def _is_length(text: str) -> bool:
    return len(text) < 9 and text.isascii() and text.isdigit() and is_length(int(text))


class CheckedServer(Server):
    """textual-serve's, with only those frames that it understands."""

    async def _process_messages(self, websocket: web.WebSocketResponse, app_service: AppService) -> None:
        await super()._process_messages(_Checked(websocket), app_service)  # type: ignore[arg-type]  # what it uses


class _Checked:
    """As much of a websocket as textual-serve uses to answer frames."""

    def __init__(self, websocket: web.WebSocketResponse) -> None:
        self._websocket = websocket
        self.send_json = websocket.send_json

    async def __aiter__(self) -> AsyncIterator[WSMessage]:
        async for message in self._websocket:
            if message.type is WSMsgType.TEXT and not is_known(message.data):
                await self._websocket.close(code=WSCloseCode.UNSUPPORTED_DATA, message=b"not of this page")
                return
            yield message


def is_length(columns_or_rows: object) -> bool:
    """Tell whether a window can have this many columns or rows."""
    return type(columns_or_rows) is int and 0 < columns_or_rows <= LARGEST


def is_known(text: str) -> bool:
    """Tell whether a frame is one of those that the page sends."""
    try:
        frame = json.loads(text)
    except (ValueError, RecursionError):
        return False
    match frame:
        case ["stdin", str(typed)]:
            return not any("\ud800" <= character <= "\udfff" for character in typed)  # not to be encoded
        case ["resize", {"width": columns, "height": rows}]:
            return is_length(columns) and is_length(rows)
        case ["ping", _] | ["blur" | "focus", *_]:
            return True
    return False
