"""Evaluators, which return the value of a position for the side to move."""

import json
import math
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch import BatchGames, Positions, count_squares, pick_each
from othello_lab.game.batch import legal_moves as all_legal_moves
from othello_lab.game.board import Board
from othello_lab.game.evaluators import patterns as networks
from othello_lab.game.evaluators.patterns import Patterns
from othello_lab.game.kernels.bitboard import CORNERS, after, is_over, legal_moves
from othello_lab.game.kernels.bits import (
    Bits,
    Integer,
    Rows,
    count,
    from_row,
    lowest,
    nth_row,
    occupied,
    without_lowest,
    words_of,
)
from othello_lab.game.kernels.jit import compiled, compiled_helper
from othello_lab.game.safe_files import read_text
from othello_lab.game.values import EXPECTED_RESULT, POINTS, WON


class Evaluator(ABC):
    """The interface of evaluators."""

    unit: str = POINTS  # The unit of the values, for display.

    @abstractmethod
    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the value of each position, float64 [n], for the side to move. Games may be finished."""


# The parameters of `evaluate`. Compiled code passes an item by reference, which is fast in a recursion.
PARAMETERS = np.dtype(
    [
        # Each row is a set of squares with the same weight. `classes` is the number of sets.
        ("masks", np.uint64, (256, 4)),
        ("classes", np.int64),
        # The weight of each set, which multiplies the disc difference on these squares.
        ("weights", np.float64, 256),
        # The weight of mobility, (own - opponent's moves) / (own + opponent's moves). 0 means no mobility.
        ("mobility", np.float64),
        # The minimum number of discs in the end phase, which also begins when all corners are occupied. In
        # the end phase, only the disc difference counts. 0 means no end phase.
        ("end", np.int64),
        # The divisor of the weights. The quotients change to 1 as the board fills. 0 means no change.
        ("fade", np.float64),
        # Whether only the discs of the side that has just moved count, for one-ply players.
        ("last_mover", np.bool_),
        # An n-tuple network, which overrides all other parameters. 0 instances mean no network.
        ("network", networks.NETWORK),
    ],
    align=True,
)
# An item of PARAMETERS. Compiled code reads its fields as attributes.
Parameters = Any


@compiled_helper
def finished(own: Bits, opponent: Bits) -> float:
    """Return the value of a finished game for the side to move, which is WON, 0 or -WON."""
    return float(WON * np.sign(count(own) - count(opponent)))


@compiled_helper
def evaluate(own: Bits, opponent: Bits, size: int, parameters: Parameters) -> float:
    """Return the value of an unfinished position for the side to move."""
    if parameters.network.instances > 0:
        return networks.value(own, opponent, size, parameters.network)
    if parameters.end > 0 and _in_end_phase(own, opponent, size, parameters.end):
        return float(count(own) - count(opponent))
    if parameters.last_mover:
        own = own & ~own
    value = 0.0
    for i in range(parameters.classes):
        squares = from_row(own, parameters.masks[i])
        value += parameters.weights[i] * (count(own & squares) - count(opponent & squares))
    if parameters.mobility != 0.0:
        value += parameters.mobility * _mobility(own, opponent, size)
    if parameters.fade != 0.0:
        value = _faded(value / parameters.fade, own, opponent, size)
    return value


@compiled_helper
def _in_end_phase(own: Bits, opponent: Bits, size: int, end: int) -> bool:
    discs = own | opponent
    return count(discs) >= end or not occupied(from_row(own, CORNERS[size]) & ~discs)


@compiled_helper
def _mobility(own: Bits, opponent: Bits, size: int) -> float:
    mine, theirs = count(legal_moves(own, opponent, size)), count(legal_moves(opponent, own, size))
    return (mine - theirs) / (mine + theirs) if mine + theirs > 0 else 0.0


@compiled_helper
def _faded(value: float, own: Bits, opponent: Bits, size: int) -> float:
    """Interpolate linearly from `value` to the disc difference as the board fills."""
    filled = (count(own | opponent) - 4) / (size * size - 4)
    return float((1.0 - filled) * value + filled * (count(own) - count(opponent)))


@compiled
def _evaluate_all(
    own: Rows, opponent: Rows, kind: Bits, size: int, parameters: Parameters, values: NDArray[np.float64]
) -> None:
    for i in range(len(values)):
        values[i] = evaluate(nth_row(kind, own, i), nth_row(kind, opponent, i), size, parameters)


@compiled
def _judge_moves(
    own: Rows, opponent: Rows, kind: Bits, size: int, parameters: Parameters, values: NDArray[np.float64]
) -> None:
    place = 0
    for i in range(len(own)):
        mine, theirs = nth_row(kind, own, i), nth_row(kind, opponent, i)
        moves = legal_moves(mine, theirs, size)
        while occupied(moves):
            moved, left = after(mine, theirs, lowest(moves), size)
            if is_over(left, moved, size):
                values[place] = finished(moved, left)
            else:
                values[place] = -evaluate(left, moved, size, parameters)
            place += 1
            moves = without_lowest(moves)


class CompiledEvaluator(Evaluator):
    """An evaluator for boards of one size that compiled searches can call."""

    def __init__(self, size: int, parameters: Parameters) -> None:
        self.size = size
        self.parameters = parameters
        self.predictions: Predictions | None = None
        """The coefficients that predict deep searches from shallow searches (ProbCut), or None."""

    def check_size(self, size: int) -> None:
        """Raise ValueError if this evaluator is for another board size."""
        if size != self.size:
            raise ValueError(f"this evaluator is for boards of {self.size}x{self.size}, not {size}x{size}")

    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the value of each position for the side to move, float64 [n]."""
        self.check_size(positions.size)
        values = np.empty(len(positions))
        _evaluate_all(*positions.for_kernels, self.parameters, values)
        return values

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the values of all legal moves, float64 [moves], in the order of `textbook.children`."""
        self.check_size(positions.size)
        choices = count_squares(all_legal_moves(positions), self.size)
        values = np.empty(int(choices.sum()))
        _judge_moves(*positions.for_kernels, self.parameters, values)
        return values


class PatternEvaluator(CompiledEvaluator):
    """An n-tuple network that returns the expected result, from -1 to 1.

    The value is the tanh of a sum of weights, one for each pattern and each count.
    """

    unit = EXPECTED_RESULT

    def __init__(self, patterns: Patterns, weights: NDArray[np.float32], few: int = 0) -> None:
        """`weights`, float32 [stages, configurations], is not copied.

        If `few` is not 0, the last two rows are for positions in which a side has at most `few` discs. In the
        last row, the side to move has few discs.
        """
        if weights.dtype != np.float32 or not weights.flags.c_contiguous:
            raise ValueError("the weights of patterns are contiguous float32")
        if weights.ndim != 2 or weights.shape[1] != patterns.configurations:
            raise ValueError(
                f"weights of shape {list(weights.shape)}, expected stages by {patterns.configurations}"
            )
        super().__init__(patterns.size, np.zeros(1, PARAMETERS)[0])
        self.patterns, self.weights = patterns, weights
        self._octets, self._offsets = patterns.octets, patterns.offsets
        network = self.parameters["network"]
        network["instances"], network["lanes"] = len(patterns.instances), patterns.lanes
        network["words"] = words_of(patterns.size)
        network["stages"] = len(weights) - (networks.FEW_STAGES if few else 0)
        network["few"], network["configurations"] = few, patterns.configurations
        network["counts"] = patterns.starts[-1] if patterns.counts else 0
        for name, array in (("octets", self._octets), ("offsets", self._offsets), ("weights", weights)):
            network[name] = array.ctypes.data


_GAMES = 256


def scale_of(evaluator: Evaluator, size: int) -> float:
    """Return the scale with which tanh(points / scale) is an expected result, or 0 for other units.

    The scale is the standard deviation of the points halfway through random games.
    """
    if evaluator.unit != POINTS:
        return 0.0
    games, rng = BatchGames.start(Board.start(size), _GAMES), np.random.default_rng(0)
    for _ in range(size * size // 2 - 4):
        games.play(pick_each(games.legal, size, rng))
    return float(np.std(evaluator.values(games.positions)))


# Linear predictions of the values of deep searches, which are expected results from -1 to 1. `other` is the
# static evaluation, or the value of a search of `shallow(depth)` plies. The error is normally distributed.
#
#     atanh(deep) = (slope + slope_each * empties) * atanh(other) + offset
#                   +- exp(log_error + log_error_each * empties)

NUMBERS = ("slope", "slope_each", "offset", "log_error", "log_error_each")
PREDICTION = np.dtype([(name, np.float64) for name in NUMBERS])
# Items of PREDICTION, [FITTED, 2]. Row i is for searches of FIRST + i plies.
# Column 0 predicts from the evaluation, and column 1 predicts from a shallow search.
Predictions = NDArray[np.void]
FIRST = 1
# The number of fitted depths, which are 1 to 10. Deeper searches use the row of 9 or 10 plies.
FITTED = 10
GROWTH = (0.25, 0.0)  # The exponents of the depth with which the errors grow beyond 10 plies, by column.
# The minimum distance, in standard errors, of a predicted value from the search window to cut a branch.
# The first number is for predictions from the static evaluation, and the second for shallow searches.
THRESHOLDS = (2.4, 1.1)
SUFFIX = ".probcut.json"


@compiled
def shallow(depth: int) -> int:
    """Return the depth of the search that predicts a search of `depth` plies. 0 means the evaluation.

    The two depths differ by an even number, because values depend on the side that moves last.
    """
    odd = depth % 2
    return max(0, (depth + odd) // 4 * 2 - odd)


@compiled_helper
def bounds(
    prediction: Any,  # noqa: ANN401  an item of `by_depth`
    alpha: float,
    beta: float,
    empties: Integer,
) -> tuple[float, float]:
    """Return a lower and an upper bound of the shallow value.

    If the shallow value is outside of these bounds, the deep value is probably outside of the window.
    """
    margin = math.exp(prediction.log_error + prediction.log_error_each * empties)
    slope = prediction.slope + prediction.slope_each * empties
    return (alpha - margin - prediction.offset) / slope, (beta + margin - prediction.offset) / slope


def predictions_path(path: Path) -> Path:
    """Return the path of the predictions for a file of weights."""
    return path.with_suffix(SUFFIX)


def read_predictions(path: Path) -> Predictions:
    """Read a file of predictions. Raises ValueError for invalid content, and OSError for a read error."""
    try:
        rows = np.array(json.loads(read_text(path)), np.float64)
    except (ValueError, TypeError, RecursionError):
        rows = np.empty(0)
    if rows.shape != (FITTED, 2 * len(NUMBERS)) or not np.isfinite(rows).all():
        raise ValueError(f"{path} does not hold {FITTED} lists of {2 * len(NUMBERS)} numbers; fit it anew")
    return rows.view(PREDICTION)


def by_depth(predictions: Predictions, deepest: int) -> Predictions:
    """Return the predictions for the depths 0 to `deepest`, [deepest + 1, 2], with zeros below FIRST.

    The errors of each column are multiplied by the threshold of the column.
    """
    last, depths = FIRST + FITTED - 1, np.arange(FIRST, deepest + 1)
    rows = np.zeros((deepest + 1, 2), PREDICTION)
    rows[FIRST:] = predictions[np.minimum(depths, last - (depths - last) % 2) - FIRST]
    logarithms = [math.log(max(1.0, depth / last)) for depth in depths]
    rows[FIRST:]["log_error"] += np.multiply.outer(logarithms, GROWTH) + np.log(THRESHOLDS)
    return rows
