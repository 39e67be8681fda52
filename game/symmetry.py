"""The 8 symmetries of the board, as permutations of squares."""

from functools import cache
from operator import getitem

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.board import Board

SYMMETRIES = 8


@cache
def permutations(size: int) -> NDArray[np.int64]:
    """Return 4 rotations and 4 reflections, int64 [8, size * size]. Row k maps square s to entry [k, s]."""
    squares = np.arange(size * size).reshape(size, size)
    # A source is the square that moves to a place, so the sources are the inverse of the result.
    sources = [np.rot90(board, k).ravel() for board in (squares, squares.T) for k in range(4)]
    table = np.argsort(np.stack(sources), axis=1)
    table.flags.writeable = False
    return table


@cache
def inverses(size: int) -> NDArray[np.int64]:
    """Return the inverses, int64 [8, size * size]. `values[..., inverses(size)[k]]` applies symmetry k."""
    table = np.argsort(permutations(size), axis=1)
    table.flags.writeable = False
    return table


def canonical(board: Board) -> Board:
    """Return the canonical form of a board, which is the same for all symmetric boards."""
    return Board(board.size, *min(_moved(board, k) for k in range(SYMMETRIES)), board.turn)


def transform(board: Board, symmetry: int) -> Board:
    """Apply a symmetry to a board. The side to move stays the same."""
    return Board(board.size, *_moved(board, symmetry), board.turn)


def _moved(board: Board, symmetry: int) -> tuple[int, int]:
    tables = _moved_bytes(board.size, symmetry)
    black, white = (squares.to_bytes(len(tables), "little") for squares in (board.black, board.white))
    return sum(map(getitem, tables, black)), sum(map(getitem, tables, white))


@cache
def _moved_bytes(size: int, symmetry: int) -> list[list[int]]:
    """Return a lookup table [group][byte] that maps each byte of 8 squares to the moved squares as bits."""
    bits = [1 << target for target in permutations(size)[symmetry].tolist()]
    rows = [bits[first : first + 8] for first in range(0, len(bits), 8)]
    return [[sum(bit for i, bit in enumerate(row) if byte >> i & 1) for byte in range(256)] for row in rows]
