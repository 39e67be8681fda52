"""Learning the weights of an n-tuple network, compiled."""

import math

import numpy as np
from numpy.typing import NDArray

from game.evaluators import counts
from game.evaluators.pattern_kernels import Network, find, stage, weights_of
from game.evaluators.patterns import MOST_INSTANCES
from game.kernels.bitboard import legal_moves
from game.kernels.jit import array_at, at_address, compiled, scratch
from game.kernels.words import Words, nth_row


@compiled
def learn(
    own: NDArray[np.uint64],
    opponent: NDArray[np.uint64],
    targets: NDArray[np.float64],
    like: Words,
    size: int,
    network: Network,
    errors: NDArray[np.float32],
    twins: NDArray[np.int32],
    rate: float,
    coherent: bool,
) -> float:
    """Move the value of each position towards its target, in order; return the sum of squared errors.

    The side to move must have a move. The weights follow the error itself: the gradient of the cross-entropy.
    That of the squared error has the slope of tanh in it, and a position that is wrongly taken for won would
    hardly be learned from. A weight's step is `rate`, divided by the number of patterns; with `coherent`
    times |sum of its errors| / sum of |its errors| (Beal and Smith 1999, "Temporal Coherence and Prediction
    Decay in TD Learning"), which `errors`, float32 [stages, configurations, 2], hold.
    """
    weights = weights_of(network)
    places = np.empty(network.instances + 3, np.int32)
    used = network.instances + (3 if network.counts > 0 else 0)
    squared = 0.0
    for position in range(len(targets)):
        mine, theirs = nth_row(like, own, position), nth_row(like, opponent, position)
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


@compiled
def _find_weights(
    own: Words, opponent: Words, size: int, network: Network, places: NDArray[np.int32]
) -> None:
    """Write where the weights of a position are in those of its stage."""
    instances = network.instances
    found = array_at(scratch(), MOST_INSTANCES, np.uint16)
    offsets = array_at(at_address(network.offsets), instances, np.int32)
    find(own, opponent, network, found)
    for i in range(instances):
        places[i] = offsets[i] + found[i]
    if network.counts > 0:
        moves, replies = legal_moves(own, opponent, size), legal_moves(opponent, own, size)
        for i, place in enumerate(counts.places(own, opponent, moves, replies)):
            places[instances + i] = network.counts + place


@compiled
def _move(
    weights: NDArray[np.float32],
    errors: NDArray[np.float32],
    twins: NDArray[np.int32],
    place: int,
    error: float,
    step: float,
    coherent: bool,
) -> None:
    """Move one weight of a stage, and those that mean the same by symmetry with it."""
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
