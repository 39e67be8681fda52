"""Random games of 8x8 beside other people's rules; skipped where their library is not installed."""

import numpy as np
import pytest

from othello_lab.game import PASS, Board, Colour
from othello_lab.game.players.one_move import pick

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
