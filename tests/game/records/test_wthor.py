from collections.abc import Sequence
from pathlib import Path

import pytest

from othello_lab.game import Colour, Game
from othello_lab.game.records import Record, RecordError, entries, files_of, one, readable, write
from tests.game.recorded import WIPED_OUT, WTHOR, read, wthor_game, wthor_header


def named(names: Sequence[bytes], length: int) -> bytes:
    return wthor_header(names=len(names)) + b"".join(name.ljust(length, b"\0") for name in names)


def test_a_file_to_the_byte() -> None:
    data = WTHOR.dump([Record(Game.from_transcript(WIPED_OUT), "Ann", "Bob", date="1999-05-01")])
    assert data[:16].hex() == "14000101" + "01000000" + "0000" + "cf07" + "08000000"
    assert data[16:24].hex() == "0000" + "0000" + "0100" + "40" + "40"
    assert list(data[24:]) == [56, 64, 53, 46, 35, 66, 57, 65, 75, *([0] * 51)]


@pytest.mark.parametrize(
    ("players", "events"), [("WTHOR.JOU", "WTHOR.TRN"), ("wth_2001.jou", "Wth_2001.Trn"), ("x.Jou", "y.trn")]
)
def test_names_come_from_the_files_beside(players: str, events: str, tmp_path: Path) -> None:
    names = [b"???", "Andr\xe9".encode("latin-1") + b"\0rest", b"a name of twenty byte"[:20]]
    (tmp_path / players).write_bytes(named(names, 20))
    (tmp_path / events).write_bytes(named([b"", b"Championnat du Monde"], 26))
    path = tmp_path / "WTH_2001.wtb"
    path.write_bytes(
        wthor_header(2, year=2001) + wthor_game(WIPED_OUT, 64, 1, 1, 2) + wthor_game(WIPED_OUT, 64, 7, 0, 900)
    )
    first, second = read(path)
    assert [first.black, first.white, first.event] == [
        "André",
        "a name of twenty byt",
        "Championnat du Monde",
    ]
    assert (first.date, first.year) == ("2001", 2001)
    assert (second.black, second.white, second.event) == ("???", "player 900", "tournament 7")


def test_the_names_of_that_very_file_are_taken_first(tmp_path: Path) -> None:
    (tmp_path / "WTHOR.JOU").write_bytes(named([b"all years"], 20))
    (tmp_path / "mine.jou").write_bytes(named([b"mine alone"], 20))
    (tmp_path / "mine.wtb").write_bytes(wthor_header(1) + wthor_game(WIPED_OUT, 64))
    assert read(tmp_path / "mine.wtb")[0].black == "mine alone"


def test_without_names_players_are_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.wtb"
    path.write_bytes(wthor_header(1) + wthor_game(WIPED_OUT, 64, 0, 5, 6))
    record = one(path)
    assert (record.black, record.white, record.event, record.date) == ("player 5", "player 6", "", "")


def test_what_is_written_comes_back_with_names(tmp_path: Path) -> None:
    path = tmp_path / "a.wtb"
    finished = Game.from_transcript(WIPED_OUT)
    written = [
        Record(finished, "Ann", "Zoë", event="Paris", date="2003"),
        Record(finished, "Ω", "a name of more than twenty bytes", date="2003"),
    ]
    write(path, written)
    assert sorted(tmp_path.iterdir()) == sorted(files_of(path))
    first, second = read(path)
    assert (first.black, first.white, first.event, first.date) == ("Ann", "Zoë", "Paris", "2003")
    assert (second.black, second.white, second.event) == ("?", "a name of more than", "")


@pytest.mark.parametrize(
    ("discs", "winner", "reason"),
    [
        (64, Colour.BLACK, "unknown"),
        (0, Colour.WHITE, "unknown"),
        (40, Colour.BLACK, "the moves end early, at 40-24"),
        (20, Colour.WHITE, "the moves end early, at 20-44"),
        (32, None, None),
    ],
)
def test_unfinished_games_are_won_by_score(discs: int, winner: Colour | None, reason: str | None) -> None:
    (record,) = WTHOR.load(wthor_header(1) + wthor_game("f5d6c3", discs))
    assert record.winner is winner
    assert (record.forfeit.reason if record.forfeit else None) == reason


def test_games_that_cannot_be_read_are_left_out_and_keep_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.wtb"
    good = wthor_game(WIPED_OUT, 64)
    path.write_bytes(wthor_header(4) + good + wthor_game("f5f5", 64) + good + good[:20])
    records, faults = readable(path)
    assert len(records) == 2
    assert [str(fault) for fault in faults] == [
        f"{path}: game 2, which begins at byte 84: move 2: f5 is not legal here: it is occupied",
        f"{path}: byte 4: 4 games take 288 bytes, but the file has 240",
    ]
    assert one(path, 3).game.moves == records[1].game.moves
    with pytest.raises(RecordError, match="game 2, which begins"):
        one(path, 2)
    with pytest.raises(RecordError, match="there is no game 5: its games are 1 to 4"):
        one(path, 5)
    with pytest.raises(RecordError, match="game 2, which begins"):
        read(path)


def test_bytes_behind_the_last_game_are_left_out_and_empty_squares_may_count_or_not(tmp_path: Path) -> None:
    path = tmp_path / "a.wtb"
    path.write_bytes(wthor_header(1) + wthor_game(WIPED_OUT, 13) + b"\x1a")
    records, faults = readable(path)
    assert ([record.winner for record in records], len(faults)) == ([Colour.BLACK], 1)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (wthor_header(-1), "no file of games: type 0 and -1 games"),
        (wthor_header(1), "byte 4: 1 games take 84 bytes, but the file has 16"),
        (b"", "byte 0: the file ends within the header"),
    ],
)
def test_a_file_without_such_games_is_refused(data: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "a.wtb"
    path.write_bytes(data)
    with pytest.raises(RecordError, match=why):
        readable(path)


def test_a_file_of_faults_alone_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "a.wtb"
    path.write_bytes(wthor_header(2000) + wthor_game("a1", 64) * 2000)
    with pytest.raises(RecordError, match="more than 1,000 games cannot be read; game 1001, which begins"):
        entries(path)
