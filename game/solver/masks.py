"""Sets of squares that the search asks for, for every size: rows [17, ..., 4] of words for `from_row`."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from game.bitboard import SIZES


def _rows(inside: Callable[[int, int, int], bool]) -> NDArray[np.uint64]:
    """Return the squares (row, column) of which inside(size, row, column) holds, [17, 4]."""
    table = np.zeros((17, 4), np.uint64)
    for size in SIZES:
        squares = sum(1 << s for s in range(size * size) if inside(size, *divmod(s, size)))
        table[size] = np.frombuffer(squares.to_bytes(32, "little"), "<u8")
    return table


def _quadrant(bottom: bool, right: bool) -> NDArray[np.uint64]:
    return _rows(lambda size, row, column: (row >= size // 2, column >= size // 2) == (bottom, right))


BOARD = _rows(lambda size, row, column: True)
INNER_COLUMNS = _rows(lambda size, row, column: 0 < column < size - 1)
CORNERS = _rows(lambda size, row, column: row in (0, size - 1) and column in (0, size - 1))
QUADRANTS = np.stack([_quadrant(bottom, right) for bottom in (False, True) for right in (False, True)], 1)
"""The quarters of the board, [17, 4, 4]: an odd number of empties in one favours who moves there."""
