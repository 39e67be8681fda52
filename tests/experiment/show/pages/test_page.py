import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from othello_lab.commands.report import command
from tests.calling import caller
from tests.experiment.show.pages.reported import HOSTILE, NAMES, RUN, run_folder

pytestmark = pytest.mark.slow

report = caller(command)
PICTURE = "data:image/svg+xml;base64,"


class Elements(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


@pytest.fixture(scope="module")
def pages(reports: dict[str, Path]) -> dict[str, str]:
    return {name: path.read_text() for name, path in reports.items()}


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_taken_for_code_and_nothing_is_asked_for(pages: dict[str, str], name: str) -> None:
    page = Elements(pages[name])
    assert [script.get("type") for script in page.named("script")] == ["application/json", None]
    assert [link["href"] for link in page.named("link")] == ["data:,"]
    for tag, attributes in page.found:
        assert "style" not in attributes, "the policy allows none"
        assert not [name for name in attributes if name.startswith("on")]
        assert attributes.get("href", "#").startswith(("#", "data:")), tag  # type: ignore[union-attr]  # it is text
        assert (attributes.get("src") or PICTURE).startswith(PICTURE)
    assert HOSTILE in "".join(page.text)


@pytest.mark.parametrize("name", NAMES)
def test_the_policy_allows_only_style_and_script_of_the_page(pages: dict[str, str], name: str) -> None:
    (policy,) = (
        meta["content"]
        for meta in Elements(pages[name]).named("meta")
        if meta.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    style, script = (
        re.findall(rf"<{tag}>(.*?)</{tag}>", pages[name], re.DOTALL) for tag in ("style", "script")
    )
    for (text,), source in ((style, "style-src"), (script, "script-src")):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{source} 'sha256-{digest}';" in policy


@pytest.mark.parametrize("name", NAMES)
def test_pictures_have_texts_and_ids_are_alone(pages: dict[str, str], name: str) -> None:
    page = Elements(pages[name])
    ids = [attributes["id"] for _, attributes in page.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert page.named("img")
    assert all(picture["alt"] for picture in page.named("img"))


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("run", [f"Run {RUN}", "greedy as black against corner-greedy on 4x4", "75.0 %", "59.8 to 85.8 %"]),
        ("games", ["3 games of Othello on 4x4, 8x8", "without a result are left out of all counts: 1."]),
        ("tournament", ["3 players, 18 games from 3 openings, both colours"]),
    ],
)
def test_a_report_says_how_it_went(pages: dict[str, str], name: str, parts: list[str]) -> None:
    text = " ".join("".join(Elements(pages[name]).text).split())
    assert all(part in text for part in parts)


def test_a_runs_policy_plays_those_it_was_evaluated_with_as_both_colours(pages: dict[str, str]) -> None:
    games = games_of(pages["run"])
    seats = {tuple(game["label"].split(". ", 1)[1].split(": ")[0].split(" against ")) for game in games}
    other = ("corner-greedy", "random")
    assert seats == {*((RUN, name) for name in other), *((name, RUN) for name in other)}
    assert all(game["values"] for game in games)


def games_of(page: str) -> list[Any]:
    found = re.search(r'<script type="application/json" id="games-data">(.*?)</script>', page, re.DOTALL)
    assert found
    games: list[Any] = json.loads(found[1])
    return games


def test_a_game_has_all_that_the_viewer_needs(pages: dict[str, str]) -> None:
    game = games_of(pages["games"])[0]
    assert game["start"] == "-----OX--XO-----"
    assert game["moves"][:3] == [11, 15, 14]
    assert game["moves"].count(-1) == 2
    assert game["turns"][:3] == "XOX"
    assert len(game["legal"]) == len(game["turns"]) == len(game["moves"]) + 1
    assert game["legal"][0] == [1, 4, 11, 14]
    assert game["flips"][0] == [10]
    assert game["values"][0] == [["+1", 10]] * 4
    names = [each["names"] for each in games_of(pages["games"])]
    assert names == [[], [], [[2, "Perpendicular"], [5, "Tiger"]]]


def test_a_tournament_has_pictures_and_games_of_all_pairs(pages: dict[str, str]) -> None:
    assert len(Elements(pages["tournament"]).named("img")) == 4
    games = games_of(pages["tournament"])
    assert len(games) == 5
    assert all(game["opening"] == 4 for game in games)


def test_a_game_keeps_its_number_where_another_cannot_be_read(tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    games.write_text("f5d6c3\nf5f5\nd3c5\n")
    assert report(games).exit_code == 0
    page = Path(f"{games}.html").read_text()
    assert [game["label"].split()[0].rstrip(":.") for game in games_of(page)] == ["1", "3"]


def test_the_largest_board_has_a_report(tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    games.write_text('{"size": 16, "moves": ""}\n')
    assert report(games).exit_code == 0
    (game,) = games_of(Path(f"{games}.html").read_text())
    assert len(game["start"]) == 16 * 16


def test_the_same_report_is_the_same_bytes(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "one")
    once, again = tmp_path / "once.html", tmp_path / "again.html"
    for path in (once, again):
        assert report(folder, "--games", "2", "--seed", "7", "--output", path).exit_code == 0
    assert once.read_bytes() == again.read_bytes()
