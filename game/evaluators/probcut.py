"""Predictions of deep searches, for an evaluation that is an expected result from -1 to 1.

Two values predict a search to each depth: the evaluation alone, and a search of `shallow(depth)` plies. The
artanh of the deep value is a linear function of the artanh of the other value, with a normal error. The slope
and the error depend on the number of empty squares:

    atanh(deep) = (slope + slope_each * empties) * atanh(other) + offset
                  +- exp(log_error + log_error_each * empties)

The numbers belong to one evaluation. scripts/fit_probcut.py writes them into a file beside its weights.
"""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.kernels.jit import compiled
from othello_lab.game.safe_files import read_text

NUMBERS = ("slope", "slope_each", "offset", "log_error", "log_error_each")
PREDICTION = np.dtype([(name, np.float64) for name in NUMBERS])
"""The record of one prediction: of a search to one depth, by one other value."""
Predictions = NDArray[np.void]
"""Items of PREDICTION, [FITTED, 2]: row 0 is for FIRST plies; the columns are evaluation and search."""
FIRST = 2
FITTED = 9
"""The number of fitted depths, 2 to 10. Deeper searches use the numbers of 9 or 10 plies."""
SUFFIX = ".probcut.json"


@compiled
def shallow(depth: int) -> int:
    """Return the depth of the search that predicts a search of `depth` plies; 0 is the evaluation alone.

    It is at most half of `depth`. The difference is even, because values depend on the side that moves last.
    """
    odd = depth % 2
    return (depth + odd) // 4 * 2 - odd


def predictions_path(path: Path) -> Path:
    """Return the file of predictions that belongs to a file of weights."""
    return path.with_suffix(SUFFIX)


def read(path: Path) -> Predictions:
    """Read predictions; raise ValueError for a file without predictions, OSError if it cannot be read."""
    try:
        rows = np.array(json.loads(read_text(path)), np.float64)
    except (ValueError, TypeError, RecursionError):
        rows = np.empty(0)
    if rows.shape != (FITTED, 2 * len(NUMBERS)) or not np.isfinite(rows).all():
        raise ValueError(f"{path} does not hold {FITTED} lists of {2 * len(NUMBERS)} numbers; fit it anew")
    return rows.view(PREDICTION)


def by_depth(predictions: Predictions, deepest: int) -> Predictions:
    """Return the predictions of each depth from 0 to `deepest`, [deepest + 1, 2].

    The rows of depths below FIRST are zeros.
    """
    rows = np.zeros((deepest + 1, 2), PREDICTION)
    for depth in range(FIRST, deepest + 1):
        last = FIRST + FITTED - 1
        rows[depth] = predictions[min(depth, last - (depth - last) % 2) - FIRST]
    return rows
