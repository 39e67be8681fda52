"""Positions as text: the ways in which people and programs write them."""

import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from othello_lab.game import Board, NotationError
from othello_lab.game.game import parse_start
from tests.game.positions import boards

SIGNS = [
    *("XO-", "xo.", "*O_", "*O-", "@O.", "bw.", "BW-", "●○·", "●○□", "●○+", "01-", "01."),
    ("⚫\ufe0f", "⚪\ufe0f", "-"),
    ("⚫", "⚪", "🟩"),
]
"""Black, white, empty."""
PLAIN = "-----XO--OX-----"


def split(board: Board) -> tuple[list[str], str]:
    """The rows of a position and whose turn it is."""
    cells, turn = str(board).split()
    return [cells[at : at + board.size] for at in range(0, len(cells), board.size)], turn


@st.composite
def written(draw: st.DrawFn) -> tuple[Board, str]:
    """A position and one of the usual ways to write it."""
    board = draw(boards.filter(lambda board: bool(board.black and board.white)))
    black, white, empty = draw(st.sampled_from([*SIGNS, "120"]))
    rows, turn = split(board)
    cells = {"X": black, "O": white, "-": empty}
    space, new_row = (
        draw(st.sampled_from(["", " "])),
        draw(st.sampled_from(["", " ", "\n", " \r\n ", "/", "|", ", "])),
    )
    text = new_row.join(space.join(cells[cell] for cell in row) for row in rows)
    words = {
        "X": ["X", " x", " *", " b", "\n●", " black", " Black to move."],
        "O": ["O", " w;", " ○", " white", ", White", "/O"],
    }
    text += draw(st.sampled_from([*words[turn], cells[turn], f" {cells[turn]}"]))
    return board, draw(st.sampled_from([text, f'"{text}"', f"[{text}]"]))


@settings(deadline=None, max_examples=300)
@given(written())
def test_any_writing_of_a_position_reads_as_the_same_position(pair: tuple[Board, str]) -> None:
    board, text = pair
    assert Board.parse(text) == parse_start(text, 8).board == board


@settings(deadline=None, max_examples=50)
@given(boards)
def test_positions_round_trip(board: Board) -> None:
    assert Board.parse(str(board)) == board


@settings(deadline=None, max_examples=50)
@given(boards)
def test_without_whose_turn_it_is_the_discs_tell_as_if_nobody_had_passed(board: Board) -> None:
    cells = "".join(split(board)[0])
    found = parse_start(cells, 8).board
    assert (found.size, found.black, found.white) == (board.size, board.black, board.white)
    assert (found.turn.value == "black") == (sum(found.counts()) % 2 == 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (PLAIN, "does not say whose turn it is: it is taken for black's"),
        (PLAIN[:-1] + "X", "does not say whose turn it is: it is taken for white's"),
        (f"{PLAIN.translate({88: '0', 79: '1'})} 0", "0 is read as black and 1 as white"),
        (f"{PLAIN} X", ""),
        (f"{PLAIN.translate({45: '0', 88: '1', 79: '2'})} 1", ""),
    ],
)
def test_what_is_taken_for_granted_is_said(text: str, said: str, caplog: pytest.LogCaptureFixture) -> None:
    Board.parse(text)
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * bool(said)
    assert said in caplog.text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it has 0 cells"),
        ("X-O", "it has 3 cells"),
        (f"{PLAIN}X X", "it has 18 cells"),
        ("-" * 1_000_000, "it has 1,000,000 cells"),
        (f"{PLAIN} -", "'-' does not say whose turn it is"),
        (f"{PLAIN} 1", "'1' does not say whose turn it is"),
        ("-----XO--OX----Z X", "'Z' is no cell"),
        ("-----X0--0X----- X", "its discs are digits or other signs, not both"),
        ("\udcff-----XO--OX---- X", "'\ufffd' is no cell"),
        ("\x1b[31m-----XO--OX---- X", "'\ufffd' is no cell"),
    ],
)
def test_what_is_no_position_is_told_what_is_taken(text: str, why: str) -> None:
    with pytest.raises(NotationError, match="is no position") as caught:
        Board.parse(text)
    said = str(caught.value)
    assert why in said
    assert "write N*N cells row by row from a1, X black, O white, - empty" in said
    assert said.isprintable()
    assert "udc" not in said
    assert len(said) < 300


def test_a_position_of_a_size_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="5x5 does not exist"):
        Board.parse("-" * 25 + " X")
