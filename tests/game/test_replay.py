"""Moves replayed by compiled code: the same games as move by move, and the same moves refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from othello_lab.game import PASS, Game, IllegalMoveError
from othello_lab.game.batch.positions import Positions
from othello_lab.game.game import replay
from tests.game.positions import games
from tests.game.recorded import any_games, same_game


@settings(deadline=None, max_examples=80)
@given(any_games, st.booleans())
def test_the_same_game_with_passes_and_without(game: Game, with_passes: bool) -> None:
    moves = [move for move in game.moves if with_passes or move != PASS]
    again = replay(game.boards[0], moves)
    if not with_passes and game.moves and game.moves[-1] == PASS:
        again.pass_if_forced()
    assert (again.board, again.start, again.size) == (game.board, game.boards[0], game.size)
    assert same_game(again, game)


@settings(deadline=None, max_examples=80)
@given(games(largest=8), st.integers(-2, 64))
def test_a_move_is_legal_here_as_there(game: Game, move: int) -> None:
    game.pass_if_forced()
    moves = [*game.moves, move]
    if move in game.board.legal_moves:
        assert replay(game.boards[0], moves).board == game.board.play(move)
        return
    with pytest.raises(IllegalMoveError) as slow:
        game.board.play(move)
    with pytest.raises(IllegalMoveError) as fast:
        replay(game.boards[0], moves)
    assert str(fast.value) == f"move {len(moves)}: {slow.value}"


@settings(deadline=None, max_examples=30)
@given(games(largest=8))
def test_a_replayed_game_grows_and_is_taken_back_as_any_other(game: Game) -> None:
    again = replay(game.boards[0], game.moves)
    if game.moves:
        assert again.undo() == game.undo()
        assert same_game(again, game)
    again = replay(game.boards[0], game.moves)
    for move in game.board.legal_moves:
        again.play(move)
        assert again.moves == [*game.moves, move]
        assert again.boards == [*game.boards, game.board.play(move)]
        break


@settings(deadline=None, max_examples=60)
@given(any_games)
def test_the_positions_of_a_game_as_arrays(game: Game) -> None:
    found, slow = Positions.along(game), Positions.of(game.boards)
    assert (found.size, found.own.tolist()) == (slow.size, slow.own.tolist())
    assert found.opponent.tolist() == slow.opponent.tolist()
