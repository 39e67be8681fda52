from pathlib import Path

import pytest

from othello_lab.game import Board, Colour
from othello_lab.game.records import RecordError, readable
from tests.game.recorded import BOARD, GGF, read


def moves_of(text: str) -> list[str]:
    return [record.game.transcript() for record in GGF.load(text.encode())]


def test_a_game_to_the_byte() -> None:
    (record,) = GGF.load(f"(;GM[Othello]PC[Paris]DT[2001]PB[Ann]PW[B\\]b]{BOARD}B[F5]W[d6];)".encode())
    assert GGF.dump([record]).decode() == (
        f"(;GM[Othello]PC[Paris]DT[2001]PB[Ann]PW[B\\]b]RE[?]TY[8]{BOARD}B[F5]W[D6];)\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        f"(;GM[Othello]{BOARD}B[F5//1.2]W[D6/-2.00/0.01]B[c3/1.5];)",
        f"(;GM[Othello]TB[15:00//02:00]TW[5]ZZ9[?]{BOARD}B[F5]C[good \\] move]W[D6]B[C3];)",
        f"(;GM[OTHELLO]\r\nTI[05:00]\r\n{BOARD}\r\nB[F5]\r\nW[D6]\r\nB[C3]\r\n;)\r\n",
        f"(;GM[Othello]{BOARD}B[F5 0.00 0.0]W[d6 -1.5]B[c3  0  1.5];)",
        f"1 (; GM[Othello] {BOARD.replace(' --', '  --')} B [F5] W[D6] B[C3] )",
    ],
)
def test_the_usual_ways_to_write_a_game(text: str) -> None:
    assert moves_of(text) == ["f5d6c3"]


def test_the_two_games_of_a_synchro_pair() -> None:
    assert moves_of(f"2 (;{BOARD}B[F5];)(;{BOARD}B[C4]W[C3];)\n1 (;{BOARD}B[D3];)\n") == ["f5", "c4c3", "d3"]


def test_another_start_and_another_size() -> None:
    small = "BO[4 ---- -XO- -OX- ---- *]"
    large = f"BO[10 {'-' * 44}O*{'-' * 8}*O{'-' * 44} *]"
    first, second = GGF.load(f"(;{small}B[D2];)(;{large}B[G6//3.5];)".encode())
    assert first.game.start == Board.parse("---- -XO- -OX- ---- X")
    assert (second.game.size, second.game.transcript()) == (10, "g6")


@pytest.mark.parametrize(
    ("result", "winner", "reason"),
    [
        ("+2.00:t", Colour.BLACK, "time"),
        ("-64.000:r", Colour.WHITE, "resigned"),
        ("-4:s", Colour.WHITE, "agreed"),
        ("+64.00:l", Colour.BLACK, "left"),
        ("+2.00", None, None),
        ("?", None, None),
    ],
)
def test_who_gave_up(result: str, winner: Colour | None, reason: str | None) -> None:
    (record,) = GGF.load(f"(;RE[{result}]{BOARD}B[F5];)".encode())
    assert record.winner is winner
    assert (record.forfeit.reason if record.forfeit else None) == reason


@pytest.mark.parametrize(
    ("date", "read"),
    [("2003.12.15_13:24:03.MST", "2003.12.15_13:24:03.MST"), ("945277754", "1999-12-15"), ("", "")],
)
def test_place_and_date(date: str, read: str) -> None:
    (record,) = GGF.load(f"(;PC[GGS/os]DT[{date}]{BOARD}B[F5];)".encode())
    assert (record.event, record.date) == ("GGS/os", read)


def test_in_anti_games_and_with_a_komi_the_result_is_no_count_of_discs() -> None:
    words = ["f5", "d6", "c5", "f4", "e3", "f6", "g5", "e6", "e7"]
    moves = "".join(f"{'BW'[ply % 2]}[{word}]" for ply, word in enumerate(words))
    assert len(moves_of(f"(;TY[8a]RE[-64.00]{BOARD}{moves};)(;KM[3]TY[8k]RE[+61.00]{BOARD}{moves};)")) == 2


def test_a_board_that_is_empty_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.ggf"
    path.write_text("(;GM[Othello]BO[];)")
    with pytest.raises(RecordError, match="'' is no position: it has 0 cells"):
        readable(path)


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8-sig", "utf-16"])
def test_names_may_be_in_other_encodings(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "a.ggf"
    path.write_bytes(f"(;PB[André]{BOARD}\r\nB[F5];)".encode(encoding))
    (record,) = read(path)
    assert record.black == "André"


def test_what_is_damaged_is_left_out_and_the_rest_read(tmp_path: Path) -> None:
    path = tmp_path / "a.ggf"
    good = f"(;{BOARD}B[F5];)\n"
    path.write_text(f"{good}(;{BOARD}B[A1];)\n(;{BOARD}B[F5]\n{good}noise\n{good}")
    records, faults = readable(path)
    assert len(records) == 3
    assert [str(fault).removeprefix(f"{path}: ")[:70] for fault in faults] == [
        "game 2, which begins in line 2: move 1: a1 is not legal here: it turns",
        "game 3, which begins in line 3: line 3, column 87: expected NAME[value",
        "game 5, which begins in line 5: line 5, column 1: expected (; of a gam",
    ]


def test_a_value_without_an_end_is_a_fault_and_soon(tmp_path: Path) -> None:
    path = tmp_path / "a.ggf"
    path.write_text("(;C[" + "\\]" * 300_000)
    with pytest.raises(RecordError, match="line 1, column 3: expected NAME"):
        readable(path)
