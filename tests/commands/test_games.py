from pathlib import Path

import pytest
from click import Command
from click.testing import CliRunner

from othello_lab.commands import analyse, draw, match, report, review
from othello_lab.commands.games import command
from othello_lab.game import Colour, Game
from othello_lab.game.records import Forfeited, Record, one, write
from tests.calling import caller
from tests.game.recorded import read

WIPED_OUT = "f5d6c5f4e3f6g5e6e7"

games = caller(command)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    finished = Game.from_transcript(WIPED_OUT)
    old = [Record(finished, "Ann", "Bob", event="Paris", date="1999")]
    new = [
        Record(finished, "Cy", "Ann", event="Rome", date="2003"),
        Record(finished, "Cy", "Dée", date="2003"),
    ]
    write(tmp_path / "new.wtb", new)
    write(
        tmp_path / "old.ggf",
        [*old, Record(Game.from_transcript("f5d6"), "Eve", "Bob", event="Préqualif", date="2001.02.03")],
    )
    return tmp_path


def test_games_of_several_files_are_listed(database: Path) -> None:
    result = games(database / "old.ggf", database / "new.wtb")
    assert [line.split() for line in result.stdout.splitlines()] == [
        ["game", "date", "black", "result", "white", "moves", "opening", "where"],
        ["1", "1999", "Ann", "64-0", "Bob", "9", "Perpendicular", "Paris"],
        ["2", "2001.02.03", "Eve", "-", "Bob", "2", "Perpendicular", "Préqualif"],
        ["3", "2003", "Cy", "64-0", "Ann", "9", "Perpendicular", "Rome"],
        ["4", "2003", "Cy", "64-0", "Dée", "9", "Perpendicular"],
    ]
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (["--player", "ann"], ["1", "3"]),
        (["--player", "dee"], ["4"]),
        (["--event", "rom"], ["3"]),
        (["--event", "PRÉQUALIF"], ["2"]),
        (["--since", "2001"], ["2", "3", "4"]),
        (["--until", "2001"], ["1", "2"]),
        (["--since", "2000", "--until", "2001", "--player", "b"], ["2"]),
        (["--number", "4"], ["4"]),
        (["--rows", "1"], ["1"]),
    ],
)
def test_only_some_games_are_listed(wanted: list[str], numbers: list[str], database: Path) -> None:
    result = games(database / "old.ggf", database / "new.wtb", *wanted)
    assert [line.split()[0] for line in result.stdout.splitlines()[1:]] == numbers
    assert ("and 3 more" in result.stderr) == ("--rows" in wanted)


@pytest.fixture
def openings(tmp_path: Path) -> Path:
    path = tmp_path / "openings.txt"
    path.write_text("f5d6c3d3c4\nd3c5f6f5e6e3c3\nf5f6e6f4e3\nf5f6\nf5d6c3d3c4f4c5b3c2\n# 4x4\nb1a1\n")
    return path


@pytest.mark.parametrize(
    ("name", "numbers"), [("tiger", ["1", "2", "5"]), ("rose-bill", ["5"]), ("rosebill", ["5"])]
)
def test_the_games_of_an_opening_are_chosen(name: str, numbers: list[str], openings: Path) -> None:
    result = games(openings, "--opening", name)
    assert [line.split()[0] for line in result.stdout.splitlines()[1:]] == numbers


def test_openings_are_counted_with_how_black_did(tmp_path: Path) -> None:
    lost = Forfeited(Colour.BLACK, "resigned")
    lines = "f5d6c3d3c4", "e6f4c3c4d3", "f5f6e6f4", "f5d6"
    path = tmp_path / "games.jsonl"
    won = Record(Game.from_transcript(WIPED_OUT))
    write(path, [won, *(Record(Game.from_transcript(line), forfeit=lost) for line in lines)])
    result = games(path, "--by-opening")
    rows = {line.split()[0]: line.split() for line in result.stdout.splitlines() if line.strip()}
    assert rows["Perpendicular"][1:8] == ["80.0", "%", "4", "1", "0", "3", "0.250"]
    assert rows["Tiger"][1:8] == ["40.0", "%", "2", "0", "0", "2", "0.000"]
    assert rows["Diagonal"][3] == "1"
    tiger = games(path, "--by-opening", "--opening", "tiger").stdout
    assert "Tiger" in tiger
    assert "Diagonal" not in tiger


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Müller", "muller"),
        ("Søren Ågård", "soren agard"),
        ("Straße", "strasse"),
        ("Ægir Þór", "aegir thor"),
        ("IŞIK", "\u0131ş\u0131k"),
        ("Muller", "MÜLLER"),
        ("Dvořák", "Dvor\u030cak"),
    ],
)
def test_a_name_is_found_without_its_accents(name: str, typed: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write(path, [Record(Game.from_transcript("f5"), "Ann", "Bob"), Record(Game.from_transcript("f5"), name)])
    result = games(path, "--player", typed)
    assert [line.split()[0] for line in result.stdout.splitlines()[1:]] == ["2"]


def test_a_game_is_shown_as_numbers_on_a_board(database: Path) -> None:
    result = games(database / "new.wtb", "--number", "1", "--show")
    lines = result.stdout.splitlines()
    assert lines[0] == "game 1: Cy (black) 64-0 Ann (white), Rome, 2003, opening: Perpendicular"
    assert lines[6].split() == ["5", "·", "·", "3", "●", "○", "1", "7", "·"]
    assert lines[-1] == WIPED_OUT


@pytest.mark.parametrize("suffix", [".jsonl", ".ggf", ".wtb", ".txt"])
def test_games_are_written_in_another_format(suffix: str, database: Path) -> None:
    path = database / f"out{suffix}"
    result = games(database / "new.wtb", "--player", "cy", "--output", path)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", f"{path}: 2 games\n")
    assert [record.game.transcript() for record in read(path)] == [WIPED_OUT] * 2
    if suffix != ".txt":
        assert one(path, 2).white == "Dée"


def test_what_cannot_be_read_is_left_out_and_told(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("f5d6\nf5f5\n" + "a1\n" * 5 + "c4c3\n")
    result = games(path)
    assert [line.split()[0] for line in result.stdout.splitlines()[1:]] == ["1", "8"]
    told = result.stderr.splitlines()
    assert told[0] == f"left out: {path}: line 2: move 2: f5 is not legal here: it is occupied"
    assert told[-1] == "left out: 3 more that cannot be read"
    assert len(told) == 4


FILES = {
    "games.sgf": "(;GM[2];B[f5];W[d6])\n",
    "games.pgn": '[Black "Ann"]\n1. f5 d6\n',
    "games.txt": "1. f5-d6  +12\n",
    "sgf.txt": "(;GM[2];B[f5];W[d6])\n",
    "pgn.txt": '[Black "Ann"]\n1. f5 d6\n',
}


@pytest.mark.parametrize("name", FILES)
def test_every_format_is_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(FILES[name])
    assert games(path, "--show").stdout.endswith("f5d6\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("taking", "words", "shows"),
    [
        (review.command, ["{path}", "--exact", "0", "--nodes", "1"], "d6"),
        (draw.command, ["{path}", "--output", "{folder}/a.svg"], "a.svg"),
        (report.command, ["{path}", "--output", "{folder}/a.html"], "a.html"),
        (analyse.command, ["{path}"], "1 game"),
        (match.command, ["greedy", "random", "--openings", "{path}:2"], "1 position after 2 plies of 1 game"),
    ],
)
def test_commands_read_files_of_games(taking: Command, words: list[str], shows: str, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(FILES[path.name])
    arguments = [word.format(path=path, folder=tmp_path) for word in words]
    result = CliRunner().invoke(taking, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert shows in result.output
