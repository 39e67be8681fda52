"""Slow and simple evaluators and minimax, with which the compiled code is compared."""

from collections.abc import Callable

from othello_lab.game import Board, Colour
from tests.game.reference import EMPTY, Reference, other

Evaluation = Callable[[Reference], float]  # The value from the view of the side to move.

# The upper half of the positional player's matrix. The lower half is its mirror image.
WIPEOUT = [
    [100, -20, 10, 5, 5, 10, -20, 100],
    [-20, -50, -2, -2, -2, -2, -50, -20],
    [10, -2, -1, -1, -1, -1, -2, 10],
    [5, -2, -1, -1, -1, -1, -2, 5],
]


def weight(row: int, column: int, size: int) -> int:
    """Return the weight of the square of 8x8 with the same distances to the edges, at most 3."""
    rows, columns = (min(line, size - 1 - line, 3) for line in (row, column))
    return WIPEOUT[rows][columns]


def disc_difference(position: Reference) -> int:
    return position.count(position.turn) - position.count(other(position.turn))


def _is_in_end_phase(position: Reference) -> bool:
    cells = [cell for row in position.grid for cell in row]
    grid = position.grid
    corners = [grid[0][0], grid[0][-1], grid[-1][0], grid[-1][-1]]
    return 5 * (len(cells) - cells.count(EMPTY)) >= 4 * len(cells) or EMPTY not in corners


def positional(position: Reference) -> float:
    if _is_in_end_phase(position):
        return disc_difference(position)
    sign = {position.turn: 1, other(position.turn): -1, EMPTY: 0}
    return sum(
        sign[cell] * weight(row, column, position.size)
        for row, line in enumerate(position.grid)
        for column, cell in enumerate(line)
    )


def mobility(position: Reference) -> float:
    if _is_in_end_phase(position):
        return disc_difference(position)
    grid, own, opponent = position.grid, position.turn, other(position.turn)
    corners = [grid[0][0], grid[0][-1], grid[-1][0], grid[-1][-1]]
    mine, theirs = len(position.legal(own)), len(position.legal(opponent))
    share = (mine - theirs) / (mine + theirs) if mine + theirs else 0
    return 10 * (corners.count(own) - corners.count(opponent)) + share


def minimax(position: Reference, depth: int, evaluation: Evaluation) -> float:
    """Return the value for the side to move. A pass is a ply, and a finished game is 1e9, 0 or -1e9."""
    if position.is_over:
        difference = disc_difference(position)
        return 1e9 if difference > 0 else -1e9 if difference < 0 else 0
    if depth == 0:
        return evaluation(position)
    moves: list[int] | list[None] = position.legal(position.turn) or [None]
    return max(-minimax(after(position, move), depth - 1, evaluation) for move in moves)


def after(position: Reference, move: int | None) -> Reference:
    after = Reference([list(row) for row in position.grid], position.turn)
    after.play(move)
    return after


def as_reference(board: Board) -> Reference:
    cells, size = str(board).split()[0], board.size
    grid = [list(cells[row * size : (row + 1) * size]) for row in range(size)]
    return Reference(grid, "X" if board.turn is Colour.BLACK else "O")
