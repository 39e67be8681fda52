"""Positions a few plies after the start: openings, the standard of matches here, and their count, perft.

Perft is the standard check of a move generator: the number of move paths of a given length. A forced pass
costs one ply and a game that ends earlier is one path ("mode 1").
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence

from othello_lab.game.board import Board
from othello_lab.game.game import Game, replay
from othello_lab.game.kernels import bitboard
from othello_lab.game.kernels.bits import from_int
from othello_lab.game.notation import PASS, format_squares
from othello_lab.game.symmetry import canonical


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
    return [replay(Board.start(size), moves) for board, moves in lines.items() if board.legal_moves]


def standard_openings(size: int, count: int | None = None) -> tuple[str, ...]:
    """Return `count` of the openings of four plies, evenly spread over all of them; None means all.

    0 means the standard start alone. Which they are depends on nothing else. Raises ValueError if there are
    fewer.
    """
    if count == 0:
        return ("",)
    lines = [game.transcript() for game in openings(size)]
    count = len(lines) if count is None else count
    if count > len(lines):
        raise ValueError(f"there are {len(lines)} openings on {size}x{size}, not {count}")
    return tuple(lines[index * len(lines) // count] for index in range(count))


def openings_of(
    games: Iterable[Game], size: int, plies: int | None = None, most: int | None = None
) -> tuple[str, ...]:
    """Return the distinct positions after `plies` plies of games from the standard start, as transcripts.

    The `most` most frequent of them, in that order; with `plies` None the positions at the ends of the games,
    in theirs, with 0 the standard start. Positions alike by symmetry are one, for which its first stands.
    Left out are games that are shorter, on another size or from another start, and lines in which a side
    must pass or the game ends.
    """
    start, shortest = Board.start(size), 1 if plies is None else plies
    lines = Counter(
        tuple(game.moves[:plies]) for game in games if game.start == start and len(game.moves) >= shortest
    )
    first, times = dict[Board, str](), Counter[Board]()
    for line, count in lines.items():
        board = replay(start, line).board
        if PASS in line or not board.legal_moves:
            continue
        position = canonical(board)
        first.setdefault(position, format_squares(line, size))
        times[position] += count
    found = times if plies is None else [position for position, _ in times.most_common()]
    return tuple(first[position] for position in found)[:most]


def digest(lines: Sequence[str]) -> str:
    """Return a short name of these openings in this order: equal for equal ones alone."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def openings_at_most(size: int, most: int | None = None) -> tuple[str, ...]:
    """Return the openings of four plies, or `most` of them, evenly spread, where there are more."""
    every = standard_openings(size)
    return every if most is None or most >= len(every) else standard_openings(size, most)


def perft(board: Board, depth: int) -> int:
    """Count the move paths of `depth` plies from `board`."""
    own, opponent = from_int(board.own, board.size), from_int(board.opponent, board.size)
    return int(bitboard.perft(own, opponent, depth, board.size))
