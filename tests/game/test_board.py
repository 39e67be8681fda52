import pickle
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from othello_lab.game import PASS, Board, Colour, Game, IllegalMoveError
from othello_lab.game.board import Outcome
from othello_lab.game.players.simple import pick
from tests.game.positions import games, scattered, sizes
from tests.game.reference import Reference, as_board, other


def test_start_of_8x8_has_white_on_d4_and_e5() -> None:
    assert Board.start(8).white == 1 << 27 | 1 << 36
    assert Board.start(8).black == 1 << 28 | 1 << 35


@pytest.mark.parametrize("size", [-8, 0, 2, 3, 7, 9, 18])
def test_a_size_that_does_not_exist_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"{size}x{size}.*even, from 4 to 16"):
        Board.start(size)


def assert_same(board: Board, reference: Reference) -> None:
    legal, opponents = reference.legal(reference.turn), reference.legal(other(reference.turn))
    assert str(board) == str(reference)
    assert list(board.legal_moves) == legal
    assert list(board.opponent_moves) == opponents
    assert board.is_over == (not legal and not opponents) == (board.outcome() is not None)
    assert board.must_pass == (not legal and bool(opponents))
    assert board.counts() == (reference.count("X"), reference.count("O"))


@pytest.mark.slow
@settings(deadline=None, max_examples=20)
@given(sizes, st.randoms(use_true_random=False))
def test_a_whole_game_agrees_with_the_reference_at_every_ply(size: int, random: Random) -> None:
    board, reference = Board.start(size), Reference.start(size)
    assert_same(board, reference)
    while not board.is_over:
        moves = list(board.legal_moves)
        move = random.choice(moves) if moves else None
        board = board.play(PASS if move is None else move)
        reference.play(move)
        assert_same(board, reference)


@settings(deadline=None, max_examples=100)
@given(scattered())
def test_any_position_agrees_with_the_reference(reference: Reference) -> None:
    board = as_board(reference)
    assert_same(board, reference)
    for square in range(board.size**2):
        flipped = reference.captured(square, reference.turn)
        if flipped:
            before, after = board.own, board.play(square).opponent
            assert after ^ before == sum(1 << s for s in [*flipped, square])
        else:
            with pytest.raises(IllegalMoveError):
                board.play(square)


@settings(deadline=None, max_examples=50)
@given(games())
def test_a_pass_is_legal_only_when_there_is_no_move_but_the_game_goes_on(game: Game) -> None:
    board = game.board
    if board.must_pass:
        after = board.play(PASS)
        assert (after.black, after.white, after.turn) == (board.black, board.white, board.turn.other)
    else:
        with pytest.raises(IllegalMoveError, match="game is over" if board.is_over else "has a move"):
            board.play(PASS)


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (27, "d4.*occupied"),
        (0, "a1.*turns over no disc for black"),
        (64, "64 is no square"),
        (-2, "no square"),
    ],
)
def test_an_illegal_move_says_why(move: int, why: str) -> None:
    with pytest.raises(IllegalMoveError, match=why):
        Board.start(8).play(move)


def test_numpy_integers_are_squares() -> None:
    board = Board.start(16)
    square = np.int64(next(iter(board.legal_moves)))
    assert square in board.legal_moves
    assert board.play(square) == board.play(int(square))


@pytest.mark.parametrize("size", [8, 10])
def test_legal_moves_are_in_order_as_a_list_of_them(size: int) -> None:
    moves = Board.start(size).legal_moves
    listed = sorted(moves)
    assert list(moves) == [moves[place] for place in range(4)] == list(moves[:]) == listed
    assert (moves[-1], list(moves[1:3]), moves.index(listed[2])) == (listed[-1], listed[1:3], 2)
    assert np.random.default_rng(3).choice(moves) in moves
    with pytest.raises(IndexError):
        moves[4]


@pytest.mark.parametrize("stranger", [-1, 10**6, "d3", None, 19.0])
def test_what_is_no_square_is_not_among_the_legal_moves(stranger: object) -> None:
    assert stranger not in Board.start(8).legal_moves


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ("XXXXXXXXXXXX----", (Colour.BLACK, 12, 16)),
        ("OOOOOOOOOOOO----", (Colour.WHITE, -12, -16)),
        ("XXXX--------OOOO", (None, 0, 0)),
    ],
)
def test_scores_differ_by_the_empty_squares(cells: str, expected: tuple[Colour | None, int, int]) -> None:
    assert Board.parse(f"{cells} X").outcome() == Outcome(*expected)


@pytest.mark.parametrize(
    ("size", "black", "white", "why"),
    [
        (8, 3, 3, "a1 holds a black and a white disc"),
        (5, 1, 2, "a board of 5x5 does not exist"),
        (4, 1 << 16, 1, "there are discs off the board of 4x4"),
        (4, -1, 0, "there are discs off the board of 4x4"),
    ],
)
def test_a_board_that_cannot_be_is_refused(size: int, black: int, white: int, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Board(size, black, white, Colour.BLACK)


def test_boards_are_equal_however_they_came_about() -> None:
    played = Board.start(4).play(1)
    made = Board(played.size, played.black, played.white, played.turn)
    assert (played, hash(played), repr(played)) == (made, hash(made), repr(made))
    assert pickle.loads(pickle.dumps(played)) == made  # noqa: S301  our own


GAMES = 50


def next_move(board: Board, rng: np.random.Generator) -> int:
    return PASS if board.must_pass else pick(board.legal_moves, rng)


def test_open_spiel_agrees_at_every_ply() -> None:
    spiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    othello = spiel.load_game("othello")
    for seed in range(GAMES):
        board, state, rng = Board.start(8), othello.new_initial_state(), np.random.default_rng(seed)
        while not board.is_over:
            assert state.current_player() == (0 if board.turn is Colour.BLACK else 1)
            assert state.legal_actions() == ([64] if board.must_pass else list(board.legal_moves))
            move = next_move(board, rng)
            board = board.play(move)
            state.apply_action(64 if move == PASS else move)
        assert state.is_terminal()
        black, white = board.counts()
        assert state.returns() == [np.sign(black - white), np.sign(white - black)]


def test_rust_reversi_agrees_at_every_ply() -> None:
    rust = pytest.importorskip("rust_reversi", reason="rust-reversi is not installed")
    for seed in range(GAMES):
        board, theirs, rng = Board.start(8), rust.Board(), np.random.default_rng(seed)
        while not board.is_over:
            assert (theirs.get_turn() == rust.Turn.BLACK) == (board.turn is Colour.BLACK)
            assert theirs.get_legal_moves_vec() == list(board.legal_moves)
            assert theirs.is_pass() == board.must_pass
            move = next_move(board, rng)
            board = board.play(move)
            if move == PASS:
                theirs.do_pass()
            else:
                theirs.do_move(move)
        assert theirs.is_game_over()
        assert (theirs.black_piece_num(), theirs.white_piece_num()) == board.counts()
