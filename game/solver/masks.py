"""Sets of squares that the search asks for, for every size: rows [17, ..., 4] of words for `from_row`."""

import numpy as np
from numpy.typing import NDArray

from game.kernels.bitboard import mask_rows


def _quadrant(bottom: bool, right: bool) -> NDArray[np.uint64]:
    return mask_rows(lambda size, row, column: (row >= size // 2, column >= size // 2) == (bottom, right))


QUADRANTS = np.stack([_quadrant(bottom, right) for bottom in (False, True) for right in (False, True)], 1)
"""The quarters of the board, [17, 4, 4]: an odd number of empties in one favours who moves there."""
