"""Evaluators that add the weights of squares with discs.

`matrices.json` has published weights for 8x8, with rows from the top. The weights `wipeout` are from van Eck
and van Wezel (2008). The weights `swh`, multiplied by 100, are from Yoshioka, Ishii and Ito (1999). The
weights `heur` and `bench` are from van der Ree and Wiering (2013).
"""

import json
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch import from_mask
from othello_lab.game.board import corners
from othello_lab.game.catalogue import PUBLISHED, Entry
from othello_lab.game.evaluators.evaluator import PARAMETERS, CompiledEvaluator, Evaluator
from othello_lab.game.kernels.bits import words_of
from othello_lab.game.registry import RegistryError, Spec


class SquareEvaluator(CompiledEvaluator):
    """The weights of the own discs minus the weights of the opponent's discs."""

    def __init__(
        self,
        weights: NDArray[np.float64],
        mobility: float = 0.0,
        end: int = 0,
        fade: float = 0.0,
        last_mover: bool = False,
    ) -> None:
        """`weights` is float64 [size, size], with rows from the top. PARAMETERS explains the rest."""
        size, distinct = len(weights), np.unique(weights[weights != 0])
        super().__init__(size, np.zeros(1, PARAMETERS)[0])
        self.parameters["classes"] = len(distinct)
        self.parameters["weights"][: len(distinct)] = distinct
        masks = from_mask(weights.ravel() == distinct[:, None], size)
        self.parameters["masks"][: len(distinct), : words_of(size)] = masks
        for name, value in (("mobility", mobility), ("end", end), ("fade", fade), ("last_mover", last_mover)):
            self.parameters[name] = value


def published_weights(name: str, size: int) -> NDArray[np.float64]:
    """Return a published matrix of weights, float64 [size, size].

    If `size` is not 8, a row or column gets the weights for its distance to the nearest edge. A distance
    above 3 counts as 3.
    """
    matrix = np.array(
        json.loads(files("othello_lab.game.evaluators").joinpath("matrices.json").read_text("utf-8"))[name]
    )
    half = [min(distance, len(matrix) // 2 - 1) for distance in range(size // 2)]
    lines = half + [len(matrix) - 1 - distance for distance in reversed(half)]
    return matrix[np.ix_(lines, lines)].astype(np.float64)


def piece_weights(size: int) -> NDArray[np.float64]:
    """Return weights, float64 [size, size]. Corners have 4, other edge squares 2, and inner squares 1."""
    edge = np.ones(size)
    edge[[0, -1]] = 2
    return np.outer(edge, edge)


def end_phase(size: int) -> int:
    """Return the minimum number of discs, 4/5 of the squares, for van Eck's players to only count discs."""
    return -(-4 * size * size // 5)


def mobility(size: int) -> CompiledEvaluator:
    """Return the evaluator of the mobility player of van Eck and van Wezel (2008)."""
    matrix = np.zeros((size, size))
    matrix.flat[list(corners(size))] = 10
    return SquareEvaluator(matrix, mobility=1, end=end_phase(size))


def weighted(spec: Spec, size: int) -> CompiledEvaluator:
    """Make the evaluator of a text such as `weights:swh`. Raises RegistryError for an unknown matrix."""
    name = spec.argument or "swh"
    if name not in PUBLISHED:
        raise RegistryError(f"{spec.name} has no matrix {name!r}; there are: {', '.join(PUBLISHED)}")
    matrix = published_weights(name, size)
    # With `fade`, the largest weight becomes 1. In all published matrices a corner has the largest weight.
    return SquareEvaluator(matrix, fade=matrix.max() if spec.whole("fade", 0, 0, 1) else 0)


POSITIONAL: Entry[Evaluator] = Entry(
    lambda _, size: SquareEvaluator(published_weights("wipeout", size), end=end_phase(size)),
    "van Eck's square weights; near the end, the disc difference",
)
MOBILITY: Entry[Evaluator] = Entry(
    lambda _, size: mobility(size), "corners and mobility; near the end, the disc difference"
)
WEIGHTS: Entry[Evaluator] = Entry(
    weighted,
    "published square weights (swh)",
    "swh|heur|bench",
    {"fade": "1: scale the largest weight to 1, and move all weights to 1 as the board fills (0)"},
)
PIECE_VALUES: Entry[Evaluator] = Entry(
    lambda _, size: SquareEvaluator(piece_weights(size)),
    "the disc difference, with 4 for a corner, 2 for an edge and 1 for others",
)
DISCS: Entry[Evaluator] = Entry(lambda _, size: SquareEvaluator(np.ones((size, size))), "the disc difference")
