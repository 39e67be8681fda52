"""Squares and transcripts as text."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from othello_lab.game import PASS, Game, IllegalMoveError, NotationError
from othello_lab.game.game import parse_start
from othello_lab.game.kernels.bitboard import SIZES
from othello_lab.game.notation import parse_moves, parse_square, square_name
from tests.game.positions import games


@pytest.mark.parametrize(
    ("text", "size", "square"),
    [
        ("a1", 8, 0),
        ("d3", 8, 19),
        ("D3", 8, 19),
        (" h8 ", 8, 63),
        ("2,3", 8, 19),
        ("( 2 , 3 )", 8, 19),
        ("2 3", 8, 19),
        ("p16", 16, 255),
        ("15,15", 16, 255),
        ("b1", 4, 1),
    ],
)
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


def test_notation_error_is_a_value_error() -> None:
    assert issubclass(NotationError, ValueError)


def test_the_name_of_a_pass() -> None:
    assert square_name(PASS, 8) == "pass"


@settings(deadline=None, max_examples=50)
@given(games())
def test_transcripts_round_trip(game: Game) -> None:
    again = Game.from_transcript(game.transcript(), game.size)
    again.pass_if_forced()
    game.pass_if_forced()
    assert again.moves == game.moves
    assert again.boards == game.boards


def test_a_transcript_may_have_spaces_and_capitals() -> None:
    assert parse_moves("F5 d6\nC3", 8) == [37, 43, 18]


@st.composite
def written(draw: st.DrawFn) -> tuple[Game, str]:
    """A game and one of the usual ways to write it."""
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


@settings(deadline=None, max_examples=200)
@given(written())
def test_any_writing_of_a_game_reads_as_the_same_game(pair: tuple[Game, str]) -> None:
    game, text = pair
    assert parse_moves(text, game.size) == game.moves
    assert parse_start(text, game.size).boards == game.boards


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("f5-d6-c3", ["f5", "d6", "c3"]),
        ("f5,d6,c3", ["f5", "d6", "c3"]),
        ("1. f5 2. d6 3. c3", ["f5", "d6", "c3"]),
        ("1.f5 d6 2.c3", ["f5", "d6", "c3"]),
        ("1.f5-d6,2.c3 34-30", ["f5", "d6", "c3"]),
        ("f5--d6", ["f5", "pass", "d6"]),
        ("f5----d6", ["f5", "pass", "d6"]),
        ("f5 - -- - d6", ["f5", "pass", "d6"]),
        ("1.f5-2.---3.d6", ["f5", "pass", "d6"]),
        ("f5---d6", None),
        ("f5-d6---", ["f5", "d6", "pass"]),
        ("f5d6-4", None),
        ("f5d6 34", None),
        ("34-30", None),
        ("1.", None),
    ],
)
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


def test_numbers_beside_a_square_are_not_taken_into_it() -> None:
    with pytest.raises(NotationError, match="is not a list of moves"):
        parse_moves("f1 2 d6", 16)


@pytest.mark.parametrize("text", ["f5+d6", "f5d", "5f6d", "ff5"])
def test_what_is_no_transcript_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is not a list of moves"):
        parse_moves(text, 8)


def test_an_illegal_move_in_a_transcript_is_named_with_its_number() -> None:
    with pytest.raises(IllegalMoveError, match="'f5d6f5': move 3: f5 is not legal here: it is occupied"):
        Game.from_transcript("f5d6f5")


def test_a_transcript_may_have_passes_and_numbers_of_moves() -> None:
    assert parse_moves("1. f5 d6 2. pass -- 13... PA c3", 8) == [37, 43, PASS, PASS, PASS, 18]
    assert parse_moves("pac3paa1", 8) == [PASS, 18, PASS, 0]
    assert parse_moves("p1pap16", 16) == [15, PASS, 255]


def test_a_long_text_is_not_repeated_whole() -> None:
    with pytest.raises(NotationError) as caught:
        parse_moves("z" * 10_000, 8)
    assert len(str(caught.value)) < 150
