import json
import re
import resource
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from othello_lab.game import PASS, Board, Colour, Game
from othello_lab.game.records import WRITTEN, Forfeited, Record, RecordError, check_suffix, write
from tests.cases import cases
from tests.game.positions import games
from tests.game.recorded import GGF, JSONL, WIPED_OUT, WTHOR, facts, finish, read, records, same_game


def words(text: str) -> str:
    return " ".join(text.split())


@settings(deadline=None, max_examples=25)
@given(st.lists(records, max_size=3))
def test_json_lines_hold_everything(written: list[Record]) -> None:
    again = JSONL.load(JSONL.dump(written))
    assert list(map(facts, again)) == list(map(facts, written))
    assert all(same_game(a.game, b.game) for a, b in zip(again, written, strict=True))


@settings(deadline=None, max_examples=25)
@given(st.lists(records, max_size=3))
def test_ggf_holds_games_of_every_size_from_every_start(written: list[Record]) -> None:
    again = GGF.load(GGF.dump(written))
    for a, b in zip(again, written, strict=True):
        assert same_game(a.game, b.game)
        assert (a.black, a.white) == (words(b.black), words(b.white))
        if not b.game.board.is_over:
            assert a.winner is b.winner


@st.composite
def wthor_records(draw: st.DrawFn) -> Record:
    game = draw(games(largest=8).filter(lambda game: game.size == 8))
    game.pass_if_forced()  # as before every choice of a player
    forfeit = draw(st.builds(Forfeited, st.sampled_from(Colour), st.just("unknown")))
    if draw(st.booleans()):
        finish(game)
    return Record(game, "player 0", "player 1", forfeit=None if game.board.is_over else forfeit)


@settings(deadline=None, max_examples=25)
@given(st.lists(wthor_records(), max_size=3))
def test_wthor_holds_games_of_8x8(written: list[Record]) -> None:
    data = WTHOR.dump(written)
    assert len(data) == 16 + 68 * len(written)
    again = WTHOR.load(data)
    assert list(map(facts, again)) == list(map(facts, written))
    assert all(same_game(a.game, b.game) for a, b in zip(again, written, strict=True))


@pytest.mark.parametrize("suffix", [".jsonl", ".ggf", ".wtb", ".WTB"])
def test_the_suffix_says_the_format(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"games{suffix}"
    game = Game.from_transcript(WIPED_OUT)
    write(path, [Record(game, "a", "b")])
    (record,) = read(path)
    assert same_game(record.game, game)
    assert record.winner is Colour.BLACK


def test_the_results_as_each_format_has_them() -> None:
    record = Record(Game.from_transcript(WIPED_OUT), "a", "b")
    assert record.game.board.counts() == (13, 0)
    line = json.loads(JSONL.dump([record]))
    assert (line["winner"], line["disc_diff"], line["final_score"]) == ("black", 13, 64)
    assert b"PB[a]PW[b]RE[+64.00]TY[8]BO[8 -------- " in GGF.dump([record])
    assert WTHOR.dump([record])[16 + 6 : 16 + 12] == bytes([64, 64, 56, 64, 53, 46])  # f5 d6 c5 f4


def test_a_ggf_record_of_ggs_is_read() -> None:
    text = """1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Saio3000]RB[2197.01]
TI[15:00//02:00]TY[8]RE[+64.000]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- --------
*]B[F5//0.01]W[D6/1.0/2]B[C5]W[F4]B[E3]W[F6]B[G5]W[E6]B[E7];)
"""
    (record,) = GGF.load(text.encode())
    assert record.game.transcript() == WIPED_OUT
    assert (record.black, record.white) == ("Saio1200", "Saio3000")


def test_a_ggf_pass_may_be_left_out() -> None:
    game = finish(Game(Board.start(8)))
    assert PASS in game.moves
    data = re.sub(rb"[BW]\[PA\]", b"", GGF.dump([Record(game)]))
    assert same_game(GGF.load(data)[0].game, game)


@pytest.mark.parametrize(("line", "why"), cases("jsonl_faults"))
def test_damaged_json_lines_are_refused_with_the_line(line: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(JSONL.dump([Record(Game(Board.start(8)))]) + line.encode() + b"\n")
    with pytest.raises(RecordError, match=why) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}: line 2: ")


@pytest.mark.parametrize(("text", "why"), cases("ggf_faults"))
def test_damaged_ggf_is_refused_with_the_game(text: str, why: str) -> None:
    good = GGF.dump([Record(Game(Board.start(8)))])
    with pytest.raises(RecordError, match=why) as caught:
        GGF.load(good + text.encode())
    number = 3 if "rest" in text else 2
    assert str(caught.value).startswith(f"game {number}, which begins in line 2: ")


@pytest.mark.parametrize(
    ("place", "byte", "why"),
    [
        (4, 3, "byte 4: 3 games take 220 bytes, but the file has 152"),
        (12, 10, "byte 12: the games are on 10x10; only those on 8x8 .* can be read"),
        (13, 1, "byte 13: type 1 is a file of solitaires"),
        (84 + 10, 92, "game 2, which begins at byte 84: move 3: 92 is no square"),
        (84 + 10, 99, "game 2, which begins at byte 84: move 3: 99 is no square"),
        (84 + 10, 11, "game 2, which begins at byte 84: move 3: a1 is not legal here"),
        (84 + 9, 0, "game 2, which begins at byte 84: move 2: 0 is no square"),
    ],
)
def test_damaged_wthor_is_refused_with_the_byte(place: int, byte: int, why: str) -> None:
    data = bytearray(WTHOR.dump([Record(Game.from_transcript(WIPED_OUT))] * 2))
    data[place] = byte
    with pytest.raises(RecordError, match=why):
        WTHOR.load(bytes(data))


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (Game(Board.start(6)), "game 1: .* on 8x8 from the standard start, not from another position"),
        (Game(Game.from_transcript("f5").board), "not from another position"),
        (Game(Board.start(8)), "finished or forfeited: use .jsonl or .ggf"),
    ],
)
def test_what_wthor_cannot_hold_is_refused(game: Game, why: str) -> None:
    with pytest.raises(RecordError, match=why):
        WTHOR.dump([Record(game)])


def test_names_are_without_what_a_terminal_obeys_and_utf8_cannot_hold(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text('{"size": 8, "moves": "f5", "black": "a\\u001b[31mb", "white": "c\\ud800d é"}\n')
    (record,) = read(path)
    assert (record.black, record.white) == ("a\ufffd[31mb", "c\ufffdd é")


@pytest.mark.parametrize("suffix", WRITTEN)
@pytest.mark.parametrize("before", [None, b"an earlier file"])
def test_a_full_disk_leaves_no_part_of_a_file_and_is_told(
    suffix: str, before: bytes | None, tmp_path: Path
) -> None:
    path = tmp_path / f"games{suffix}"
    if before:
        path.write_bytes(before)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large") as caught:
            write(path, [Record(Game.from_transcript(WIPED_OUT), "a", "b")] * 100)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert caught.value.filename == str(path)
    assert [file.read_bytes() for file in tmp_path.iterdir()] == ([before] if before else [])


def test_another_suffix_is_refused() -> None:
    with pytest.raises(RecordError, match=r"games.pgn: unknown format; supported: .jsonl, .ggf, .wtb"):
        check_suffix(Path("games.pgn"))
    with pytest.raises(RecordError, match=r"games.wtb: WTHOR .* not 6x6: use .jsonl or .ggf"):
        check_suffix(Path("games.wtb"), 6)
