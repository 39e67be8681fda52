"""Predictions of deep searches by shallow ones, for an evaluation that is an expected result from -1 to 1.

Between areas tangent of the values, where no bound is near, the deep value is a straight line of the shallow
one and a normal error, by the number of empty squares:

    atanh(deep) = (slope + slope_each * empties) * atanh(shallow) + offset
                  +- exp(log_error + log_error_each * empties)

The numbers are of one evaluation, in a file beside it; game/search/fit_probcut.py makes such a file.
"""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.kernels.jit import compiled

NUMBERS = ("slope", "slope_each", "offset", "log_error", "log_error_each")
PREDICTION = np.dtype([(name, np.float64) for name in NUMBERS])
"""How a search of one depth is predicted by that of `shallow(depth)`."""
Predictions = NDArray[np.void]
"""Items of PREDICTION, the first for FIRST plies; [FITTED]."""
FIRST = 3
FITTED = 8
"""What is fitted are depths from 3 to 10; deeper ones take the numbers of the deepest."""
SUFFIX = ".probcut.json"


@compiled
def shallow(depth: int) -> int:
    """Return how deep the search is that predicts one of `depth` plies: about half, an even number less.

    For evaluations swing with the side that had the last move.
    """
    return depth // 4 * 2 + depth % 2


def beside(path: Path) -> Path:
    """Return where the numbers of the evaluation in a file are, if there are any."""
    return path.with_suffix(SUFFIX)


def read(path: Path) -> Predictions:
    """Read predictions; raise ValueError for a file that has none, OSError for one that cannot be read."""
    try:
        rows = np.array(json.loads(path.read_text("utf-8")), np.float64)
    except (ValueError, TypeError, RecursionError):
        rows = np.empty(0)
    if rows.shape != (FITTED, len(NUMBERS)) or not np.isfinite(rows).all():
        raise ValueError(f"{path} does not hold {FITTED} lists of {len(NUMBERS)} numbers; fit it anew")
    return np.array([tuple(row) for row in rows], PREDICTION)


def write(path: Path, predictions: Predictions) -> None:
    """Write predictions, a line for each depth; raises OSError."""
    rows = [json.dumps([round(float(number), 5) for number in row.item()]) for row in predictions]
    path.write_text("[\n " + ",\n ".join(rows) + "\n]\n", "utf-8")


def by_depth(predictions: Predictions, deepest: int) -> Predictions:
    """Return the prediction of each depth from 0 to `deepest`; those of less than FIRST plies are empty."""
    found = np.zeros(deepest + 1, PREDICTION)
    found[FIRST : FIRST + FITTED] = predictions
    found[FIRST + FITTED :] = predictions[-1]
    return found
