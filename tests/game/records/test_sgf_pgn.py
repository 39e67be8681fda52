from pathlib import Path

import pytest

from othello_lab.game import Board, Colour
from othello_lab.game.records import Entry, Record, RecordError, entries
from tests.cases import cases
from tests.game.recorded import WIPED_OUT, strict

SGF = "(;GM[2]RE[{}];B[f5];W[d6];B[c5];W[f4];B[e3];W[f6];B[g5];W[e6];B[e7])"
EARLY_SGF = "(;GM[2]RE[{}];B[f5])"
PGN = f'[Result "{{}}"]\n{WIPED_OUT}\n'
EARLY_PGN = '[Result "{}"]\n1. f5\n'
FORMS = {SGF: ".sgf", EARLY_SGF: ".sgf", PGN: ".pgn", EARLY_PGN: ".pgn"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games"


def found(path: Path, suffix: str, text: str) -> list[Entry]:
    path = path.with_suffix(suffix)
    path.write_text(text, encoding="utf-8")
    return entries(path)


@pytest.mark.parametrize(
    ("form", "results"),
    [
        (SGF, ["B+13", "B+64", "B++64", "b+64.00", "B+", "B+R", "W+T", "Void", "?", ""]),
        (PGN, ["13-0", "64-0", "64:0", "13-51", "1-0", "*", "?", ""]),
    ],
)
def test_a_result_of_a_finished_game_is_that_of_its_moves(form: str, results: list[str], path: Path) -> None:
    for result in results:
        (record,) = strict(found(path, FORMS[form], form.format(result)))
        assert (record.winner, record.forfeit) == (Colour.BLACK, None)


@pytest.mark.parametrize(
    ("form", "results", "output"),
    [
        (SGF, ["B+2", "W+64", "W+", "0", "Draw"], "RE[{}], but by the moves +13, +64 with the empty squares"),
        (PGN, ["33-31", "0-64", "0-1", "1/2-1/2"], 'Result "{}", but by the moves +13, +64 with'),
    ],
)
def test_moves_decide_and_another_result_warns(
    form: str, results: list[str], output: str, path: Path
) -> None:
    for result in results:
        (record,) = strict(found(path, FORMS[form], form.format(result)))
        assert output.format(result) in record.warning
        assert (record.winner, record.forfeit) == (Colour.BLACK, None)


@pytest.mark.parametrize(
    ("form", "result", "winner", "reason"),
    [
        (EARLY_SGF, "W+R", Colour.WHITE, "resigned"),
        (EARLY_SGF, "B+Time", Colour.BLACK, "time"),
        (EARLY_SGF, "B+F", Colour.BLACK, "forfeit"),
        (EARLY_SGF, "B+4", Colour.BLACK, "unknown"),
        (EARLY_SGF, "Void", None, None),
        (EARLY_SGF, "0", None, None),
        (EARLY_PGN, "40-24", Colour.BLACK, "the moves end early, at 40-24"),
        (EARLY_PGN, "0-1", Colour.WHITE, "unknown"),
        (EARLY_PGN, "1/2-1/2", None, None),
        (EARLY_PGN, "*", None, None),
    ],
)
def test_an_unfinished_game_is_won_as_its_file_says(
    form: str, result: str, winner: Colour | None, reason: str | None, path: Path
) -> None:
    (record,) = strict(found(path, FORMS[form], form.format(result)))
    assert record.winner is winner
    assert (record.forfeit.reason if record.forfeit else None) == reason


@pytest.mark.parametrize(
    ("text", "start", "moves"),
    [
        ("(;GM[2]SZ[6];B[c2])", Board.start(6), "c2"),
        ("(;GM[2]SZ[4]AB[b1][b2][b3]AW[cb][cc]PL[W];W[a3])", "-X-- -XO- -XO- ---- O", "a3"),
        ("(;GM[2]SZ[4];AB[c2]AB[b3];AW[b2][c3];W[c1])", "---- -OX- -XO- ---- O", "c1"),
        ("(;GM[2]SZ[16];B[ji])", Board.start(16), "j9"),
    ],
)
def test_sgf_of_other_sizes_and_starts(text: str, start: Board | str, moves: str, path: Path) -> None:
    (record,) = strict(found(path, ".sgf", text))
    assert record.game.start == (start if isinstance(start, Board) else Board.parse(start))
    assert record.game.transcript() == moves


def test_pgn_of_another_start(path: Path) -> None:
    (record,) = strict(found(path, ".pgn", '[FEN "8/8/8/3ppp2/3Pp3/8/8/8 w - - 0 1"]\n1. d6 c3\n'))
    rows = "-" * 24, "---OX---", "---XXX--", "-" * 24
    assert record.game.start == Board.parse("".join(rows) + " O")
    assert record.game.transcript() == "d6c3"


@pytest.mark.parametrize("suffix", [".pgn", ".txt"])
def test_a_file_without_a_size_is_read_for_the_one_that_is_said(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"games{suffix}"
    path.write_text("b1\n")
    (record,) = strict(entries(path, 4))
    assert record.game.size == 4


@pytest.mark.parametrize(
    ("suffix", "text", "why"),
    [*cases("sgf_pgn_faults"), (".sgf", f"(;GM[2]SZ[{'9' * 5000}])", "is no size of a board: expected one")],
)
def test_a_fault_is_named_with_its_place(suffix: str, text: str, why: str, path: Path) -> None:
    try:
        (fault,) = found(path, suffix, text)
    except RecordError as error:
        fault = error
    assert isinstance(fault, RecordError)
    assert why in str(fault)


def test_a_game_without_its_end_does_not_take_the_next_with_it(path: Path) -> None:
    text = "(;GM[2];B[f5]\n(;FF[4]GM[2];B[d3](;W[c3])\n(;SZ[8]GM[2];B[c4])"
    first, second, third = found(path, ".sgf", text)
    assert "game 1, which begins in line 1: line 1, column 14: expected NAME" in str(first)
    assert "game 2, which begins in line 2: line 3, column 1: expected ) at the end" in str(second)
    assert isinstance(third, Record)
