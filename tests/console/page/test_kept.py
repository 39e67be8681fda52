from threading import Timer

import pytest

from othello_lab.commands.play import save_folder
from othello_lab.console.controller import Controller
from othello_lab.console.page import tabs
from othello_lab.console.saving import SUFFIX, SavedGame, SaveFile
from othello_lab.game.notation import parse_square
from tests.console.page.serving import ONE, TWO, Browser, Greedy

pytestmark = pytest.mark.slow


def begun(browser: Browser, game: str = ONE) -> list[object]:
    browser.ready(game)
    browser.tell("play", game, square=parse_square("b1", 4))
    return list(browser.ready(game)["moves"])


def test_each_tab_has_a_game_of_its_own_and_is_offered_those_of_others() -> None:
    browser = Browser()
    moves = begun(browser)
    second = browser.ready(TWO)
    assert second["moves"] == []
    (offer,) = second["unfinished"]
    assert offer["game"] == ONE
    assert "greedy (white), 4x4, 2 moves" in offer["says"]
    assert browser.ready(ONE)["moves"] == moves


def test_a_game_that_another_program_plays_is_left_to_it() -> None:
    before = Browser()
    begun(before)
    here = Browser()
    state = here.ready(ONE)
    assert "another program" in state["failure"]
    assert not state["is_ready"]
    assert here.ready(ONE)["failure"]
    before.tabs.close()
    here.reload()
    assert here.await_that(lambda state: state["is_ready"])["ply"] == 2


def test_a_game_that_another_tab_looks_at_for_a_moment_goes_on() -> None:
    before = Browser()
    begun(before)
    before.tabs.close()
    place = SaveFile(save_folder() / f"{ONE}{SUFFIX}")
    place.lock()
    here = Browser()
    assert not here.tell()["is_ready"]
    Timer(0.2, place.release).start()
    assert here.ready()["ply"] == 2


def test_why_there_is_no_game_stays_and_another_page_tries_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def die(self: Greedy, file: SaveFile, saved: SavedGame | None) -> Controller:
        tried.append(file)
        raise ValueError("it died at its start")

    monkeypatch.setattr(Greedy, "make", die)
    browser = Browser()
    for times in (1, 2):
        assert browser.ready()["failure"] == browser.tell()["failure"] == "it died at its start"
        assert len(tried) == times
        browser.reload()


def test_a_file_that_holds_no_game_is_told() -> None:
    browser = Browser()
    begun(browser)
    browser.tabs.close()
    path = next(tab.file for tab in browser.tabs._tabs.values()).path
    path.write_text("{}")
    assert "is no unfinished game" in Browser().ready(ONE)["failure"]
    place = SaveFile(path)
    place.lock()
    place.release()


def test_of_many_tabs_the_oldest_wait_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tabs, "MOST", 2)
    browser = Browser()
    moves = begun(browser)
    for place in range(3):
        browser.ready(f"{place:032x}")
    assert len(browser.tabs._tabs) == 2
    assert browser.ready(ONE)["moves"] == moves
