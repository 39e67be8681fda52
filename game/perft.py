"""Perft: the number of move paths of a given length, the standard check of a move generator.

A forced pass costs one ply and a game that ends earlier is one path ("mode 1").
"""

from game.board import Board
from game.kernels import bitboard
from game.kernels.words import from_int


def perft(board: Board, depth: int) -> int:
    """Count the move paths of `depth` plies from `board`."""
    own, opponent = from_int(board.own, board.size), from_int(board.opponent, board.size)
    return int(bitboard.perft(own, opponent, depth, board.size))


def divide(board: Board, depth: int) -> dict[int, int]:
    """Count the paths behind each legal move: what to compare when a perft is wrong."""
    return {move: perft(board.play(move), depth - 1) for move in board.legal_moves}
