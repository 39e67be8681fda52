"""`othello puzzles`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from filelock import FileLock

from othello_lab.commands.puzzles import FILE
from othello_lab.commands.puzzles import command as puzzles_command
from othello_lab.commands.review import command as review_command
from othello_lab.commands.seating import STATE
from othello_lab.game import Game
from othello_lab.game.records import Record, read, write
from tests.console.seated import FORCED, OPTIMAL


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the puzzles."""
    monkeypatch.setenv(STATE, str(tmp_path / "state"))
    return tmp_path / "state"


def puzzles(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(puzzles_command, words, input=typed, catch_exceptions=False)


def games(tmp_path: Path, *names: tuple[str, str]) -> str:
    path = tmp_path / "games.jsonl"
    write(path, [Record(Game.from_transcript(FORCED, 4), *pair) for pair in names])
    return str(path)


def test_who_has_none_hears_where_they_come_from() -> None:
    shown = puzzles()
    assert shown.exit_code == 0
    assert "`othello puzzles game.jsonl` takes the mistakes of a game" in shown.stdout


@pytest.mark.parametrize(
    ("names", "options", "sides"),
    [
        (("Ann", "Bob"), [], {"black", "white"}),
        (("Ann", "Bob"), ["--player", "ann"], {"black"}),
        (("level:3", "person"), [], {"white"}),
        (("level:3", "person"), ["--player", "level"], {"black"}),
        (("level:3", "person"), ["--colour", "black"], {"black"}),
    ],
)
def test_mistakes_of_games_are_asked(
    names: tuple[str, str], options: list[str], sides: set[str], tmp_path: Path, state: Path
) -> None:
    path = games(tmp_path, names)
    first, again = puzzles(path, *options, typed="hint\nquit\n"), puzzles(path, *options, "--list")
    lines = [json.loads(line)["decision"] for line in (state / FILE).read_text().splitlines()]
    assert {line["side"] for line in lines} == sides
    assert f"{len(lines)} new puzzle" in first.stdout
    assert "Asked again later today" in first.stdout
    assert "0 new puzzles from 1 game\n" in again.stdout
    assert "asked 1, missed 1" in again.stdout
    said = json.loads(CliRunner().invoke(review_command, [path, "--json"]).stdout)["decisions"]
    assert all(line in said for line in lines)


def test_a_game_is_chosen_from_those_of_files(tmp_path: Path) -> None:
    path = games(tmp_path, ("Ann", "Bob"), ("Cid", "Dan"))
    shown = puzzles(path, "--number", "2", "--list").stdout
    assert "Cid - Dan" in shown
    assert "Ann" not in shown


def test_moves_are_a_game(state: Path) -> None:
    assert "4 new puzzles from 1 game\n" in puzzles(FORCED, "--size", "4", "--list").stdout
    assert len(read(state / FILE)) == 4


def test_endgames_follow_from_the_seed_and_are_always_new(state: Path, tmp_path: Path) -> None:
    words = ["--endgames", "3", "--size", "6", "--empties", "6", "--list"]
    assert "3 new endgames\n" in puzzles(*words).stdout
    assert "3 new endgames\n" in puzzles(*words).stdout
    six = [str(record.game.board) for record in read(state / FILE)]
    assert len({*six}) == 6
    (state / FILE).unlink()
    puzzles("--endgames", "6", *words[2:])
    assert [str(record.game.board) for record in read(state / FILE)] == six
    (state / FILE).unlink()
    puzzles(*words, "--seed", "1")
    assert not {str(record.game.board) for record in read(state / FILE)} & {*six}


def test_a_review_says_how_to_be_asked_its_mistakes(tmp_path: Path) -> None:
    path = games(tmp_path, ("Ann", "Bob"), ("Cid", "Dan"))
    said = CliRunner().invoke(review_command, [path, "--number", "2"]).stdout
    assert said.splitlines()[-1].endswith(f"puzzles {path} --number=2")
    assert "puzzles" not in CliRunner().invoke(review_command, [OPTIMAL[:2], "--size", "4"]).stdout


def test_only_one_window_asks(state: Path) -> None:
    state.mkdir()
    with FileLock((state / FILE).with_suffix(".lock")):
        shown = puzzles()
    assert shown.exit_code == 1
    assert "in use: puzzles are asked in another window" in shown.output


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["zz"], "'zz' is neither a position nor a list of moves"),
        (["no-such.ggf"], "no-such.ggf"),
        ([FORCED, "--size", "5"], "a board of 5x5 does not exist"),
        ([FORCED, "--size", "4", "--player", "Ann"], "none of 1 game fits --number and --player"),
        (["--endgames", "1", "--size", "4", "--empties", "14"], "games on 4x4 lead to no more endgames"),
    ],
)
def test_what_is_wrong_is_one_line(words: list[str], why: str) -> None:
    shown = puzzles(*words)
    assert shown.exit_code in (1, 2)
    assert why in shown.output
    assert "Traceback" not in shown.output
