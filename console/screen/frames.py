"""The frames that a tab sends, held to what its page sends: any other ends the tab, without a traceback."""

import json
from collections.abc import AsyncIterator

from aiohttp import WSCloseCode, WSMessage, WSMsgType, web
from textual_serve.app_service import AppService
from textual_serve.server import Server

LARGEST = 2000
"""Columns or rows of a window."""


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
