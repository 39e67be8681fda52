"""The 8 symmetries of the board, as permutations of squares.

`permutations(size)[k][s]` is the square to which symmetry k moves square s. The same table transforms sets of
squares, boards, planes and vectors of action values, so the results always agree.
"""

from functools import cache
from operator import getitem

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.board import Board

SYMMETRIES = 8


@cache
def permutations(size: int) -> NDArray[np.int64]:
    """Return for each symmetry the square to which each square moves, int64 [8, size * size].

    Row 0 is the identity. Symmetries 0-3 turn the board by 0 to 3 quarters, 4-7 do so after a reflection.
    """
    squares = np.arange(size * size).reshape(size, size)
    # turned[r, c] is the square that moves to (r, c): the inverse of the result.
    sources = [np.rot90(board, k).ravel() for board in (squares, squares.T) for k in range(4)]
    table = np.argsort(np.stack(sources), axis=1)
    table.flags.writeable = False
    return table


@cache
def inverses(size: int) -> NDArray[np.int64]:
    """Return the inverse permutations, int64 [8, size * size]: the square that moves to each square.

    `values[..., inverses(size)[k]]` is a plane or a vector of action values under symmetry k.
    """
    table = np.argsort(permutations(size), axis=1)
    table.flags.writeable = False
    return table


def canonical(board: Board) -> Board:
    """Return one board for all symmetric boards with the same side to move."""
    return Board(board.size, *min(_moved(board, k) for k in range(SYMMETRIES)), board.turn)


def transform(board: Board, symmetry: int) -> Board:
    """Return the board under one symmetry, with the same side to move."""
    return Board(board.size, *_moved(board, symmetry), board.turn)


def _moved(board: Board, symmetry: int) -> tuple[int, int]:
    """Return the black and the white squares of the board under one symmetry."""
    tables = _moved_bytes(board.size, symmetry)
    black, white = (squares.to_bytes(len(tables), "little") for squares in (board.black, board.white))
    return sum(map(getitem, tables, black)), sum(map(getitem, tables, white))


@cache
def _moved_bytes(size: int, symmetry: int) -> list[list[int]]:
    """Return for each group of 8 squares, and each subset as a byte, the moved squares as bits."""
    bits = [1 << target for target in permutations(size)[symmetry].tolist()]
    rows = [bits[first : first + 8] for first in range(0, len(bits), 8)]
    return [[sum(bit for i, bit in enumerate(row) if byte >> i & 1) for byte in range(256)] for row in rows]
