"""The weights of an n-tuple network, and all that learning them needs."""

import numpy as np
from numpy.typing import NDArray

from agent.checkpoint import Arrays
from agent.ntuple import kernels
from agent.ntuple.method import NTupleConfig
from game.batch.positions import Positions
from game.evaluators.network import PatternEvaluator
from game.evaluators.pattern_kernels import FEW_STAGES
from game.evaluators.patterns import Patterns
from game.kernels.words import from_int
from game.notation import parse_square

PLAYS = "plays"
"""The array of the weights that play when exploring is frozen; what a policy holds."""


def patterns_of(config: NTupleConfig, size: int) -> Patterns:
    """Return the square sets of a configuration; raises ValueError."""
    sets = tuple(tuple(parse_square(name, size) for name in text.split()) for text in config.patterns)
    return Patterns(size, sets, config.counts)


def shape_of(config: NTupleConfig, size: int) -> tuple[int, int]:
    """Return the shape of the weights."""
    return config.stages + (FEW_STAGES if config.few else 0), patterns_of(config, size).configurations


class Network:
    """Weights that learn, and the average of them that plays."""

    def __init__(self, config: NTupleConfig, size: int) -> None:
        self.patterns = patterns_of(config, size)
        shape = shape_of(config, size)
        self.weights = np.zeros(shape, np.float32)
        self.average = np.zeros(shape, np.float32)
        self.errors = np.zeros((*shape, 2), np.float32)
        """Of each weight the sum of its errors, and the sum of their sizes."""
        self.online = PatternEvaluator(self.patterns, self.weights, config.few)
        self.plays = PatternEvaluator(self.patterns, self.average, config.few)

    @property
    def arrays(self) -> Arrays:
        """All that a resume needs, where it lies."""
        return {PLAYS: self.average, "weights": self.weights, "errors": self.errors}

    def move_average(self, share: float) -> None:
        """Move the weights that play by this share towards those that learn."""
        self.average += np.float32(share) * (self.weights - self.average)

    def learn(self, positions: Positions, targets: NDArray[np.float64], step: float, coherent: bool) -> float:
        """Move the value of each position towards its target; return the sum of squared errors."""
        squared = kernels.learn(
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
