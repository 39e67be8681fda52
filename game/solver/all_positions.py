"""The exact values of all positions of a small board, without any search that could be wrong."""

from othello_lab.game.board import Board, Colour
from othello_lab.game.notation import PASS
from othello_lab.game.solver.solver import Convention


def solve_all(size: int = 4, convention: Convention = Convention.DISC_DIFF) -> dict[Board, int]:
    """Return the value, for its side to move, of every position that follows the start: 62,789 on 4x4.

    Raises ValueError for any other size: 6x6 has too many positions.
    """
    if size != 4:
        raise ValueError(f"only 4x4 has few enough positions to list them all, not {size}x{size}")
    values: dict[Board, int] = {}
    _add(Board.start(size), convention, values)
    return values


def _add(board: Board, convention: Convention, values: dict[Board, int]) -> int:
    """Put a position and all that follow it into `values`; return its value."""
    if board in values:
        return values[board]
    if moves := list(board.legal_moves):
        value = max(-_add(board.play(move), convention, values) for move in moves)
    elif outcome := board.outcome():
        sign = 1 if board.turn is Colour.BLACK else -1
        value = sign * convention.of(outcome)
    else:
        value = -_add(board.play(PASS), convention, values)
    values[board] = value
    return value
