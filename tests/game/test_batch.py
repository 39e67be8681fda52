import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from othello_lab.game import PASS, Board, Colour, IllegalMoveError
from othello_lab.game.batch import STAY, BatchGames, Positions, pick_each, planes, repeated, to_mask
from othello_lab.game.notation import SIZES
from othello_lab.game.observation import encode
from tests.game.positions import scattered
from tests.game.reference import Reference, as_board, other
from tests.game.sampling import random_games

pytestmark = pytest.mark.slow

seeds = st.integers(0, 2**32 - 1)


def batch_of(boards: list[Board]) -> BatchGames:
    black_to_move = np.array([board.turn is Colour.BLACK for board in boards])
    return BatchGames(Positions.of(boards), black_to_move)


def assert_shows(batch: BatchGames, boards: list[Board]) -> None:
    legal = to_mask(batch.legal, batch.size)
    black, white = batch.counts()
    scores = batch.final_scores()
    for i, board in enumerate(boards):
        assert batch.board(i) == board
        assert np.flatnonzero(legal[i]).tolist() == list(board.legal_moves)
        assert (batch.must_pass[i], batch.finished[i]) == (board.must_pass, board.is_over)
        assert (black[i], white[i]) == board.counts()
        outcome = board.outcome()
        assert scores[i] == (outcome.final_score if outcome else 0)


@pytest.mark.parametrize("size", SIZES)
def test_whole_games_agree_with_board_at_every_ply(size: int) -> None:
    batch, boards = BatchGames.start(Board.start(size), 5), [Board.start(size)] * 5
    rng = np.random.default_rng(size)
    assert_shows(batch, boards)
    while not batch.finished.all():
        moves = pick_each(batch.legal, size, rng)
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


@pytest.mark.parametrize("size", [4, 8, 12])
def test_planes_are_the_observation_of_the_side_to_move(size: int) -> None:
    positions = random_positions(size, 3)
    found, as_floats = planes(positions, np.uint8), planes(positions, np.float32)
    assert found.shape == (3, 4, size, size)
    assert found.dtype == np.uint8
    assert as_floats.dtype == np.float32
    for i in range(3):
        assert found[i].ravel().tolist() == encode(positions.board(i), Colour.BLACK).tolist()
    assert np.array_equal(as_floats, found)


@settings(deadline=None, max_examples=50)
@given(scattered())
def test_planes_show_what_the_reference_says(reference: Reference) -> None:
    own, opponent = reference.turn, other(reference.turn)
    found = planes(Positions.of([as_board(reference)]), np.uint8).reshape(4, -1)
    cells = np.array([cell for row in reference.grid for cell in row])
    assert [found[0].tolist(), found[1].tolist()] == [(cells == own).tolist(), (cells == opponent).tolist()]
    assert np.flatnonzero(found[2]).tolist() == reference.legal(own)
    assert np.flatnonzero(found[3]).tolist() == reference.legal(opponent)


def test_a_batch_leaves_the_positions_that_it_began_with() -> None:
    start = repeated(Board.start(6), 4)
    batch = BatchGames(start)
    batch.play(pick_each(batch.legal, 6, np.random.default_rng(0)))
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
        BatchGames.start(Board.start(4), 3).play(np.array([1, 1]))


@pytest.mark.parametrize("size", [6, 10])
def test_a_game_that_stays_waits_and_others_take_its_place(size: int) -> None:
    start = Board.start(size)
    moves = list(start.legal_moves)[:3]
    batch = batch_of([start] * 3)
    batch.play(np.array([moves[0], STAY, moves[1]]))
    assert_shows(batch, [start.play(moves[0]), start, start.play(moves[1])])
    batch.put(np.array([0, 1]), batch.take(np.array([1, 2])))
    assert_shows(batch, [start, start.play(moves[1]), start.play(moves[1])])


def random_positions(size: int, count: int) -> Positions:
    return Positions.of([game.boards[4] for game in random_games(size, count)])
