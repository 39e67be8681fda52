"""Evaluators, which value positions, and the compiled ones.

The compiled ones share one kernel, whose parameters say what to count or which n-tuple network to use.
`evaluate(own, opponent, size, parameters)` is the kernel for compiled code; `CompiledEvaluator.values` is the
same over Positions. Both see a position from its side to move. A game that is over is valued like any other
position: a search gives it its result, `finished` below.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.games import BatchGames, pick_each
from othello_lab.game.batch.games import legal_moves as all_legal_moves
from othello_lab.game.batch.positions import Positions, count_squares
from othello_lab.game.evaluators import patterns as networks
from othello_lab.game.evaluators.patterns import Patterns
from othello_lab.game.evaluators.probcut import Predictions
from othello_lab.game.kernels.bitboard import CORNERS, after, is_over, legal_moves
from othello_lab.game.kernels.bits import (
    Bits,
    Rows,
    count,
    from_int,
    from_row,
    lowest,
    nth_row,
    occupied,
    without_lowest,
    words_of,
)
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.values import EXPECTED_RESULT, POINTS, WON


class Evaluator(ABC):
    """A value of positions."""

    unit: str = POINTS
    """The unit of its values, in words."""

    @abstractmethod
    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the value of each position for its side to move, float64 [n]; more is better.

        A position where the game is over is valued like any other.
        """


class _OfAnotherPackage(Evaluator):
    """An object of another package with `values(positions)`, and perhaps a unit."""

    def __init__(self, foreign: Any) -> None:  # noqa: ANN401  of any class
        self._foreign, self.unit = foreign, getattr(foreign, "unit", POINTS)

    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the object's values as float64 [n]."""
        return np.asarray(self._foreign.values(positions), np.float64)


def as_evaluator(product: object) -> Evaluator:
    """Return an entry's product as an Evaluator; an object of another package needs `values(positions)`."""
    return product if isinstance(product, Evaluator) else _OfAnotherPackage(product)


PARAMETERS = np.dtype(
    [
        # The squares that share a weight, a set in each row, and how many such sets there are.
        ("masks", np.uint64, (256, 4)),
        ("classes", np.int64),
        # The weight of own minus opponent's discs on these squares.
        ("weights", np.float64, 256),
        # The weight of (own - opponent's moves) / (own + opponent's moves); 0 leaves it out.
        ("mobility", np.float64),
        # From this many discs on, or with all corners taken, only the difference of discs counts; 0 is never.
        ("end", np.int64),
        # Not 0: the weights, divided by this, move to 1 as the board fills.
        ("fade", np.float64),
        # Whether only the discs of the side that has just moved count, for players of one ply.
        ("last_mover", np.bool_),
        # An n-tuple network; nothing else counts beside it.
        ("network", networks.NETWORK),
    ],
    align=True,
)
"""The parameters of `evaluate`. One item is passed as a pointer: a recursion carries it for free."""
# An item of PARAMETERS: compiled code reads its fields as attributes.
Parameters = Any


@compiled
def finished(own: Bits, opponent: Bits) -> float:
    """Return the value of a finished game for the side to move: WON, 0 or -WON."""
    return float(WON * np.sign(count(own) - count(opponent)))


@compiled
def evaluate(own: Bits, opponent: Bits, size: int, parameters: Parameters) -> float:
    """Return the value of a position that is not finished for the side to move."""
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


@compiled
def _in_end_phase(own: Bits, opponent: Bits, size: int, end: int) -> bool:
    discs = own | opponent
    return count(discs) >= end or not occupied(from_row(own, CORNERS[size]) & ~discs)


@compiled
def _mobility(own: Bits, opponent: Bits, size: int) -> float:
    mine, theirs = count(legal_moves(own, opponent, size)), count(legal_moves(opponent, own, size))
    return (mine - theirs) / (mine + theirs) if mine + theirs > 0 else 0.0


@compiled
def _faded(value: float, own: Bits, opponent: Bits, size: int) -> float:
    """Move from the weighted sum to the plain one: linearly, from the first four discs to a full board."""
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
    """An evaluator that compiled search can call, for boards of one size."""

    def __init__(self, size: int, parameters: Parameters) -> None:
        """`parameters` is an item of PARAMETERS."""
        self.size = size
        self.parameters = parameters
        self.predictions: Predictions | None = None
        """Predictions of deep searches by shallow ones, where they are known."""

    def check_size(self, size: int) -> None:
        """Raise ValueError for boards of another size."""
        if size != self.size:
            raise ValueError(f"this evaluator is for boards of {self.size}x{self.size}, not {size}x{size}")

    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the value of each position for its side to move, float64 [n]; more is better."""
        self.check_size(positions.size)
        values = np.empty(len(positions))
        kind = from_int(0, self.size)
        _evaluate_all(positions.own, positions.opponent, kind, self.size, self.parameters, values)
        return values

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the value of each legal move for its side, float64 [moves]; finished games as in a search.

        The same as `values` of `game.search.batched.children`, in less time.
        """
        self.check_size(positions.size)
        choices = count_squares(all_legal_moves(positions), self.size)
        values = np.empty(int(choices.sum()))
        kind = from_int(0, self.size)
        _judge_moves(positions.own, positions.opponent, kind, self.size, self.parameters, values)
        return values


class PatternEvaluator(CompiledEvaluator):
    """The expected result by an n-tuple network, from -1 to 1.

    The hyperbolic tangent of a sum: one weight for each pattern, by its configuration and the stage of the
    game, and one for each count. Where the side to move must pass, the other side's view gives the value.
    """

    unit = EXPECTED_RESULT

    def __init__(self, patterns: Patterns, weights: NDArray[np.float32], few: int = 0) -> None:
        """`weights` is float32 [stages, configurations]; it is not copied, so that later changes count.

        With `few` its last two rows are for positions in which the other side, or the side to move, has at
        most this many discs.
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
    """Return the scale of an evaluator's points: tanh(points / scale) is an expected result.

    It is the standard deviation of its values in the middle of random games; 0 for expected results.
    """
    return float(np.std(evaluator.values(_half_full(size)))) if evaluator.unit == POINTS else 0.0


def _half_full(size: int) -> Positions:
    """Return positions after as many random plies as make a board half full, or a little less."""
    games, rng = BatchGames.start(size, _GAMES), np.random.default_rng(0)
    for _ in range(size * size // 2 - 4):
        games.play(pick_each(games.legal, size, rng))
    return games.positions
