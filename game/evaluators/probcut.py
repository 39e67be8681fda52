"""Predictions of deep searches, for an evaluation that is an expected result from -1 to 1.

Each depth is predicted twice: by the evaluation alone, and by a search of `shallow(depth)` plies. Between
areas tangent of the values, where no bound is near, the deep value is a straight line of the other one and a
normal error, by the number of empty squares:

    atanh(deep) = (slope + slope_each * empties) * atanh(other) + offset
                  +- exp(log_error + log_error_each * empties)

The numbers are of one evaluation, in a file beside it; game/search/fit_probcut.py makes such a file.
"""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.files import read_text, replace
from othello_lab.game.kernels.jit import compiled

NUMBERS = ("slope", "slope_each", "offset", "log_error", "log_error_each")
PREDICTION = np.dtype([(name, np.float64) for name in NUMBERS])
"""How a search of one depth is predicted by another."""
Predictions = NDArray[np.void]
"""Items of PREDICTION, the first row for FIRST plies: by the evaluation, by a search; [FITTED, 2]."""
FIRST = 2
FITTED = 9
"""What is fitted are depths from 2 to 10; deeper ones take the numbers of 9 or 10 plies."""
SUFFIX = ".probcut.json"


@compiled
def shallow(depth: int) -> int:
    """Return how deep the search is that predicts one of `depth` plies: half at most, an even number less.

    For evaluations swing with the side that had the last move. 0 is the evaluation alone.
    """
    odd = depth % 2
    return (depth + odd) // 4 * 2 - odd


def beside(path: Path) -> Path:
    """Return where the numbers of the evaluation in a file are, if there are any."""
    return path.with_suffix(SUFFIX)


def read(path: Path) -> Predictions:
    """Read predictions; raise ValueError for a file that has none, OSError for one that cannot be read."""
    try:
        rows = np.array(json.loads(read_text(path)), np.float64)
    except (ValueError, TypeError, RecursionError):
        rows = np.empty(0)
    if rows.shape != (FITTED, 2 * len(NUMBERS)) or not np.isfinite(rows).all():
        raise ValueError(f"{path} does not hold {FITTED} lists of {2 * len(NUMBERS)} numbers; fit it anew")
    return rows.view(PREDICTION)


def write(path: Path, predictions: Predictions) -> None:
    """Write predictions, a line for each depth; raises OSError."""
    numbers = predictions.view(np.float64).round(5).tolist()
    replace(path, "[\n " + ",\n ".join(map(json.dumps, numbers)) + "\n]\n")


def by_depth(predictions: Predictions, deepest: int) -> Predictions:
    """Return the predictions of each depth from 0 to `deepest`, [deepest + 1, 2]; those of less than FIRST
    plies are empty.
    """
    found = np.zeros((deepest + 1, 2), PREDICTION)
    for depth in range(FIRST, deepest + 1):
        last = FIRST + FITTED - 1
        found[depth] = predictions[min(depth, last - (depth - last) % 2) - FIRST]
    return found
