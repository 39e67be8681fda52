"""The 8 symmetries of the board, as permutations of squares.

`PERMUTATION[k][s]` is the square that s moves to. The same table turns sets of squares, boards, planes and
vectors of action values, so that they always agree.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.board import Board

SYMMETRIES = 8


@cache
def permutations(size: int) -> NDArray[np.int64]:
    """Return where each square goes under each symmetry, int64 [8, size * size]; row 0 is the identity.

    Symmetries 0-3 turn the board by 0 to 3 quarters, 4-7 do the same after a reflection.
    """
    squares = np.arange(size * size).reshape(size, size)
    # turned[r, c] is the square that comes to lie on (r, c): the inverse of where each square goes.
    sources = [np.rot90(board, k).ravel() for board in (squares, squares.T) for k in range(4)]
    table = np.argsort(np.stack(sources), axis=1)
    table.flags.writeable = False
    return table


@cache
def inverses(size: int) -> NDArray[np.int64]:
    """Return which square comes to each square, int64 [8, size * size]: the inverse permutations.

    `values[..., inverses(size)[k]]` is a plane or a vector of action values under symmetry k.
    """
    table = np.argsort(permutations(size), axis=1)
    table.flags.writeable = False
    return table


def canonical(board: Board) -> Board:
    """Return the same board for all that are alike by symmetry, with the same side to move."""
    return min((transform(board, k) for k in range(SYMMETRIES)), key=lambda other: (other.black, other.white))


def transform(board: Board, symmetry: int) -> Board:
    """Return the board under one symmetry; the side to move stays."""
    targets = permutations(board.size)[symmetry].tolist()

    def moved(squares: int) -> int:
        return sum(1 << target for s, target in enumerate(targets) if squares >> s & 1)

    return Board(board.size, moved(board.black), moved(board.white), board.turn)
