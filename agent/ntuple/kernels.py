"""Learning the weights of an n-tuple network, compiled."""

import math

import numpy as np
from numpy.typing import NDArray

from game.evaluators.pattern_kernels import Network, find, stage
from game.evaluators.patterns import MOST_INSTANCES
from game.kernels.jit import array_at, at_address, compiled, scratch
from game.kernels.words import Words, from_row


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

    The side to move must have a move. A weight's step is `rate`, divided by the number of patterns; with
    `coherent` times |sum of its errors| / sum of |its errors| (Beal and Smith 1999, "Temporal Coherence and
    Prediction Decay in TD Learning"), which `errors`, float32 [stages, configurations, 2], hold.
    """
    instances, stages, configurations = network.instances, network.stages, network.configurations
    found = array_at(scratch(), MOST_INSTANCES, np.uint16)
    offsets = array_at(at_address(network.offsets), instances, np.int32)
    weights = array_at(at_address(network.weights), (stages, configurations), np.float32)
    squared = 0.0
    for position in range(len(targets)):
        mine, theirs = from_row(like, own[position]), from_row(like, opponent[position])
        find(mine, theirs, network, found)
        row = stage(mine, theirs, size, stages)
        total = np.float32(0.0)
        for i in range(instances):
            total += weights[row, offsets[i] + found[i]]
        value = math.tanh(total)
        error = targets[position] - value
        squared += error * error
        step = np.float32(error)
        for i in range(instances):
            place = offsets[i] + found[i]
            share = np.float32(rate / instances)
            if coherent:
                record = errors[row, place]
                if record[1] > 0:
                    share *= abs(record[0]) / record[1]
                record[0] += step
                record[1] += abs(step)
            weights[row, place] += share * step
            for k in range(len(twins)):
                twin = twins[k, place]
                weights[row, twin] = weights[row, place]
                errors[row, twin, 0] = errors[row, place, 0]
                errors[row, twin, 1] = errors[row, place, 1]
    return squared
