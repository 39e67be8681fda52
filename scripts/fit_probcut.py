"""Fit ProbCut predictions of deep search values from an evaluation and from shallow searches.

    python -m scripts.fit_probcut EVALUATOR FILE

Run this script from the root of the repository. The fit takes some minutes.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch import Positions
from othello_lab.game.board import Board
from othello_lab.game.catalogue import make_evaluator
from othello_lab.game.evaluators.evaluator import FIRST, FITTED, PREDICTION, Evaluator, Predictions, shallow
from othello_lab.game.play import sampled_positions
from othello_lab.game.safe_files import replace
from othello_lab.game.search.deepening import DeepeningSearch
from othello_lab.game.search.limits import Limits

GAMES = 400
SEED = 0
_SIZE = 8
_PLIES = 4
_RANDOM_MOVES = 0.1
# The range of empty squares of the positions. No search reaches the end of the game.
_MOST_EMPTIES, _FEWEST_EMPTIES = 56, FIRST + FITTED + 1
_NEARLY_CERTAIN = 0.999  # Larger absolute values are excluded, because nearly certain results are not linear.
_MEAN_LOG = -0.6352  # The mean of log |x| for a standard normal x.


def fit(evaluator: str, size: int, games: int, seed: int) -> Predictions:
    """Return the predictions for an evaluator, whose values must be from -1 to 1."""
    judge, boards = make_evaluator(evaluator, size), list(_positions(evaluator, size, games, seed))
    left = np.array([board.empties for board in boards], np.float64)
    values = [_values(judge, boards, depth) for depth in range(FIRST + FITTED)]
    rows = [
        [fit_line(values[less], values[depth], left) for less in (0, shallow(depth))]
        for depth in range(FIRST, FIRST + FITTED)
    ]
    return np.array(rows, PREDICTION)


def _positions(evaluator: str, size: int, games: int, seed: int) -> Iterator[Board]:
    player = f"noisy:[search:depth={_PLIES},endgame=0,probcut=0,eval=[{evaluator}]],share={_RANDOM_MOVES}"
    return sampled_positions(player, size, games, _FEWEST_EMPTIES, _MOST_EMPTIES, seed)


def _values(evaluator: Evaluator, boards: list[Board], depth: int) -> NDArray[np.float64]:
    if depth == 0:
        return evaluator.values(Positions.of(boards))
    search = DeepeningSearch(boards[0].size, evaluator, Limits(depth=depth, endgame=0, probcut=False))
    return np.array([search.think(board, np.random.default_rng(0)).value for board in boards])


def fit_line(
    x: NDArray[np.float64], y: NDArray[np.float64], left: NDArray[np.float64]
) -> tuple[float, float, float, float, float]:
    """Return an item of PREDICTION that predicts deep values y from shallow values x.

    `left` are the positions' numbers of empty squares. The fit is a line through the inverse hyperbolic
    tangents of the values, by least squares weighted by the inverse of the expected error.
    """
    usable = (np.abs(x) < _NEARLY_CERTAIN) & (np.abs(y) < _NEARLY_CERTAIN)
    x, y, left = np.arctanh(x[usable]), np.arctanh(y[usable]), left[usable]
    terms = np.stack([x, x * left, np.ones_like(x)], 1)
    log_error = np.zeros_like(x)
    for _ in range(5):
        weights = np.exp(-log_error)
        line = np.linalg.lstsq(terms * weights[:, None], y * weights, rcond=None)[0]
        off = np.abs(y - terms @ line)
        each, at_none = np.polyfit(left, np.log(off + 1e-6) - _MEAN_LOG, 1)
        log_error = at_none + each * left
    return line[0], line[1], line[2], at_none, each


def write(path: Path, predictions: Predictions) -> None:
    """Write predictions as JSON, with a line for each depth. Raises OSError."""
    numbers = predictions.view(np.float64).round(5).tolist()
    replace(path, "[\n " + ",\n ".join(map(json.dumps, numbers)) + "\n]\n")


if __name__ == "__main__":
    name, file = sys.argv[1:]
    write(Path(file), fit(name, _SIZE, GAMES, SEED))
