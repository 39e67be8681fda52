"""Evaluators: what says how good positions are, and those that are compiled code.

Those are one kernel, told by its parameters what to count, or which n-tuple network to ask.
`evaluate(own, opponent, size, parameters)` is the kernel for searches and other compiled code;
`CompiledEvaluator.values` is the same over Positions. Both see a position from its side to move. Neither
knows that a game is over: a search gives finished games their result, `finished` below.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.games import BatchGames, pick_each
from othello_lab.game.batch.games import legal_moves as all_legal_moves
from othello_lab.game.batch.positions import Positions, count_squares
from othello_lab.game.evaluators import pattern_kernels
from othello_lab.game.evaluators.patterns import Patterns
from othello_lab.game.evaluators.probcut import Predictions
from othello_lab.game.kernels.bitboard import CORNERS, after, legal_moves
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
    """Says how good positions are. One that knows both sides makes a player at any search depth."""

    unit: str = POINTS
    """What its values are, in words."""

    @abstractmethod
    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return how good each position is for its side to move, float64 [n]; more is better.

        A position where the game is over is looked at like any other: whoever searches knows the result.
        """


class _OfAnotherPackage(Evaluator):
    """An object of another package with `values(positions)`, and perhaps a unit."""

    def __init__(self, found: Any) -> None:  # noqa: ANN401  whatever has it
        self._found, self.unit = found, getattr(found, "unit", POINTS)

    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the values of the object, float64 [n]."""
        return np.asarray(self._found.values(positions), np.float64)


def as_evaluator(made: object) -> Evaluator:
    """Return what a catalogue has made as an Evaluator; a stranger's object needs `values(positions)`."""
    return made if isinstance(made, Evaluator) else _OfAnotherPackage(made)


PARAMETERS = np.dtype(
    [
        # The squares that share a weight, a set in each row, and how many such sets there are.
        ("masks", np.uint64, (256, 4)),
        ("classes", np.int64),
        # What own minus opponent's discs on these squares count each.
        ("weights", np.float64, 256),
        # What the share (own - opponent's moves) / (own + opponent's moves) counts; 0 leaves it out.
        ("mobility", np.float64),
        # From this many discs on, or with all corners taken, only the difference of discs counts; 0 is never.
        ("end", np.int64),
        # Not 0: the weights, divided by this, move to 1 as the board fills.
        ("fade", np.float64),
        # Whether only the discs of the side that has just moved count: half an evaluation, for 1-ply players.
        ("last_mover", np.bool_),
        # An n-tuple network, which then counts alone.
        ("network", pattern_kernels.NETWORK),
    ],
    align=True,
)
"""What `evaluate` counts. One item is passed as a pointer: a recursion carries it for free."""
# An item of PARAMETERS: compiled code reads its fields as attributes.
Parameters = Any


@compiled
def finished(own: Bits, opponent: Bits) -> float:
    """Return the worth of a finished game for the side to move: its sign counts, not by how much."""
    return float(WON * np.sign(count(own) - count(opponent)))


@compiled
def evaluate(own: Bits, opponent: Bits, size: int, parameters: Parameters) -> float:
    """Return how good a position that is not finished is for the side to move."""
    if parameters.network.instances > 0:
        return pattern_kernels.value(own, opponent, size, parameters.network)
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
            if occupied(legal_moves(left, moved, size)) or occupied(legal_moves(moved, left, size)):
                values[place] = -evaluate(left, moved, size, parameters)
            else:
                values[place] = finished(moved, left)
            place += 1
            moves = without_lowest(moves)


class CompiledEvaluator(Evaluator):
    """An evaluator that compiled search can call, for boards of one size."""

    def __init__(self, size: int, parameters: Parameters) -> None:
        """`parameters` is an item of PARAMETERS."""
        self.size = size
        self.parameters = parameters
        self.predictions: Predictions | None = None
        """How well shallow searches with it predict deep ones, where that is known."""

    def check_size(self, size: int) -> None:
        """Raise ValueError for boards of another size."""
        if size != self.size:
            raise ValueError(f"this evaluator is for boards of {self.size}x{self.size}, not {size}x{size}")

    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return how good each position is for its side to move, float64 [n]; more is better."""
        self.check_size(positions.size)
        values = np.empty(len(positions))
        kind = from_int(0, self.size)
        _evaluate_all(positions.own, positions.opponent, kind, self.size, self.parameters, values)
        return values

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return what each legal move leads to, for its side, float64 [moves]; finished games as in a search.

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
    game, and one for each count. Where the side to move must pass it is what the other side's view says.
    """

    unit = EXPECTED_RESULT

    def __init__(self, patterns: Patterns, weights: NDArray[np.float32], few: int = 0) -> None:
        """`weights` is float32 [stages, configurations], used where it lies: what changes there counts.

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
        network["stages"] = len(weights) - (pattern_kernels.FEW_STAGES if few else 0)
        network["few"], network["configurations"] = few, patterns.configurations
        network["counts"] = patterns.starts[-1] if patterns.counts else 0
        for name, array in (("octets", self._octets), ("offsets", self._offsets), ("weights", weights)):
            network[name] = array.ctypes.data


_GAMES = 256


def scale_of(evaluator: Evaluator, size: int) -> float:
    """Return what the points of an evaluator are divided by before tanh makes expected results of them.

    It is how far its values vary in the middle of random games; 0 for an evaluator that says expected results
    itself.
    """
    return float(np.std(evaluator.values(_half_full(size)))) if evaluator.unit == POINTS else 0.0


def _half_full(size: int) -> Positions:
    """Return positions after as many random plies as make a board half full, or a little less."""
    games, rng = BatchGames.start(size, _GAMES), np.random.default_rng(0)
    for _ in range(size * size // 2 - 4):
        games.play(pick_each(games.legal, size, rng))
    return games.positions
