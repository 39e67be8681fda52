"""Openings: the distinct positions a few plies after the start, the standard of matches here."""

from game.board import Board
from game.game import Game


def openings(size: int, plies: int = 4) -> list[Game]:
    """Return one game for each distinct position `plies` plies after the start; 236 on 8x8 after 4.

    The order is fixed: breadth first, moves in ascending order. Lines in which a side must pass or the game
    ends on the way are left out.
    """
    lines = {Board.start(size): list[int]()}
    for _ in range(plies):
        longer: dict[Board, list[int]] = {}
        for board, moves in lines.items():
            for move in board.legal_moves:
                longer.setdefault(board.play(move), [*moves, move])
        lines = longer
    return [_replay(size, moves) for board, moves in lines.items() if board.legal_moves]


def _replay(size: int, moves: list[int]) -> Game:
    game = Game(Board.start(size))
    for move in moves:
        game.play(move)
    return game
