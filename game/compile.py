"""Compile every kernel for both kinds of boards and leave the result on disk: `python -m game.compile`."""

from game.batch import random_games
from game.board import Board, Colour
from game.observation import encode
from game.perft import perft
from game.players.simple import most_flips


def compile_all() -> None:
    """Call every kernel once on a small board and once on a large one."""
    for size in (4, 10):
        board = Board.start(size)
        perft(board, 2)
        board.play(next(iter(most_flips(board))))
        encode(board, Colour.BLACK)
        random_games(size, 1, seed=0)


if __name__ == "__main__":
    compile_all()
