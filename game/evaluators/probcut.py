"""Predictions of the values of deep searches, which are expected results from -1 to 1.

`other` is the evaluation of a position, or the value of a search of `shallow(depth)` plies. The prediction is
linear with a normal error, and depends on the number of empty squares.

    atanh(deep) = (slope + slope_each * empties) * atanh(other) + offset
                  +- exp(log_error + log_error_each * empties)

scripts/fit_probcut.py writes the numbers of an evaluator to a file next to the weights.
"""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.kernels.jit import compiled
from othello_lab.game.safe_files import read_text

NUMBERS = ("slope", "slope_each", "offset", "log_error", "log_error_each")
PREDICTION = np.dtype([(name, np.float64) for name in NUMBERS])
Predictions = NDArray[np.void]
"""Items of PREDICTION, [FITTED, 2]. Row i is for searches of FIRST + i plies.

Column 0 predicts from the evaluation, and column 1 predicts from a shallow search.
"""
FIRST = 2
FITTED = 9
"""The number of fitted depths, which are 2 to 10. Deeper searches use the numbers of 9 or 10 plies."""
SUFFIX = ".probcut.json"


@compiled
def shallow(depth: int) -> int:
    """Return the depth of the search that predicts a search of `depth` plies. 0 means the evaluation.

    The two depths differ by an even number, because values depend on the side that moves last.
    """
    odd = depth % 2
    return (depth + odd) // 4 * 2 - odd


def predictions_path(path: Path) -> Path:
    """Return the path of the predictions that belong to a file of weights."""
    return path.with_suffix(SUFFIX)


def read(path: Path) -> Predictions:
    """Read a file of predictions. Raises ValueError for wrong content, and OSError after a read error."""
    try:
        rows = np.array(json.loads(read_text(path)), np.float64)
    except (ValueError, TypeError, RecursionError):
        rows = np.empty(0)
    if rows.shape != (FITTED, 2 * len(NUMBERS)) or not np.isfinite(rows).all():
        raise ValueError(f"{path} does not hold {FITTED} lists of {2 * len(NUMBERS)} numbers; fit it anew")
    return rows.view(PREDICTION)


def by_depth(predictions: Predictions, deepest: int) -> Predictions:
    """Return the predictions for the depths 0 to `deepest`, [deepest + 1, 2], with zeros below FIRST."""
    rows = np.zeros((deepest + 1, 2), PREDICTION)
    for depth in range(FIRST, deepest + 1):
        last = FIRST + FITTED - 1
        rows[depth] = predictions[min(depth, last - (depth - last) % 2) - FIRST]
    return rows
