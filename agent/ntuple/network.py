"""The weights of an n-tuple network, and compiled code that updates them."""

import math

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.checkpoint import Arrays
from othello_lab.agent.ntuple.method import NTupleConfig
from othello_lab.game.batch import Positions
from othello_lab.game.evaluators.evaluator import PatternEvaluator
from othello_lab.game.evaluators.patterns import (
    FEW_STAGES,
    MOST_INSTANCES,
    Network,
    Patterns,
    count_places,
    find,
    stage,
    weights_of,
)
from othello_lab.game.kernels.bitboard import legal_moves
from othello_lab.game.kernels.bits import Bits, from_int, nth_row
from othello_lab.game.kernels.jit import array_at, at_address, compiled, compiled_helper, scratch
from othello_lab.game.notation import parse_square

PLAYS = "plays"  # The name of the average weights' array, the only array of a policy.


def patterns_of(config: NTupleConfig, size: int) -> Patterns:
    """Return the sets of squares of a configuration. Raises ValueError for an invalid set."""
    sets = tuple(tuple(parse_square(name, size) for name in text.split()) for text in config.patterns)
    return Patterns(size, sets, config.counts)


def shape_of(config: NTupleConfig, size: int) -> tuple[int, int]:
    """Return the shape of the weights, (stages, configurations)."""
    return config.stages + (FEW_STAGES if config.few else 0), patterns_of(config, size).configurations


class LearningNetwork:
    """The weights that learn, and their average. The average plays while exploring is frozen."""

    def __init__(self, config: NTupleConfig, size: int) -> None:
        self.patterns = patterns_of(config, size)
        shape = shape_of(config, size)
        self.weights = np.zeros(shape, np.float32)
        self.average = np.zeros(shape, np.float32)
        # For each weight, the sum of its errors and the sum of their absolute values.
        self.errors = np.zeros((*shape, 2), np.float32)
        self.online = PatternEvaluator(self.patterns, self.weights, config.few)
        self.plays = PatternEvaluator(self.patterns, self.average, config.few)

    @property
    def arrays(self) -> Arrays:
        """The arrays for a full checkpoint, without copies."""
        return {PLAYS: self.average, "weights": self.weights, "errors": self.errors}

    def move_average(self, share: float) -> None:
        """Move the average weights towards the latest weights by `share` of the difference."""
        self.average += np.float32(share) * (self.weights - self.average)

    def learn(self, positions: Positions, targets: NDArray[np.float64], step: float, coherent: bool) -> float:
        """Move the value of each position towards its target. Return the sum of squared errors."""
        squared = learn(
            positions.own,
            positions.opponent,
            targets,
            from_int(0, positions.size),
            positions.size,
            self.online.parameters["network"],
            self.errors,
            self.patterns.twins,
            step,
            coherent,
        )
        return float(squared)


@compiled
def learn(
    own: NDArray[np.uint64],
    opponent: NDArray[np.uint64],
    targets: NDArray[np.float64],
    kind: Bits,
    size: int,
    network: Network,
    errors: NDArray[np.float32],
    twins: NDArray[np.int32],
    rate: float,
    coherent: bool,
) -> float:
    """Move the value of each position towards its target, in order. Return the sum of squared errors.

    The side to move must have a legal move. The update is proportional to the error, because the loss is the
    cross-entropy. A squared loss would add the slope of tanh as a factor. The network would then hardly learn
    from a lost position with a value near 1.

    The step of a weight is `rate` / number of patterns. If `coherent` is True, it is multiplied by |sum of
    the weight's errors| / sum of the errors' absolute values. `errors`, float32 [stages, configurations, 2],
    holds these two sums. Source: Beal and Smith 1999, "Temporal Coherence and Prediction Decay in TD
    Learning".
    """
    weights = weights_of(network)
    places = np.empty(network.instances + 3, np.int32)
    used = network.instances + (3 if network.counts > 0 else 0)
    squared = 0.0
    for position in range(len(targets)):
        mine, theirs = nth_row(kind, own, position), nth_row(kind, opponent, position)
        _find_weights(mine, theirs, size, network, places)
        row = stage(mine, theirs, size, network)
        total = np.float32(0.0)
        for i in range(used):
            total += weights[row, places[i]]
        error = targets[position] - math.tanh(total)
        squared += error * error
        for i in range(used):
            _move(weights[row], errors[row], twins, places[i], error, rate / network.instances, coherent)
    return squared


@compiled_helper
def _find_weights(own: Bits, opponent: Bits, size: int, network: Network, places: NDArray[np.int32]) -> None:
    instances = network.instances
    configurations = array_at(scratch(), MOST_INSTANCES, np.uint16)
    offsets = array_at(at_address(network.offsets), instances, np.int32)
    find(own, opponent, network, configurations)
    for i in range(instances):
        places[i] = offsets[i] + configurations[i]
    if network.counts > 0:
        moves, replies = legal_moves(own, opponent, size), legal_moves(opponent, own, size)
        for i, place in enumerate(count_places(own, opponent, moves, replies)):
            places[instances + i] = network.counts + place


@compiled_helper
def _move(
    weights: NDArray[np.float32],
    errors: NDArray[np.float32],
    twins: NDArray[np.int32],
    place: int,
    error: float,
    step: float,
    coherent: bool,
) -> None:
    record = errors[place]
    if coherent:
        if record[1] > 0:
            step *= abs(record[0]) / record[1]
        record[0] += np.float32(error)
        record[1] += np.float32(abs(error))
    weights[place] += np.float32(step * error)
    for k in range(len(twins)):
        twin = twins[k, place]
        weights[twin] = weights[place]
        errors[twin, 0], errors[twin, 1] = record[0], record[1]
