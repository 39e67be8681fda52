"""Evaluators that weigh squares and count moves."""

import numpy as np
from numpy.typing import NDArray

from game.evaluators.compiled import PARAMETERS, CompiledEvaluator


class SquareEvaluator(CompiledEvaluator):
    """A sum of square weights, and more if asked for."""

    def __init__(
        self,
        weights: NDArray[np.float64],
        mobility: float = 0.0,
        end: int = 0,
        fade: float = 0.0,
        last_mover: bool = False,
    ) -> None:
        """`weights` is float64 [size, size] with rows from the top; the rest is explained at PARAMETERS."""
        super().__init__(len(weights), np.zeros(1, PARAMETERS)[0])
        distinct = np.unique(weights[weights != 0])
        self.parameters["classes"] = len(distinct)
        self.parameters["weights"][: len(distinct)] = distinct
        self.parameters["masks"][: len(distinct)] = _pack([weights.ravel() == one for one in distinct])
        for name, value in (("mobility", mobility), ("end", end), ("fade", fade), ("last_mover", last_mover)):
            self.parameters[name] = value


def _pack(squares: list[NDArray[np.bool_]]) -> NDArray[np.uint64]:
    """Pack sets of squares, each bool [size * size], into rows of four words."""
    packed = np.zeros((len(squares), 32), np.uint8)
    for row, chosen in zip(packed, squares, strict=True):
        octets = np.packbits(chosen, bitorder="little")
        row[: len(octets)] = octets
    return packed.view("<u8").astype(np.uint64)
