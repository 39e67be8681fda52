"""The pictures of the documentation that are taken in a browser."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from scripts.desk import Desk, othello

if TYPE_CHECKING:
    from playwright.sync_api import Page

_BESIDE: Final = 1160
"""Pixels of a window in which a game stands beside the curves."""


def report(desk: Desk) -> None:
    """Draw a page of games, at the middle of one."""
    size, player = ("4", "positional") if desk.small else ("6", "ntuple:pretrained")
    with TemporaryDirectory() as folder, _window(1000) as page:
        games, html = Path(folder) / "games.jsonl", Path(folder) / "report.html"
        othello("match", player, "positional", "--size", size, "--openings", "1", "--records", str(games))
        othello("report", str(games), "--values", player, "--output", str(html))
        page.goto(html.as_uri())
        for _ in range(2 * int(size)):
            page.click("#forward")
        page.locator("section:has(#viewer)").screenshot(path=desk.output / "report.png")


def watch(desk: Desk) -> None:
    """Draw the page that shows a run while it learns."""
    folder = desk.run("first", "--size 6 --episodes 300", "checkpoints/policy.safetensors")
    with _window(_BESIDE) as page, _served("watch", str(folder)) as address:
        page.goto(address)
        page.locator("#board circle:not(.legal)").nth(8).wait_for()  # some moves have been made
        page.locator("#board [class^=on-shade]").first.wait_for()
        page.set_viewport_size({"width": _BESIDE, "height": 1150})
        page.screenshot(path=desk.output / "watch.png")


def page(desk: Desk) -> None:
    """Draw the page that one plays on, with a game reviewed."""
    players, size = (("greedy", "random"), "4") if desk.small else (("level:6", "level:4"), "8")
    with TemporaryDirectory() as folder, _window(1100) as page:
        games = Path(folder) / "games.jsonl"
        othello("match", *players, "--size", size, "--openings", "1", "--records", str(games))
        with _served("play", "--web", "--load", str(games), state=folder) as address:
            page.goto(address)
            page.locator("#card").wait_for()
            page.keyboard.press("r")
            page.get_by_text("decisions, ").first.wait_for()
            for _ in range(5):
                page.keyboard.press("m")  # the next mistake
                page.wait_for_timeout(500)
            page.screenshot(path=desk.output / "page.png")


@contextmanager
def _served(*words: str, state: str = "") -> Iterator[str]:
    """Have a command of ours serve a page, and give its address; what it keeps goes to the folder `state`."""
    command = [sys.executable, "-m", "othello_lab", *words]
    environment = {**os.environ, **({"OTHELLO_STATE": state} if state else {})}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:  # noqa: S603  ours
        assert process.stdout  # noqa: S101  it was asked for
        try:
            yield re.findall(r"http://[\d.:]+/", process.stdout.readline())[0]
        finally:
            process.terminate()


@contextmanager
def _window(width: int) -> Iterator["Page"]:
    """Open a page in a browser, without a window that is seen."""
    from tests.browser import chromium, opened

    with chromium() as browser, opened(browser, "about:blank", width) as tab:
        yield tab.page
