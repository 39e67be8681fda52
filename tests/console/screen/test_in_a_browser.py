"""`othello play --web` in a real browser."""

import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import FloatRect, Page

from console.kept import read
from console.screen.grid import KEYS, LETTERS, NUMBERS, arrange
from game.notation import parse_square
from tests.browser import PATIENCE, chromium, needs_chromium, opened

SIZE = 8


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where unfinished games are."""
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def server(kept: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "othello", "play", "greedy", f"--size={SIZE}", "--web"]
    environment = {**os.environ, "OTHELLO_STATE": str(kept)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout
        yield re.findall(r"http://[\d.:]+/", process.stdout.readline())[0]
        process.send_signal(signal.SIGINT)
    assert process.returncode == 0


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


def moves_after_clicks(page: Page, place: tuple[float, float], folder: Path) -> list[int]:
    """Click until the program is there and has answered, and return the moves of the game that it keeps."""
    for _ in range(PATIENCE // 500):
        page.mouse.click(*place)
        page.wait_for_timeout(500)
        for path in folder.glob("games/*.json"):
            if len(moves := read(path).record.game.moves) >= 2:
                return moves
    raise AssertionError("nothing was played")


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
        square = parse_square("d3", SIZE)
        place = middle_of(square, screen, columns, rows)
        assert moves_after_clicks(tab.page, place, kept)[0] == square
        assert all(url.startswith((server, "about:", "data:")) for url in tab.requests)


@pytest.mark.parametrize(
    ("path", "headers"),
    [("", {"Host": "evil.example"}), ("ws", {"Origin": "http://evil.example"}), ("ws", {})],
)
def test_a_page_of_elsewhere_gets_nothing(server: str, path: str, headers: dict[str, str]) -> None:
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(urllib.request.Request(server + path, headers=headers))  # noqa: S310  our own
