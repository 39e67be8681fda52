import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser

from othello_lab.commands.analyse import command as analyse
from tests.browser import WINDOWS, Scheme, needs_chromium, opened

pytestmark = pytest.mark.slow
PLAYED = ["positional", "greedy", "--size", "4", "--games", "30", "--symmetry", "0"]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("analysis") / "tables"
    result = CliRunner().invoke(analyse, [*PLAYED, "--tables", str(folder)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return folder


def sliders(folder: Path) -> list[dict[str, Any]]:
    text = (folder / "report.html").read_text()
    return [json.loads(each) for each in re.findall(r'<script type="application/json">(.*?)</script>', text)]


def test_each_own_turn_has_the_player_as_black_random_play_and_the_player_as_white(tables: Path) -> None:
    first, second = sliders(tables)
    assert [slide["label"] for slide in first["slides"]][:2] == [
        "Own turn 3: black's turn 4, white's 5",
        "Own turn 4: black's turn 6, white's 7",
    ]
    titles = [board["title"] for board in second["slides"][0]["boards"]]
    assert titles == ["greedy as black", "random play", "greedy as white"]


def test_a_board_has_the_percents_of_the_tables(tables: Path) -> None:
    rows = csv.DictReader((tables / "squares_by_turn.csv").read_text().splitlines())
    own = [row for row in rows if (row["side"], row["turn"]) == ("positional as black", "4")]
    shares = enumerate(float(row["possible"]) for row in own)
    wanted = {square: f"{100 * share:.0f}" for square, share in shares if share}
    board = sliders(tables)[0]["slides"][0]["boards"][0]
    found = {square: value[0] for square, value in zip(board["squares"], board["values"], strict=True)}
    assert found == wanted
    assert board["says"].startswith(f"percent of {own[0]['decisions']} decisions at turn 4; ± ")


def test_the_three_of_a_turn_have_one_scale(tables: Path) -> None:
    for slide in sliders(tables)[0]["slides"]:
        shades = [value[1] for board in slide["boards"] for value in board["values"]]
        percents = [int(value[0]) for board in slide["boards"] for value in board["values"]]
        assert max(shades) == 20
        assert shades[percents.index(max(percents))] == 20
        for percent, shade in zip(percents, shades, strict=True):
            assert shade == pytest.approx(20 * percent / max(percents), abs=1)


@needs_chromium
@pytest.mark.parametrize(("width", "scheme"), WINDOWS)
def test_the_slider_goes_through_turns(browser: Browser, tables: Path, width: int, scheme: Scheme) -> None:
    with opened(browser, (tables / "report.html").as_uri(), width, scheme) as shown:
        part = shown.page.locator(".slider").first
        part.locator("input").focus()
        shown.page.keyboard.press("Home")
        assert part.locator("[role=status]").inner_text() == "Own turn 3: black's turn 4, white's 5"
        shown.page.keyboard.press("ArrowRight")
        assert part.locator("[role=status]").inner_text() == "Own turn 4: black's turn 6, white's 7"
        assert part.locator("figure").count() == 3
        assert part.locator("figcaption").first.inner_text().startswith("positional as black: percent of ")
        assert not shown.is_too_wide
        assert not shown.faults()
        assert not shown.complaints
