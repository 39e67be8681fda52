import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import WINDOWS, Opened, Scheme, needs_chromium, opened
from tests.experiment.show.pages.reported import HOSTILE, NAMES

pytestmark = [pytest.mark.slow, needs_chromium]


Windows = Callable[..., Opened]


@pytest.fixture
def windows(browser: Browser, reports: dict[str, Path]) -> Iterator[Windows]:
    with ExitStack() as stack:
        yield lambda name, *size: stack.enter_context(opened(browser, reports[name].as_uri(), *size))


def place(page: Page) -> int:
    return int(page.input_value("#place"))


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_complained_about_and_no_request_leaves_the_file(windows: Windows, name: str) -> None:
    report = windows(name)
    for key in ("ArrowRight", "End", "Home"):
        report.page.keyboard.press(key)
    report.page.select_option("#game", index=1)
    report.page.wait_for_load_state("networkidle")
    assert not report.complaints
    assert [url.partition(":")[0] for url in report.requests if not url.startswith("data:")] == ["file"]


def test_games_are_stepped_through_by_button_by_key_and_by_list(windows: Windows) -> None:
    page = windows("tournament").page
    page.keyboard.press("ArrowRight")  # before anything has the focus
    assert place(page) == 1
    page.keyboard.press("Home")
    seen = [place(page)]
    for button in ("forward", "forward", "back", "last", "forward", "first", "back"):
        page.click(f"#{button}")
        seen.append(place(page))
    end = int(page.get_attribute("#place", "max") or 0)
    assert seen == [0, 1, 2, 1, end, end, 0, 0]
    for key, wanted in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", end), ("Home", 0)):
        page.keyboard.press(key)
        assert place(page) == wanted
    page.click("#moves li:nth-child(4) button")
    assert place(page) == 3
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent").startswith("4. ")
    page.select_option("#game", index=1)
    page.focus("#game")
    page.keyboard.press("ArrowRight")
    assert (page.input_value("#game"), place(page)) == ("1", 1)


def test_a_click_and_a_key_on_the_graph_go_to_a_move(windows: Windows) -> None:
    page = windows("tournament").page

    def output() -> str:
        return page.get_attribute("#graph", "aria-valuetext") or ""

    for index in range(page.locator("#game option").count()):
        if not page.locator("#graph .mistake").count():
            page.select_option("#game", index=index)
    end = int(page.get_attribute("#place", "max") or 0)
    page.locator("#graph .mistake").first.click()
    at = place(page)
    assert re.search(rf"after {at} moves, black .*, move {at + 1} lost", output())
    page.keyboard.press("ArrowRight")
    assert place(page) == at + 1
    page.click("#last")
    assert re.fullmatch(rf"after {end} moves, black .?\d+", output())
    assert windows("games").page.locator("#graph").is_hidden()


def test_the_board_shows_the_game(windows: Windows) -> None:
    page = windows("games").page

    def discs() -> tuple[int, int]:
        black, white = (page.locator(f"#board circle.{side}").count() for side in ("black", "white"))
        return black, white

    assert discs() == (2, 2)
    assert page.locator("#board text[class^=on-shade]").all_text_contents() == ["+1"] * 4
    page.click("#forward")
    assert discs() == (4, 1)
    assert page.locator("#board .last").count() == page.locator("#board .turned").count() == 1
    page.uncheck("#values")
    assert page.locator("#board .legal").count() == 3
    page.click("#last")
    assert page.inner_text("#status").endswith("wins.")
    page.select_option("#game", index=1)
    assert HOSTILE in page.inner_text("#game")
    assert page.locator("#board .square").count() == 64


def test_what_is_seen_is_said(windows: Windows) -> None:
    page = windows("games").page
    status = page.locator("#status")
    assert status.get_attribute("aria-live") == "polite"
    page.click("#forward")
    counts = "4 black, 11 empty, 1 white"
    assert status.inner_text() == f"Move 1 of 14: black d3. {counts}. White to move: d2 b4 d4."
    picture = page.locator("#board svg")
    assert picture.get_attribute("aria-label") == "Board. Black: c2 b3 c3 d3. White: b2."
    page.select_option("#game", index=2)
    page.click("#last")
    assert status.inner_text().startswith("Move 5 of 5: black c4. Opening: Tiger. 6 black, ")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("width", "scheme"), WINDOWS)
def test_it_can_be_used_by_everybody(windows: Windows, name: str, scheme: Scheme, width: int) -> None:
    """A phone shows all of a table and a plot, or the page says how to see the rest."""
    report = windows(name, width, scheme)
    page, narrow = report.page, width == 390
    for summary in page.locator("summary").all():
        summary.click()
    assert not report.is_too_wide
    assert not report.faults()
    if narrow:
        for part in page.locator(".rows").all():
            assert part.evaluate("it => it.parentElement.scrollWidth <= it.parentElement.clientWidth")
        parts = page.locator(".matrix").count() + page.locator(".pictures").count()
        assert parts == page.locator(".hint:visible").count()
    for plot in page.locator("figure").all():
        is_cut = narrow and plot.get_attribute("class") == "wide"
        assert plot.evaluate("it => it.scrollWidth > it.clientWidth") is is_cut
