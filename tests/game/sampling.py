import csv
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from othello_lab.game import PASS, Board, Game
from othello_lab.game.notation import parse_square
from othello_lab.game.play import Pairing, play_games
from othello_lab.game.players.player import Player
from othello_lab.game.solver.solver import Convention, solve_all
from tests.game.plain import after, as_reference, disc_difference
from tests.game.reference import Reference


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


def endgames(convention: Convention = Convention.DISC_DIFF) -> list[tuple[Board, dict[int, int]]]:
    lines = (Path(__file__).parents[1] / "data/endgames_exact.csv").read_text("utf-8").splitlines()
    found = []
    for size, _, cells, turn, _, _, raw, adjusted in csv.reader(lines[2:]):
        moves = raw if convention is Convention.DISC_DIFF else adjusted
        pairs = (pair.split(":") for pair in moves.split())
        scores = {parse_square(name, int(size)): int(score) for name, score in pairs if name != "pass"}
        found.append((Board.parse(f"{cells} {turn}"), scores))
    return found


def exact_scores(board: Board) -> dict[int, int]:
    """Return the disc difference of perfect play after each legal move, for the side that moves."""
    return {move: -_perfect(after(as_reference(board), move)) for move in board.legal_moves}


def _perfect(position: Reference) -> int:
    if position.is_over:
        return disc_difference(position)
    moves: list[int] | list[None] = position.legal(position.turn) or [None]
    return max(-_perfect(after(position, move)) for move in moves)


exact_values = cache(solve_all)


class Knowing(Player):
    """Picks the legal move with the largest (`max`) or smallest (`min`) value for the opponent."""

    def __init__(self, pick: Callable[..., int]) -> None:
        self._pick = pick

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        known: dict[Board, int] = exact_values()
        return self._pick(game.board.legal_moves, key=lambda move: known[game.board.play(move)])
