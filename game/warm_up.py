"""Compile the kernels into the disk cache. Usage: `python -m othello_lab.game.warm_up`."""

import shutil

import numpy as np

from othello_lab.game.batch import BatchGames, Positions, planes, play_out, repeated
from othello_lab.game.board import Board, Colour
from othello_lab.game.catalogue import make, make_evaluator
from othello_lab.game.game import Game, replay
from othello_lab.game.kernels.jit import CACHE
from othello_lab.game.observation import encode
from othello_lab.game.openings import perft
from othello_lab.game.play import Pairing, play_games
from othello_lab.game.search import ALGORITHMS, search
from othello_lab.game.search.gumbel import GuidedLimits, guide_of, search_many


def compile_all() -> None:
    """Call the kernels on a small and on a large board. Remove the caches of earlier versions."""
    for directory in CACHE.parent.glob("kernels-*"):
        if directory != CACHE:
            shutil.rmtree(directory, ignore_errors=True)
    for size in (4, 10):
        board = Board.start(size)
        perft(board, 2)
        board.play(board.legal_moves[0])
        encode(board, Colour.BLACK)
        play_out(repeated(board, 1), seed=0)
        Positions.along(board, replay(board, [next(iter(board.legal_moves))]).moves)
    # The other kernels for boards larger than 8x8 are compiled at their first use.
    games = BatchGames.start(Board.start(4), 1)
    list(play_games(Pairing("random", "noisy:greedy", 4), range(2)))
    planes(games.positions, np.int8)
    planes(games.positions, np.uint8)
    planes(games.positions, np.float32)
    # The search of `alphazero`.
    evaluator, rng = make_evaluator("positional", 4), np.random.default_rng(0)
    search_many(guide_of(evaluator, 4), repeated(Board.start(4), 1), GuidedLimits(simulations=2), None)
    # The next loops compile the textbook searches, one-ply players, `search` with its solver, and `mcts`.
    for algorithm in ALGORITHMS:
        search(Board.start(4), algorithm, 1, evaluator, rng)
    for player in ("positional", "search", "mcts", "mcts:eval=positional"):
        make(player, 4).choose(Game(Board.start(4)), rng)


if __name__ == "__main__":
    compile_all()
