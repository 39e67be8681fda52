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


def standard_openings(size: int, count: int | None = None) -> tuple[str, ...]:
    """Return `count` of the openings of four plies, evenly spread over all of them; None means all.

    Which they are depends on nothing else. Raises ValueError if there are fewer.
    """
    lines = [game.transcript() for game in openings(size)]
    count = len(lines) if count is None else count
    if count > len(lines):
        raise ValueError(f"there are {len(lines)} openings on {size}x{size}, not {count}")
    return tuple(lines[index * len(lines) // count] for index in range(count))


def openings_at_most(size: int, most: int | None = None) -> tuple[str, ...]:
    """Return the openings of four plies, or `most` of them, evenly spread, where there are more."""
    every = standard_openings(size)
    return every if most is None or most >= len(every) else standard_openings(size, most)


def _replay(size: int, moves: list[int]) -> Game:
    game = Game(Board.start(size))
    for move in moves:
        game.play(move)
    return game
