"""The catalogue of evaluators: text such as `positional` or `weights:swh,fade=1` in, an evaluator out.

`game/registry.py` has the grammar. Other packages add evaluators through the entry-point group
`othello.evaluators`.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from game.board import corners
from game.evaluators import weights
from game.evaluators.base import Evaluator
from game.evaluators.compiled import CompiledEvaluator
from game.evaluators.squares import SquareEvaluator
from game.registry import Entry, Registry, Spec


def end_phase(size: int) -> int:
    """Return from how many discs on van Eck's players count discs: four fifths of the board, 52 on 8x8."""
    return -(-4 * size * size // 5)


def positional(size: int) -> CompiledEvaluator:
    """Return the evaluation of van Eck and van Wezel's positional player (2008)."""
    return SquareEvaluator(weights.published("wipeout", size), end=end_phase(size))


def mobility(size: int) -> CompiledEvaluator:
    """Return that of their mobility player: 10 a corner, and the share of the moves."""
    matrix = np.zeros((size, size))
    matrix.flat[list(corners(size))] = 10
    return SquareEvaluator(matrix, mobility=1, end=end_phase(size))


def weighted(spec: Spec, size: int) -> CompiledEvaluator:
    """Return the evaluator of `weights:...`; raises RegistryError."""
    matrix = _matrix(spec, size)
    # Fading needs a scale: the largest weight, a corner's in all matrices of the literature, is 1.
    scale = float(np.abs(matrix).max()) or 1.0
    return SquareEvaluator(matrix, fade=scale if spec.flag("fade") else 0)


def _matrix(spec: Spec, size: int) -> NDArray[np.float64]:
    name = spec.argument or "swh"
    return weights.published(name, size) if name in weights.PUBLISHED else weights.load(name, size)


def _weights_file(spec: Spec, size: int) -> tuple[Path, ...]:
    return () if names_published_weights(spec, size) else (Path(spec.argument or ""),)


def names_published_weights(spec: Spec, size: int) -> bool:
    """Tell whether the weights of `weights:...` are of the literature, so that no file is opened."""
    return (spec.argument or "swh") in weights.PUBLISHED


EVALUATORS: Registry[Evaluator] = Registry(
    "evaluator",
    "othello.evaluators",
    {
        "positional": Entry(lambda _, size: positional(size), "van Eck's square weights; discs at the end"),
        "mobility": Entry(lambda _, size: mobility(size), "corners and the share of moves; discs at the end"),
        "weights": Entry(
            weighted,
            "square weights, swh where none are named; FILE has one number a square",
            "swh|heur|bench|FILE",
            {"fade": "1: weights, scaled so that the largest is 1, move to 1 as the board fills (0)"},
            names_published_weights,
            _weights_file,
        ),
        "piece-values": Entry(
            lambda _, size: SquareEvaluator(weights.pieces(size)), "a corner 4, an edge 2, any other 1"
        ),
        "discs": Entry(lambda _, size: SquareEvaluator(np.ones((size, size))), "the difference of discs"),
    },
)


def make_evaluator(text: str, size: int) -> Evaluator:
    """Return the evaluator that a registry text names, for boards of `size`; raise RegistryError."""
    return EVALUATORS.make(text, size)
