import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from filelock import Timeout

from othello_lab.console.files import load, path_of, save
from othello_lab.console.saving import MOST, SavedGame, SaveFile, new_file, read, saved_games
from othello_lab.game import Board, Colour, Game
from othello_lab.game.records import Record, RecordError

MOVES = "f5d6c5f4e3f6g5e6e7"


def record(moves: str = MOVES, size: int = 8) -> Record:
    return Record(Game.from_transcript(moves, size), "Ann", "Bob")


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


def test_no_file_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    save(path, record("f5"))
    with pytest.raises(RecordError, match=r"game.txt is there already: name a new file"):
        save(path, record())
    assert path.read_text() == "f5\n"


def test_what_cannot_be_saved_is_said_and_leaves_no_file(tmp_path: Path) -> None:
    position = Record(Game(Board.parse("-----XO--OX----- X")))
    with pytest.raises(RecordError, match=r"this game has none: use .jsonl or .ggf"):
        save(tmp_path / "game.txt", Record(Game(Board.start(8))))
    with pytest.raises(RecordError, match=r"WTHOR .* not 4x4"):
        save(tmp_path / "game.wtb", position)
    with pytest.raises(RecordError, match=r"unknown format; supported: .jsonl, .ggf, .wtb, .txt"):
        save(tmp_path / "game.sgf", record())
    with pytest.raises(RecordError, match=r"cannot be written: No such file or directory"):
        save(tmp_path / "nowhere" / "game.txt", record())
    with pytest.raises(RecordError, match=r"cannot be written: File name too long"):
        save(tmp_path / f"{'a' * 300}.txt", record())
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


def game(moves: str = "b1a1", minute: int = 1) -> SavedGame:
    return SavedGame(
        Game.from_transcript(moves, 4),
        ply=min(1, minute),
        seats={Colour.BLACK: None, Colour.WHITE: "greedy"},
        adviser="search:time=1",
        saved=datetime(2026, 5, 4, 3, minute, tzinfo=UTC),
    )


def moves_of(kept: SavedGame) -> str:
    return kept.game.transcript()


def test_what_was_kept_comes_back(tmp_path: Path) -> None:
    place = new_file(tmp_path)
    place.write(game())
    back = read(place.path)
    seats = {Colour.BLACK: None, Colour.WHITE: "greedy"}
    saved = datetime(2026, 5, 4, 3, 1, tzinfo=UTC)
    assert (back.ply, back.seats, back.adviser, back.saved) == (1, seats, "search:time=1", saved)
    assert moves_of(back) == "b1a1"


def test_the_newest_is_offered_first_and_a_game_that_is_played_is_not(tmp_path: Path) -> None:
    for minute, moves in enumerate(["b1", "b1a1", "b1a1a2"]):
        place = new_file(tmp_path)
        place.write(game(moves, minute))
        if moves == "b1a1":
            held = place
        else:
            place.release()
    found, _ = saved_games(tmp_path)
    assert [moves_of(kept) for _, kept in found] == ["b1a1a2", "b1"]
    with pytest.raises(Timeout):
        SaveFile(held.path).lock()


def test_a_game_that_is_over_leaves_nothing(tmp_path: Path) -> None:
    place = new_file(tmp_path)
    assert not [*tmp_path.iterdir()]
    place.write(game())
    assert place.exists
    place.delete()
    assert not place.exists
    place.release()
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    "text", [b"", b"{", b"\xff\xfe", b"[]", b'{"kind": "something else"}', b"[" * 100_000, b"1" * 2_000_000]
)
def test_files_of_others_are_named_and_left_alone(tmp_path: Path, text: bytes) -> None:
    other = tmp_path / "other.json"
    other.write_bytes(text)
    place = new_file(tmp_path)
    place.write(game())
    place.release()
    found, (complaint,) = saved_games(tmp_path)
    assert [moves_of(kept) for _, kept in found] == ["b1a1"]
    assert complaint.startswith(f"{other} is no unfinished game: ")
    assert len(complaint.splitlines()) == 1
    assert other.read_bytes() == text


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("kind", "othello-lab unfinished game 99"),
        ("ply", 3),
        ("seats", {"black": None}),
        ("seats", {"black": 1, "white": None}),
        ("saved", "yesterday"),
        ("record", {"size": 4, "moves": "a1"}),
        ("adviser", None),
    ],
)
def test_a_damaged_game_is_refused(tmp_path: Path, field: str, value: object) -> None:
    place = new_file(tmp_path)
    place.write(game())
    data = json.loads(place.path.read_text("utf-8"))
    place.path.write_text(json.dumps(data | {field: value}), "utf-8")
    with pytest.raises(RecordError, match="is no unfinished game: "):
        read(place.path)


def test_the_oldest_of_too_many_are_dropped(tmp_path: Path) -> None:
    place = new_file(tmp_path / "x")
    place.write(game("b1"))
    text = place.path.read_text("utf-8")
    for number in range(MOST + 3):
        saved = datetime(2026, 1, 1, 0, number % 60, number // 60, tzinfo=UTC).isoformat()
        (tmp_path / f"{number}.json").write_text(json.dumps(json.loads(text) | {"saved": saved}), "utf-8")
    assert len(saved_games(tmp_path)[0]) == MOST
    assert len([*tmp_path.glob("*.json")]) == MOST
