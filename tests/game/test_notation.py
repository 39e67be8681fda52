import contextlib
import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from othello_lab.game import PASS, Board, Game, IllegalMoveError, NotationError
from othello_lab.game.game import parse_start
from othello_lab.game.notation import SIZES, parse_square, square_name
from othello_lab.game.transcripts import parse_moves
from tests.cases import cases
from tests.game.positions import boards, games


@pytest.mark.parametrize(("text", "size", "square"), cases("squares_read"))
def test_a_square_is_read(text: str, size: int, square: int) -> None:
    assert parse_square(text, size) == square


@pytest.mark.parametrize("size", SIZES)
def test_squares_round_trip(size: int) -> None:
    for square in range(size * size):
        row, column = divmod(square, size)
        assert parse_square(square_name(square, size), size) == square
        assert parse_square(f"{row},{column}", size) == square


@pytest.mark.parametrize(
    "text", ["", "d", "3", "33", "3d", "2 3 4", "d3e", "-1,0", "2;3", "pass", "q1", "İ3", "²3"]
)
def test_what_is_no_square_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is no square"):
        parse_square(text, 8)


@pytest.mark.parametrize("text", ["i1", "a9", "a0", "8 0", "8,0", "0,8"])
def test_a_square_beyond_the_board_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="not on a board of 8x8: its squares are a1 to h8"):
        parse_square(text, 8)


@given(st.text(max_size=6))
def test_any_text_is_a_square_or_a_notation_error(text: str) -> None:
    with contextlib.suppress(NotationError):
        assert 0 <= parse_square(text, 16) < 256


@settings(deadline=None, max_examples=50)
@given(games())
def test_transcripts_round_trip(game: Game) -> None:
    again = Game.from_transcript(game.transcript(), game.size)
    again.pass_if_forced()
    game.pass_if_forced()
    assert again.moves == game.moves
    assert again.boards == game.boards


@st.composite
def written(draw: st.DrawFn) -> tuple[Game, str]:
    game = draw(games().filter(lambda game: bool(game.moves)))
    between = draw(st.sampled_from(["", " ", "-", " - ", ",", ", ", ";", "\n"]))
    passes = draw(st.sampled_from(["pass", "pa", "ps", "--", "PASS"]))
    moves = [passes if move == PASS else square_name(move, game.size) for move in game.moves]
    if between:
        turns = draw(st.sampled_from([0, 1, 2]))
        dot = draw(st.sampled_from([".", ". ", "...", ") "]))
        moves = [
            f"{ply // turns + 1}{dot}{move}" if turns and ply % turns == 0 else move
            for ply, move in enumerate(moves)
        ]
    scores = "", " 34-30", " +4", "+4", " -12", " (33:31)", "(33-31)", " [40-24]", " =0", " 64 - 0", "+2.00\n"
    text = between.join(moves) + draw(st.sampled_from(scores))
    return game, draw(st.sampled_from([text, text.upper(), text.title()]))


@pytest.mark.slow
@settings(deadline=None, max_examples=200)
@given(written())
def test_any_writing_of_a_game_reads_as_the_same_game(pair: tuple[Game, str]) -> None:
    game, text = pair
    assert parse_moves(text, game.size) == game.moves
    assert parse_start(text, game.size).boards == game.boards


@pytest.mark.parametrize(("text", "moves"), cases("transcripts_with_passes"))
def test_a_dash_is_no_pass_and_two_are_one(text: str, moves: list[str] | None) -> None:
    if moves:
        assert [square_name(move, 8) for move in parse_moves(text, 8)] == moves
    else:
        with pytest.raises(NotationError, match="is not a list of moves"):
            parse_moves(text, 8)


@pytest.mark.parametrize(
    ("text", "odd"),
    [("f5d6zzc3", "zz"), ("1. f5 d6 2. Nf3", "N"), ("f5 d6 c3 d3 c4 e9x", "x"), ("f5d6!", "!")],
)
def test_what_is_no_move_in_a_list_of_moves_is_named(text: str, odd: str) -> None:
    with pytest.raises(NotationError, match=f"is not a list of moves, '{odd}' is no move: write them like"):
        parse_moves(text, 8)


@pytest.mark.parametrize("text", ["f5+d6", "f5d", "5f6d", "ff5", "f1 2 d6"])
def test_what_is_no_transcript_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is not a list of moves"):
        parse_moves(text, 16)


def test_an_illegal_move_in_a_transcript_is_named_with_its_number() -> None:
    with pytest.raises(IllegalMoveError, match="'f5d6f5': move 3: f5 is not legal here: it is occupied"):
        Game.from_transcript("f5d6f5")


def test_a_long_text_is_not_repeated_whole() -> None:
    with pytest.raises(NotationError) as caught:
        parse_moves("z" * 10_000, 8)
    assert len(str(caught.value)) < 150


SIGNS = [
    *("XO-", "xo.", "*O_", "*O-", "@O.", "bw.", "BW-", "●○·", "●○□", "●○+", "01-", "01."),
    ("⚫\ufe0f", "⚪\ufe0f", "-"),
    ("⚫", "⚪", "🟩"),
]
FOUR_BY_FOUR = "-----XO--OX-----"


def split(board: Board) -> tuple[list[str], str]:
    cells, turn = str(board).split()
    return [cells[at : at + board.size] for at in range(0, len(cells), board.size)], turn


@st.composite
def written_position(draw: st.DrawFn) -> tuple[Board, str]:
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


@pytest.mark.slow
@settings(deadline=None, max_examples=200)
@given(written_position())
def test_any_writing_of_a_position_reads_as_the_same_position(pair: tuple[Board, str]) -> None:
    board, text = pair
    assert Board.parse(text) == parse_start(text, 8).board == board


@settings(deadline=None, max_examples=50)
@given(boards)
def test_without_whose_turn_it_is_the_discs_tell_as_if_nobody_had_passed(board: Board) -> None:
    cells = "".join(split(board)[0])
    found = parse_start(cells, 8).board
    assert (found.size, found.black, found.white) == (board.size, board.black, board.white)
    assert (found.turn.value == "black") == (sum(found.counts()) % 2 == 0)


@pytest.mark.parametrize(
    ("text", "output"),
    [
        (FOUR_BY_FOUR, "does not say whose turn it is: it is taken for black's"),
        (FOUR_BY_FOUR[:-1] + "X", "does not say whose turn it is: it is taken for white's"),
        (f"{FOUR_BY_FOUR.translate({88: '0', 79: '1'})} 0", "0 is read as black and 1 as white"),
        (f"{FOUR_BY_FOUR} X", ""),
        (f"{FOUR_BY_FOUR.translate({45: '0', 88: '1', 79: '2'})} 1", ""),
    ],
)
def test_what_is_taken_for_granted_is_said(text: str, output: str, caplog: pytest.LogCaptureFixture) -> None:
    Board.parse(text)
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * bool(output)
    assert output in caplog.text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it has 0 cells"),
        ("X-O", "it has 3 cells"),
        (f"{FOUR_BY_FOUR}X X", "it has 18 cells"),
        ("-" * 1_000_000, "it has 1,000,000 cells"),
        (f"{FOUR_BY_FOUR} -", "'-' does not say whose turn it is"),
        (f"{FOUR_BY_FOUR} 1", "'1' is no cell"),
        ("-----XO--OX----Z X", "'Z' is no cell"),
        ("-----X0--0X----- X", "its discs are digits or other signs, not both"),
        ("\udcff-----XO--OX---- X", "'\ufffd' is no cell"),
        ("\x1b[31m-----XO--OX---- X", "'\ufffd' is no cell"),
    ],
)
def test_what_is_no_position_is_told_what_is_taken(text: str, why: str) -> None:
    with pytest.raises(NotationError, match="is no position") as caught:
        Board.parse(text)
    output = str(caught.value)
    assert why in output
    assert "write N*N cells row by row from a1, X black, O white, - empty" in output
    assert output.isprintable()
    assert "udc" not in output
    assert len(output) < 300


def test_a_position_of_a_size_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="5x5 does not exist"):
        Board.parse("-" * 25 + " X")
