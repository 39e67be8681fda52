import re
import sqlite3
from pathlib import Path

import pytest

from othello_lab.commands.report import command
from tests.calling import caller
from tests.experiment.show.pages.reported import run_folder, tournament

pytestmark = pytest.mark.slow

report = caller(command)


def test_lines_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    spoilt = "60,random,white,40,39,0,1\n60,random,wh\x00ite\n60,ran\n"
    folder = run_folder(tmp_path / "one", evaluations=spoilt)
    assert report(folder, "--games", "0").exit_code == 0
    page = (folder / "report.html").read_text()
    assert "evaluations.csv: 2 lines left out, which cannot be read" in page


@pytest.mark.parametrize("agent", ["dqn", "engine:no-such-program"])
def test_a_run_without_a_policy_that_plays_has_a_report_without_games(tmp_path: Path, agent: str) -> None:
    folder = run_folder(tmp_path / "one", agent=agent)
    result = report(folder)
    assert result.exit_code == 0
    assert "no games to step through" in result.output
    assert "games-data" not in (folder / "report.html").read_text()


def test_an_illegal_move_in_a_database_is_told_with_the_file_and_the_game(tmp_path: Path) -> None:
    path = tournament(tmp_path / "t.sqlite")
    with sqlite3.connect(path) as database:
        database.execute("UPDATE game SET moves = 'a1a1zz' WHERE opening = (SELECT max(opening) FROM game)")
    database.close()
    result = report(path)
    assert result.exit_code == 2
    line = result.output.splitlines()[-1]
    assert re.search(f"{re.escape(str(path))}, game [0-9]+: 'a1a1zz' is not a list of moves", line), line


def test_the_report_of_one_game_has_its_result_and_no_statistics(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("f5d6c3\n")
    assert report(tmp_path / "one.txt").exit_code == 0
    page = (tmp_path / "one.txt.html").read_text()
    assert "the game is not over" in page
    assert "95 %" not in page
    assert "By player" not in page


def test_who_cannot_value_these_moves_is_told(tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    games.write_text('{"size": 16, "moves": ""}\n')
    result = report(games, "--values", "dqn:pretrained")
    assert result.exit_code == 2
    assert "Invalid value for --values: no dqn:pretrained for 16x16 boards" in result.output


@pytest.mark.parametrize(
    ("name", "content", "answers"),
    [
        ("none", None, "there is no run in runs/none"),
        ("games.jsonl", b"{", "line 1: column 2: no JSON"),
        ("games.jsonl", b"", "has no games"),
        ("games.ggf", b"\xff\x00(;", "games.ggf"),
        ("games.wtb", b"\x00" * 7, "games.wtb"),
        ("games.xyz", b"f5d6", "a report cannot be made of"),
        ("t.sqlite", b"", "is empty: no tournament was begun there"),
        ("t.sqlite", b"SQLite format 3\0" + bytes(90), "t.sqlite is"),
        ("evaluations.csv", b"episode,opp", "a report cannot be made of"),
    ],
)
def test_what_no_report_is_made_of_is_one_line(
    here: Path, name: str, content: bytes | None, answers: str
) -> None:
    if content is not None:
        Path(name).write_bytes(content)
    result = report(name)
    assert result.exit_code == 2
    assert answers in result.output.splitlines()[-1]
    assert not list(here.glob("*.html"))


def test_a_folder_that_is_not_there_is_told_before_anything_is_played(tmp_path: Path) -> None:
    result = report(run_folder(tmp_path / "one"), "--output", tmp_path / "none" / "a.html")
    assert result.exit_code == 2
    assert result.output.splitlines()[-1].endswith(f"--output: there is no folder {tmp_path / 'none'}")


def test_a_damaged_config_is_one_line(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "one")
    (folder / "config.json").write_text("{")
    result = report(folder)
    assert result.exit_code == 2
    assert "config.json cannot be read" in result.output.splitlines()[-1]


def test_a_report_is_html_by_its_name(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "one")
    assert "must end with .html" in report(folder, "--output", tmp_path / "a.pdf").output
