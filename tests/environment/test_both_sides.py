from collections.abc import Callable

import numpy as np
import pytest
import torch
from numpy.typing import ArrayLike

from othello_lab.environment.vectorised import BothSides
from othello_lab.game.batch import STAY
from othello_lab.game.board import Board, Colour, IllegalMoveError
from othello_lab.game.notation import PASS


def any_legal(games: BothSides, rng: np.random.Generator) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([rng.choice(np.flatnonzero(row)) if row.any() else 0 for row in games.legal])


@pytest.mark.parametrize("size", [4, 8, 10])
def test_they_are_the_games_that_boards_play(size: int) -> None:
    games, rng = BothSides(20, size, seed=1), np.random.default_rng(2)
    boards = [Board.start(size) for _ in range(20)]
    while not games.over.all():
        squares, before, over = any_legal(games, rng), games.black_to_move, games.over
        brought = games.step(squares)
        for index, square in enumerate(squares):
            if over[index]:
                assert brought[index] == 0
                continue
            board = boards[index].play(square)
            board = board.play(PASS) if board.must_pass else board
            boards[index] = board
            assert games.board(index) == board
            assert games.black_to_move[index] == (board.turn is Colour.BLACK)
            assert list(np.flatnonzero(games.legal[index])) == list(board.legal_moves)
            planes = games.planes()[index].reshape(4, -1)
            assert planes[:2].sum(1).tolist() == [board.own.bit_count(), board.opponent.bit_count()]
            assert list(np.flatnonzero(planes[2])) == list(board.legal_moves)
            assert list(np.flatnonzero(planes[3])) == list(board.opponent_moves)
            outcome = board.outcome()
            assert games.over[index] == (outcome is not None)
            own = 0 if outcome is None else np.sign(outcome.disc_diff) * (1 if before[index] else -1)
            assert brought[index] == own
    assert (games.results(np.ones(20, bool)) == -games.results(np.zeros(20, bool))).all()


def test_those_that_are_over_begin_anew() -> None:
    games, rng = BothSides(8, 4, seed=1), np.random.default_rng(2)
    while not games.over.any():
        games.step(any_legal(games, rng))
    over, boards = games.over, [games.board(index) for index in range(8)]
    games.reset(over)
    assert not games.over.any()
    expected = [Board.start(4) if over[index] else boards[index] for index in range(8)]
    assert [games.board(index) for index in range(8)] == expected


def test_openings_are_drawn_by_the_seed() -> None:
    first, again, other = (BothSides(50, 6, random_opening=6, seed=seed) for seed in (1, 1, 2))
    assert (first.planes(np.uint8) == again.planes(np.uint8)).all()
    assert (first.planes(np.uint8) != other.planes(np.uint8)).any()
    assert {board.counts()[0] + board.counts()[1] for board in map(first.board, range(50))} == set(
        range(4, 11)
    )


@pytest.mark.parametrize("squares", [[19, 26], torch.tensor([19, 26]), np.array([19, 26], np.uint8)])
def test_squares_are_any_integers(squares: ArrayLike) -> None:
    games = BothSides(2)
    games.step(squares)
    assert [games.board(0), games.board(1)] == [Board.start().play(19), Board.start().play(26)]
    games.reset(torch.tensor([False, True]))
    assert [games.board(0), games.board(1)] == [Board.start().play(19), Board.start()]


@pytest.mark.parametrize("which", [[1, 0], [True], [[True, False]], True, [0]])
def test_what_begins_anew_is_a_flag_a_game(which: ArrayLike) -> None:
    games = BothSides(2)
    games.step([19, 26])
    with pytest.raises(ValueError, match=r"expected bool \[2\], not "):
        games.reset(which)
    assert games.board(0) == Board.start().play(19)


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda: BothSides(0), "at least one game, not 0"),
        (lambda: BothSides(2, random_opening=-1), "0 or more plies, not -1"),
        (lambda: BothSides(2).step([19.0, 26.0]), "a square is an integer from 0 to 63, not "),
        (lambda: BothSides(2).step([True, False]), "a square is an integer from 0 to 63, not "),
        (lambda: BothSides(2).step(["d3", "c4"]), "a square is an integer from 0 to 63, not "),
        (lambda: BothSides(2).step([19]), "expected 2 squares, one a game"),
        (lambda: BothSides(2).step(19), "expected 2 squares, one a game"),
    ],
)
def test_what_is_wrong_is_named(call: Callable[[], object], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        call()


@pytest.mark.parametrize("square", [0, 27, 64, -2, PASS, STAY])
def test_what_is_illegal_moves_nowhere(square: int) -> None:
    games = BothSides(2)
    with pytest.raises(IllegalMoveError, match="game 1: "):
        games.step(np.array([19, square]))
    assert games.board(0) == games.board(1) == Board.start(8)
