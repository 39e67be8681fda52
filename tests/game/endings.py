import csv
from pathlib import Path

import numpy as np

from othello_lab.game import PASS, Board, Game
from othello_lab.game.notation import parse_square
from othello_lab.game.solver.solver import Convention
from tests.game.plain import after, as_reference, disc_difference
from tests.game.reference import Reference

DATA = Path(__file__).parent.parent / "data"


def endgames(convention: Convention = Convention.DISC_DIFF) -> list[tuple[Board, dict[int, int]]]:
    lines = (DATA / "endgames_exact.csv").read_text("utf-8").splitlines()
    found = []
    for size, _, cells, turn, _, _, raw, adjusted in csv.reader(lines[2:]):
        moves = raw if convention is Convention.DISC_DIFF else adjusted
        pairs = (pair.split(":") for pair in moves.split())
        scores = {parse_square(name, int(size)): int(score) for name, score in pairs if name != "pass"}
        found.append((Board.parse(f"{cells} {turn}"), scores))
    return found


def near_the_end(size: int, left: int, seed: int) -> Board:
    rng = np.random.default_rng(seed)
    while True:
        game = Game(Board.start(size))
        while not game.board.is_over and game.board.empties > left:
            game.play(int(rng.choice([*game.board.legal_moves])) if game.board.legal_moves else PASS)
        if game.board.legal_moves:
            return game.board


def exact_scores(board: Board) -> dict[int, int]:
    """Return the disc difference of perfect play after each legal move, for the side that moves."""
    return {move: -_perfect(after(as_reference(board), move)) for move in board.legal_moves}


def _perfect(position: Reference) -> int:
    if position.is_over:
        return disc_difference(position)
    moves: list[int] | list[None] = position.legal(position.turn) or [None]
    return max(-_perfect(after(position, move)) for move in moves)
