"""Batches of games against Board and against the slow reference, on every size."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from game import PASS, Board, Colour, Game, IllegalMoveError
from game.batch.games import STAY, BatchGames, from_mask, legal_moves, planes, repeated, to_mask
from game.batch.history import History, greedy_policy, pick, play_games, random_policy
from game.batch.positions import Positions
from game.kernels.bitboard import SIZES
from game.observation import encode
from game.players.simple import most_flips
from tests.game.positions import games as some_games
from tests.game.positions import scattered
from tests.game.reference import Reference, as_board, other

seeds = st.integers(0, 2**32 - 1)


def batch_of(boards: list[Board], threads: int = 1) -> BatchGames:
    black_to_move = np.array([board.turn is Colour.BLACK for board in boards])
    return BatchGames(Positions.of(boards), black_to_move, threads)


def assert_shows(batch: BatchGames, boards: list[Board]) -> None:
    """Everything that a batch says of its games is what Board says of each."""
    legal = to_mask(batch.legal, batch.size)
    black, white = batch.counts()
    outcomes = batch.outcomes()
    for i, board in enumerate(boards):
        assert batch.board(i) == board
        assert np.flatnonzero(legal[i]).tolist() == list(board.legal_moves)
        assert (batch.must_pass[i], batch.finished[i]) == (board.must_pass, board.is_over)
        assert (black[i], white[i]) == board.counts()
        outcome = board.outcome()
        if outcome is None:
            expected = (0, 0, 0)
        else:
            winner = {Colour.BLACK: 1, Colour.WHITE: -1, None: 0}[outcome.winner]
            expected = (winner, outcome.disc_diff, outcome.final_score)
        assert (outcomes.winner[i], outcomes.disc_diff[i], outcomes.final_score[i]) == expected


@pytest.mark.parametrize("size", SIZES)
def test_whole_games_agree_with_board_at_every_ply(size: int) -> None:
    batch, boards = BatchGames.start(size, 5), [Board.start(size)] * 5
    rng = np.random.default_rng(size)
    assert_shows(batch, boards)
    while not batch.finished.all():
        moves = pick(batch.legal, size, rng)
        batch.play(moves)
        boards = [
            board if board.is_over else board.play(move) for board, move in zip(boards, moves, strict=True)
        ]
        assert_shows(batch, boards)


@settings(deadline=None, max_examples=50)
@given(scattered(), seeds)
def test_a_ply_from_any_position_agrees_with_the_reference(reference: Reference, seed: int) -> None:
    batch = batch_of([as_board(reference)])
    legal = reference.legal(reference.turn)
    assert np.flatnonzero(to_mask(batch.legal, reference.size)[0]).tolist() == legal
    assert batch.finished[0] == reference.is_over
    move = int(np.random.default_rng(seed).choice(legal or [PASS]))
    batch.play(np.array([move]))
    if not reference.is_over:
        reference.play(None if move == PASS else move)
    assert str(batch.board(0)) == str(reference)


@settings(deadline=None, max_examples=50)
@given(scattered())
def test_planes_show_what_the_reference_says(reference: Reference) -> None:
    own, opponent = reference.turn, other(reference.turn)
    found = planes(Positions.of([as_board(reference)]), np.uint8).reshape(4, -1)
    cells = np.array([cell for row in reference.grid for cell in row])
    assert found[0].tolist() == (cells == own).tolist()
    assert found[1].tolist() == (cells == opponent).tolist()
    assert np.flatnonzero(found[2]).tolist() == reference.legal(own)
    assert np.flatnonzero(found[3]).tolist() == reference.legal(opponent)


@pytest.mark.parametrize("size", [4, 8, 12])
def test_planes_are_the_observation_of_the_side_to_move(size: int) -> None:
    positions = random_history(size, 3).positions(4)
    found = planes(positions, np.uint8)
    assert found.shape == (3, 4, size, size)
    assert found.dtype == np.uint8
    for i in range(3):
        assert found[i].ravel().tolist() == encode(positions.board(i), Colour.BLACK).tolist()
    as_floats = planes(positions, np.float32)
    assert as_floats.dtype == np.float32
    assert np.array_equal(as_floats, found)


@pytest.mark.parametrize("size", [6, 10])
def test_the_number_of_threads_changes_nothing(size: int) -> None:
    one, three = (random_history(size, 50, threads) for threads in (1, 3))
    assert np.array_equal(one.moves, three.moves)
    assert np.array_equal(one.boards(), three.boards())
    positions = one.positions(5)
    assert np.array_equal(legal_moves(positions), legal_moves(positions, threads=3))
    assert np.array_equal(planes(positions, np.uint8), planes(positions, np.uint8, threads=3))


def test_no_threads_at_all_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one thread, not 0"):
        BatchGames.start(4, 1, threads=0)


def test_a_batch_leaves_the_positions_that_it_began_with() -> None:
    start = repeated(Board.start(6), 4)
    batch = BatchGames(start)
    batch.play(pick(batch.legal, 6, np.random.default_rng(0)))
    assert [start.board(i) for i in range(4)] == [Board.start(6)] * 4


@pytest.mark.parametrize(
    ("text", "move", "why"),
    [
        ("OX-------------- O", PASS, "white has a move"),
        ("OX-------------- X", 2, "turns over no disc for black"),
        ("OX-------------- O", 16, "16 is no square"),
        ("OX-------------- O", -2, "-2 is no square"),
        ("OX-------------- O", 1, "b1 is not legal here: it is occupied"),
        ("OOOOOOOOOOOOOOOO X", 3, "d1 is not legal here"),
    ],
)
def test_an_illegal_move_names_the_game_and_plays_nowhere(text: str, move: int, why: str) -> None:
    boards = [Board.start(4), Board.parse(text)]
    batch = batch_of(boards)
    with pytest.raises(IllegalMoveError, match=f"game 1: .*{why}"):
        batch.play(np.array([next(iter(boards[0].legal_moves)), move]))
    assert_shows(batch, boards)


def test_another_count_of_moves_is_refused() -> None:
    with pytest.raises(ValueError, match=r"3 games take one move each.*\(2,\)"):
        BatchGames.start(4, 3).play(np.array([1, 1]))


@pytest.mark.parametrize("size", [6, 10])
def test_a_game_that_stays_waits_and_others_take_its_place(size: int) -> None:
    start = Board.start(size)
    moves = list(start.legal_moves)[:3]
    batch = batch_of([start] * 3)
    batch.play(np.array([moves[0], STAY, moves[1]]))
    assert_shows(batch, [start.play(moves[0]), start, start.play(moves[1])])
    batch.put(np.array([0, 1]), batch.take(np.array([1, 2])))
    assert_shows(batch, [start, start.play(moves[1]), start.play(moves[1])])


def test_a_finished_game_takes_a_pass_and_stays() -> None:
    board = Board.parse("XXXXXXXXXXXX---- O")
    batch = batch_of([board])
    batch.play(np.array([PASS]))
    assert batch.board(0) == board


def random_history(size: int, count: int, threads: int = 1) -> History:
    batch = BatchGames.start(size, count, threads)
    return play_games(batch, random_policy, random_policy, np.random.default_rng(6))


@pytest.mark.parametrize("size", [4, 8, 10])
def test_a_history_holds_every_board_and_move_of_every_game(size: int) -> None:
    history = random_history(size, 10)
    boards = history.boards()
    assert boards.shape == (len(history.moves) + 1, 10, size, size)
    for i in range(10):
        game = history.game(i)
        plies = len(game.moves)
        assert game.board.is_over
        assert history.finished[:, i].tolist() == [turn >= plies for turn in range(len(boards))]
        assert history.moves[:, i].tolist() == game.moves + [PASS] * (len(history.moves) - plies)
        for turn, board in enumerate(game.boards):
            assert signs(board).tolist() == boards[turn, i].tolist()
            assert history.black_to_move[turn, i] == (board.turn is Colour.BLACK)
        assert [len(board.legal_moves) for board in game.boards[:-1]] == history.choices()[:plies, i].tolist()


def signs(board: Board) -> NDArray[np.int8]:
    cells = [(board.black >> s & 1) - (board.white >> s & 1) for s in range(board.size**2)]
    return np.array(cells, np.int8).reshape(board.size, board.size)


@settings(deadline=None, max_examples=20)
@given(some_games())
def test_a_history_may_begin_anywhere(start: Game) -> None:
    history = play_games(batch_of([start.board]), random_policy, greedy_policy, np.random.default_rng(0))
    assert history.game(0).boards[0] == start.board
    assert history.game(0).board.is_over


@pytest.mark.parametrize("size", [6, 10])
def test_each_policy_plays_its_own_colour(size: int) -> None:
    def first(positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        lowest: NDArray[np.int64] = np.argmax(to_mask(legal_moves(positions), size), axis=1)
        return lowest

    history = play_games(BatchGames.start(size, 4), first, greedy_policy, np.random.default_rng(1))
    for i in range(4):
        game = history.game(i)
        for board, move in zip(game.boards, game.moves, strict=False):
            if move == PASS:
                assert board.must_pass
            elif board.turn is Colour.BLACK:
                assert move == min(board.legal_moves)
            else:
                assert move in most_flips(board)


@pytest.mark.parametrize("size", SIZES)
def test_sets_of_squares_become_masks_and_masks_sets(size: int) -> None:
    chosen = np.random.default_rng(size).random((3, 2, size * size)) < 0.3
    squares = from_mask(chosen, size)
    for row, one in zip(chosen.reshape(6, -1), squares.reshape(6, -1), strict=True):
        number = sum(1 << int(square) for square in np.flatnonzero(row))
        assert sum(int(word) << 64 * place for place, word in enumerate(one)) == number
    assert np.array_equal(to_mask(squares, size), chosen)
    assert to_mask(squares[:0], size).shape == (0, 2, size * size)
