"""One game to a file and back, and what is said where that cannot be."""

from pathlib import Path

import pytest

from console.saving import load, path_of, save
from game import Board, Game
from game.records import SUFFIXES, Record, RecordError, write

MOVES = "f5d6c5f4e3f6g5e6e7"
"""A whole game: black takes everything."""


def record(moves: str = MOVES, size: int = 8) -> Record:
    return Record(Game.from_transcript(moves, size), "Ann", "Bob")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_game_comes_back_from_each_format(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"game{suffix}"
    save(path, record())
    assert load(str(path)).game.transcript() == MOVES


def test_the_number_says_which_game(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    write(path, [record("f5d6"), record("c4c3")])
    assert load(f" {path} ", 2).game.transcript() == "c4c3"
    with pytest.raises(RecordError, match=r"games.txt: there is no game 3: its games are 1 to 2"):
        load(str(path), 3)


def test_a_transcript_is_a_game_too() -> None:
    assert load("1. F5 d6 2. C3").game.transcript() == "f5d6c3"
    assert load("b1 a1", size=4).game.size == 4
    with pytest.raises(RecordError, match="there is no game 2: moves or a position are one game"):
        load("f5d6c3", 2)
    with pytest.raises(
        RecordError,
        match=r"'hello' is neither a position nor a list of moves.* file of games ends with .jsonl, ",
    ):
        load("hello")


def test_no_file_is_overwritten_unasked(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    save(path, record("f5"))
    with pytest.raises(RecordError, match=r"game.txt is there already: name a new file"):
        save(path, record())
    assert path.read_text() == "f5\n"
    save(path, record(), overwrite=True)
    assert path.read_text() == f"{MOVES}\n"


def test_what_cannot_be_saved_is_said_and_leaves_no_file(tmp_path: Path) -> None:
    position = Record(Game(Board.parse("-----XO--OX----- X")))
    with pytest.raises(RecordError, match=r"this game has none: use .jsonl or .ggf"):
        save(tmp_path / "game.txt", Record(Game(Board.start(8))))
    with pytest.raises(RecordError, match=r"WTHOR .* not 4x4"):
        save(tmp_path / "game.wtb", position)
    with pytest.raises(RecordError, match=r"the file name must end with"):
        save(tmp_path / "game.sgf", record())
    with pytest.raises(RecordError, match=r"cannot be written: No such file or directory"):
        save(tmp_path / "nowhere" / "game.txt", record())
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"none.ggf: cannot be read: No such file or directory"):
        load(str(tmp_path / "none.ggf"))
    with pytest.raises(RecordError, match=r"character of code 0"):
        load("a\0.txt")
    with pytest.raises(RecordError, match=r"cannot be read: File name too long"):
        load(f"{'a' * 5000}.txt")


def test_a_tilde_is_the_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert path_of("~/game.txt") == tmp_path / "game.txt"
    with pytest.raises(RecordError, match=r"no-such-user"):
        path_of("~no-such-user/game.txt")
