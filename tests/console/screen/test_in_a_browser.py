"""`othello play --web` in a real browser."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest
from playwright.sync_api import FloatRect, Page

from othello_lab.console.saving import read
from othello_lab.console.screen.board_view import KEYS, LETTERS, NUMBERS, arrange
from othello_lab.console.screen.web import is_known
from othello_lab.game.notation import parse_square
from tests.browser import PATIENCE, chromium, needs_chromium, opened

SIZE = 8


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where unfinished games are."""
    return tmp_path_factory.mktemp("state")


@contextmanager
def serving(kept: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "othello_lab", "play", "greedy", f"--size={SIZE}", "--web"]
    environment = {**os.environ, "OTHELLO_STATE": str(kept)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout
        yield re.findall(r"http://[\d.:]+/", process.stdout.readline())[0]
        process.send_signal(signal.SIGINT)
    assert process.returncode == 0


@pytest.fixture(scope="module")
def server(kept: Path) -> Iterator[str]:
    with serving(kept) as address:
        yield address


def middle_of(square: int, screen: FloatRect, columns: int, rows: int) -> tuple[float, float]:
    """Return where a square is in the window."""
    found = arrange(SIZE, columns, rows)
    assert found
    assert found.beside
    grid, (row, column) = found.grid, divmod(square, SIZE)
    above = (rows - KEYS - grid.rows) // 2
    across = (NUMBERS + (column + 0.5) * grid.width) / columns
    down = (above + LETTERS + (row + 0.5) * grid.height) / rows
    return screen["x"] + across * screen["width"], screen["y"] + down * screen["height"]


@needs_chromium
def test_a_click_makes_a_move_and_the_page_asks_nobody_else(server: str, kept: Path) -> None:
    with chromium() as browser, opened(browser, "about:blank") as tab:
        sockets = list[str]()
        tab.page.on("websocket", lambda socket: sockets.append(socket.url))
        tab.page.goto(server)
        tab.page.wait_for_selector("body.-first-byte")
        screen = tab.page.locator(".xterm-screen").bounding_box()
        assert screen
        asked = parse_qs(urlsplit(sockets[0]).query)
        columns, rows = int(asked["width"][0]), int(asked["height"][0])
        place = middle_of(parse_square("d3", SIZE), screen, columns, rows)
        assert played(tab.page, lambda: tab.page.mouse.click(*place), "d3", kept)
        assert all(url.startswith((server, "about:", "data:")) for url in tab.requests)


@needs_chromium
def test_keys_reach_the_game_without_a_click_and_buttons_are_keys(tmp_path: Path) -> None:
    with serving(tmp_path) as address, chromium() as browser, opened(browser, address, 800) as tab:
        page = tab.page
        page.wait_for_selector("body.-first-byte")
        assert played(page, lambda: page.keyboard.type("d3\n", delay=50), "d3", tmp_path)
        page.click("text=Undo")
        assert played(page, lambda: page.keyboard.type("c4\n", delay=50), "c4", tmp_path)


def played(page: Page, act: Callable[[], None], first: str, folder: Path) -> bool:
    """Act until the program is there and has answered, and tell whether the game then begins with a move."""
    for _ in range(PATIENCE // 1000):
        act()
        page.wait_for_timeout(1000)
        for path in folder.glob("games/*.json"):
            if read(path).record.game.moves[:1] == [parse_square(first, SIZE)]:
                return True
    return False


@needs_chromium
@pytest.mark.parametrize("width", [390, 800])
def test_the_page_says_that_it_loads_and_every_key_is_in_the_window(server: str, width: int) -> None:
    with chromium() as browser, opened(browser, "about:blank", width) as tab:
        tab.page.goto(server, wait_until="domcontentloaded")
        assert tab.page.locator("#loading").is_visible()
        assert "Loading" in tab.page.inner_text("#loading")
        buttons = tab.page.locator("#keys button")
        assert {"Undo", "Resign", "Load", "Quit"} <= set(buttons.all_inner_texts())
        for button in buttons.all():
            box = button.bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            assert box["y"] + box["height"] <= tab.page.evaluate("innerHeight")
        assert not tab.is_too_wide
        tab.page.wait_for_selector("body.-first-byte")
        assert not tab.page.locator("#loading").is_visible()


@pytest.mark.parametrize(
    ("path", "headers"),
    [("", {"Host": "evil.example"}), ("ws", {"Origin": "http://evil.example"}), ("ws", {})],
)
def test_a_page_of_elsewhere_gets_nothing(server: str, path: str, headers: dict[str, str]) -> None:
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(urllib.request.Request(server + path, headers=headers))  # noqa: S310  our own


@pytest.mark.parametrize("size", ["width=1000000000", "height=-1", "width=wide&height=24"])
def test_a_window_that_nobody_has_is_refused(server: str, size: str) -> None:
    own = {"Origin": server.rstrip("/")}
    with pytest.raises(urllib.error.HTTPError, match="400"):
        urllib.request.urlopen(urllib.request.Request(f"{server}ws?{size}", headers=own))  # noqa: S310  our own


@pytest.mark.parametrize(
    "frame",
    [
        "no json",
        "[" * 100_000,
        "9" * 5000,
        "{}",
        "[]",
        '["stdin"]',
        '["stdin", 3]',
        '["stdin", "\\ud800"]',
        '["resize", {"width": "wide", "height": 1}]',
        '["resize", {"width": 1000000000, "height": 1000000000}]',
        '["resize", {"width": -1, "height": 0}]',
        '["resize", {"width": true, "height": true}]',
        '["quit"]',
    ],
)
def test_what_no_page_of_ours_sends_is_known_as_such(frame: str) -> None:
    assert not is_known(frame)
    assert is_known('["resize", {"width": 80, "height": 24}]')


async def closed_by(server: str, frame: str) -> int | None:
    """Send a frame and return the code that the server closes the tab with."""
    own = {"Origin": server.rstrip("/")}
    async with (
        aiohttp.ClientSession(headers=own) as session,
        session.ws_connect(f"{server}ws?width=80&height=24") as socket,
        asyncio.timeout(PATIENCE / 1000),
    ):
        await socket.send_str(frame)
        while (await socket.receive()).type is not aiohttp.WSMsgType.CLOSE:
            pass
        return socket.close_code


def test_a_frame_that_is_no_json_closes_its_tab_and_prints_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(tmp_path) as server:
        assert asyncio.run(closed_by(server, "no json")) == aiohttp.WSCloseCode.UNSUPPORTED_DATA
    assert capfd.readouterr() == ("", "")
