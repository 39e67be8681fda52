import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import PATIENCE, Opened, chromium, needs_chromium, opened
from tests.experiment.lab import posix

pytestmark = [needs_chromium, posix, pytest.mark.slow]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE)
    with chromium() as browser:
        yield browser


@contextmanager
def serving(
    folder: Path, end: signal.Signals = signal.SIGINT, port: int = 0, opponent: str = "greedy"
) -> Iterator[str]:
    command = [
        sys.executable,
        "-m",
        "othello_lab",
        "play",
        opponent,
        "--size=4",
        "--web",
        "--no-open",
        f"--port={port}",
    ]
    environment = {**os.environ, "OTHELLO_STATE": str(folder)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout
        try:
            yield re.findall(r"http://[\d.:]+/", process.stdout.readline())[0]
        finally:
            process.send_signal(end)
    assert process.returncode == (0 if end is signal.SIGINT else -end)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """The address of a server that several tests share. Each new window has a game of its own."""
    with serving(folder) as address:
        yield address


def until(holds: Callable[[], object], page: Page) -> None:
    ends = time.monotonic() + PATIENCE / 1000
    while not holds():
        assert time.monotonic() < ends
        page.wait_for_timeout(50)


def play_out(page: Page, move: Callable[[], object]) -> None:
    card, legal, moves = page.locator("#card"), page.locator("#squares .legal"), page.locator("#moves li")
    while True:
        until(lambda: card.is_visible() or legal.count(), page)
        if card.is_visible():
            return
        made = moves.count()
        move()
        until(moves.nth(made).count, page)


def check(tab: Opened, address: str) -> None:
    assert not tab.is_too_wide
    assert not tab.faults()
    assert not tab.complaints
    assert all(url.startswith((address, "data:", "blob:")) for url in tab.requests)


def test_a_game_by_touch_on_a_phone(browser: Browser, address: str) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme="dark"
    )
    tab = Opened(context.new_page(), address)
    page = tab.page
    play_out(page, page.locator("#squares .legal").first.tap)
    check(tab, address)
    expect(page.locator("#card-lines")).to_contain_text("cost")
    dots = page.locator("#graph .mistake")
    until(dots.count, page)
    page.keyboard.press("m")
    expect(page.locator("#notice")).to_contain_text("which lost")
    expect(page.locator("#card")).to_be_hidden()
    dots.last.tap()
    expect(page.locator("#notice")).to_contain_text("which lost")
    check(tab, address)
    for name in ("Undo", "Hint", "New game", "Save"):
        assert page.locator("#buttons button", has_text=name).is_enabled()
    context.close()


def by_keys(page: Page) -> None:
    goal = int(page.locator("#squares .legal").first.get_attribute("data-square") or 0)
    for _ in range(4):
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowLeft")
    for key, times in (("ArrowDown", goal // 4), ("ArrowRight", goal % 4)):
        for _ in range(times):
            page.keyboard.press(key)
    page.keyboard.press("Enter")


def test_a_game_by_the_keyboard_alone(browser: Browser, address: str) -> None:
    with opened(browser, address, 1024) as tab:
        page = tab.page
        until(page.locator("#squares .legal").count, page)
        page.keyboard.press("h")
        expect(page.locator("#hint")).to_contain_text("best: ")
        check(tab, address)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")  # skips to the board
        page.keyboard.press("Tab")
        play_out(page, lambda: by_keys(page))
        expect(page.locator("#choices button").first).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#sums")).to_contain_text("mistake")
        page.keyboard.press("m")
        expect(page.locator("#notice")).to_contain_text("which lost")
        page.keyboard.press("n")
        expect(page.locator("#size")).to_be_focused()
        check(tab, address)
        page.keyboard.press("Escape")


def test_a_position_is_set_up_by_touch_and_by_the_keyboard_and_played(browser: Browser, address: str) -> None:
    with opened(browser, address, 390, "dark") as tab:
        page = tab.page
        discs, notice = page.locator("#board circle.black, #board circle.white"), page.locator("#notice")
        until(page.locator("#squares .legal").count, page)
        page.keyboard.press("e")
        page.keyboard.press("c")
        expect(discs).to_have_count(0)
        page.keyboard.press("p")
        expect(notice).to_contain_text("nobody could move")
        page.locator("#squares button").nth(1).click()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        expect(notice).to_have_text("c1: white.")
        expect(page.locator("#white .discs")).to_have_text("1")
        expect(page.locator("#squares :focus")).to_have_attribute("aria-label", "c1, white")
        page.keyboard.press("w")
        check(tab, address)
        page.keyboard.press("Escape")
        expect(discs).to_have_count(4)
        page.click("#edit")
        page.keyboard.press("c")
        for square, times in ((4, 1), (5, 2), (6, 1), (7, 0)):
            for _ in range(times):
                page.locator("#squares button").nth(square).click()
        page.click("#play-on")
        expect(page.locator("#editing")).to_be_hidden()
        expect(page.locator("#card-title")).to_be_hidden()
        assert "greedy" in page.inner_text("#white")
        page.keyboard.press("s")
        expect(page.locator("#transcript")).to_have_value("----XOX--------- X;")
        with page.expect_download() as game:
            page.click("[value='.jsonl']")
        assert '"----XOX---------' in game.value.path().read_text()
        check(tab, address)


def test_a_game_of_a_file_is_loaded_by_its_number_or_as_the_first(browser: Browser, address: str) -> None:
    with opened(browser, address) as tab:
        page = tab.page
        until(page.locator("#squares .legal").count, page)
        page.click("#load")
        page.fill("#number", "0")
        page.click("#load-game [value='']")
        expect(page.locator("#load-game")).to_be_hidden()
        page.click("#load")
        page.fill("#number", "")
        page.set_input_files("#file", {"name": "game.txt", "mimeType": "text/plain", "buffer": b"b1a1"})
        page.click("#load-game [value=load]")
        expect(page.locator("#moves li")).to_have_count(3)
        check(tab, address)


def test_a_game_after_one_unshown_has_all_choices(browser: Browser, folder: Path, address: str) -> None:
    strange = "3" * 32
    (folder / "games").mkdir(exist_ok=True)
    (folder / "games" / f"{strange}.json").write_text("{}")
    with opened(browser, address) as tab:
        page = tab.page
        title, choices = page.locator("#card-title"), page.locator("#choices button")
        for _ in range(2):
            page.locator("#squares .legal").first.wait_for()  # the new game is there
            page.click("[data-command=resign]")
            expect(title).to_contain_text("You lose: black resigned.")
            expect(choices).to_have_text(["Review", "Rematch", "Other players", "Save"])
            page.evaluate(f"server.open('{strange}')")
            expect(title).to_have_text("This game cannot be shown")
            expect(choices).to_have_text(["Begin a new one"])
            check(tab, address)
            choices.click()


def test_what_is_played_is_there_again_whatever_ends(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path, signal.SIGKILL) as address:
        context = browser.new_context()
        page = context.new_page()
        page.goto(address)
        moves = page.locator("#moves li")
        page.locator("#squares .legal").first.click()
        until(lambda: moves.count() > 2, page)
        page.locator("#squares .legal").first.click()
        until(lambda: moves.count() > 4, page)
        page.keyboard.press("Control+z")
        current = page.locator("#moves [aria-current]")
        expect(current).to_contain_text("2.")
        page.reload()
        expect(current).to_contain_text("2.")
        second = context.new_page()
        second.goto(address)
        expect(second.locator("#unfinished")).to_contain_text("greedy")
        expect(second.locator("#moves li")).to_have_count(1)
    expect(page.locator("#notice")).to_contain_text("does not answer")
    port = int(address.rstrip("/").rpartition(":")[2])
    with serving(tmp_path, port=port, opponent="mobility"):
        expect(page.locator("#notice")).not_to_contain_text("does not answer")
        expect(current).to_contain_text("2.")
        assert "greedy" in page.inner_text("#white")
        page.click("[data-command=resign]")
        expect(page.locator("#card-title")).to_contain_text("You lose: black resigned.")
        context.close()
