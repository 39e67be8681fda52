import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from othello_lab.game import PASS, Board, Game, IllegalMoveError
from othello_lab.game.batch import Positions
from othello_lab.game.game import format_start, parse_start, replay
from othello_lab.game.notation import square_name
from othello_lab.game.transcripts import format_squares
from tests.game.positions import games
from tests.game.recorded import any_games, same_game

DATA = Path(__file__).parent.parent / "data"
GAMES = {
    6: "c2b4c5d2e4e3d1c1b1d5d6f4b3b2f3f2e2b6a4c6a6a2b5a5e6e5a3a1f5f6e1f1",
    8: "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2"
    "c1h2h1g2b8a8g7h8h7h6",
}


def grid(board: Board) -> list[str]:
    cells = str(board).split()[0]
    return [cells[row : row + board.size] for row in range(0, board.size**2, board.size)]


def page(size: int) -> str:
    game = Game.from_transcript(GAMES[size], size)
    lines = []
    for ply, board in enumerate(game.boards):
        if ply:
            lines.append(f"{ply}. {game.boards[ply - 1].turn.value} {square_name(game.moves[ply - 1], size)}")
        black, white = board.counts()
        legal = " ".join(format_squares([move], size) for move in board.legal_moves)
        lines += [
            *grid(board),
            f"black {black}, white {white}; {board.turn.value} to move: {legal or '-'}",
            "",
        ]
    return "\n".join([*lines, str(game.board.outcome()), ""])


@pytest.mark.parametrize("size", GAMES)
def test_a_game_goes_as_it_went_when_it_was_reviewed(size: int) -> None:
    """OTHELLO_UPDATE_GOLDEN=1 writes the file again. Then check the diff."""
    file = DATA / f"playthrough_{size}x{size}.txt"
    if os.environ.get("OTHELLO_UPDATE_GOLDEN"):
        file.write_text(page(size), "utf-8")
    assert page(size) == file.read_text("utf-8")


@settings(deadline=None, max_examples=25)
@given(games(largest=10))
def test_undo_goes_back_board_by_board(game: Game) -> None:
    boards, moves = list(game.boards), list(game.moves)
    for count in reversed(range(len(moves))):
        assert game.undo() == moves[count]
        assert (game.boards, game.moves) == (boards[: count + 1], moves[:count])
    with pytest.raises(IndexError):
        game.undo()


def test_a_forced_pass_is_made_once_and_reported() -> None:
    game = Game(Board.parse("OX-------------- O"))
    assert not game.pass_if_forced()
    game = Game(Board.parse("OX-------------- X"))
    assert game.pass_if_forced()
    assert game.moves == [PASS]
    assert not game.pass_if_forced()


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
    if move == PASS and game.board.is_over:  # as some programs write at the end
        assert replay(game.boards[0], moves).moves == game.moves
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
    found, slow = Positions.along(game.start, game.moves), Positions.of(game.boards)
    assert (found.size, found.own.tolist()) == (slow.size, slow.own.tolist())
    assert found.opponent.tolist() == slow.opponent.tolist()


@pytest.mark.parametrize("text", ["", "standard", "start", " Standard "])
def test_the_standard_start_has_a_name(text: str) -> None:
    assert parse_start(text, 6).board == Board.start(6)


def test_a_start_may_be_moves_or_a_position() -> None:
    after = Board.start(6).play(8)
    assert parse_start("c2", 6).board == after
    assert parse_start(str(after), 8).board == after


@pytest.mark.parametrize("board", [Board.start(4), Board.start(4).play(1)])
def test_what_is_written_is_read(board: Board) -> None:
    assert parse_start(format_start(board), 4).board == board


def test_only_the_standard_start_goes_by_its_name() -> None:
    assert format_start(Board.start(4)) == "standard"


@pytest.mark.parametrize(("text", "why"), [("d3d9", "d9"), ("elsewhere", "neither a position")])
def test_what_says_no_start_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_start(text, 8)
