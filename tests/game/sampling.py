from functools import cache

import numpy as np

from othello_lab.game import PASS, Board, Game
from othello_lab.game.play import Pairing, play_games


def random_games(size: int, count: int, seed: int = 0) -> list[Game]:
    pairing = Pairing("random", "random", size, repeat=-(-count // 2), seed=seed)
    return [played.record.game for played in play_games(pairing, range(count))]


def played(size: int, left: int, seed: int) -> Game:
    rng = np.random.default_rng(seed)
    while True:
        game = Game(Board.start(size))
        while not game.board.is_over and (game.board.empties > left or not game.board.legal_moves):
            game.play(rng.choice(list(game.board.legal_moves) or [PASS]))
        if not game.board.is_over:
            return game


@cache
def random_boards(size: int, number: int) -> list[Board]:
    """Return three kinds of positions of random games: a random one, the last one, and those with a pass."""
    rng, found = np.random.default_rng(size), list[Board]()
    while len(found) < number:
        game = Game(Board.start(size))
        while not game.board.is_over:
            game.play(int(rng.choice(list(game.board.legal_moves) or [PASS])))
        found += [game.boards[rng.integers(len(game.boards))], game.board]
        found += [board for board in game.boards if board.must_pass]
    return found[:number]
