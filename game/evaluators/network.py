"""N-tuple networks as evaluators: any compiled search prunes with them."""

import numpy as np
from numpy.typing import NDArray

from game.evaluators.base import EXPECTED_RESULT
from game.evaluators.compiled import PARAMETERS, CompiledEvaluator
from game.evaluators.pattern_kernels import FEW_STAGES
from game.evaluators.patterns import Patterns
from game.kernels.words import words_of


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
        network["stages"] = len(weights) - (FEW_STAGES if few else 0)
        network["few"], network["configurations"] = few, patterns.configurations
        network["counts"] = patterns.starts[-1] if patterns.counts else 0
        for name, array in (("octets", self._octets), ("offsets", self._offsets), ("weights", weights)):
            network[name] = array.ctypes.data
