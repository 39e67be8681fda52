"""Matrices of square weights: those of the literature, for any size, and those of a user's file.

`matrices.json` has them for 8x8, rows from the top: `wipeout`, of the positional player (van Eck and van
Wezel 2008); `swh`, times 100, the heuristic of Yoshioka, Ishii and Ito (1999) and of many papers since;
`heur` and `bench` (van der Ree and Wiering 2013).
"""

import json
import math
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from game.evaluators.compiled import LARGEST_WEIGHT
from game.registry import RegistryError

PUBLISHED = ("swh", "heur", "bench")


def published(name: str, size: int) -> NDArray[np.float64]:
    """Return a matrix of the literature, float64 [size, size].

    On other sizes than 8x8 each row and column takes the weights of the row or column of 8x8 that is as far
    from its nearest edge, on the same side; one farther than 3 from both edges takes those of distance 3.
    """
    matrix = np.array(json.loads(files("game.evaluators").joinpath("matrices.json").read_text("utf-8"))[name])
    half = [min(distance, len(matrix) // 2 - 1) for distance in range(size // 2)]
    lines = half + [len(matrix) - 1 - distance for distance in reversed(half)]
    return matrix[np.ix_(lines, lines)].astype(np.float64)


def pieces(size: int) -> NDArray[np.float64]:
    """Return 4 for corners, 2 for edges, 1 for squares inside, float64 [size, size]."""
    edge = np.ones(size)
    edge[[0, -1]] = 2
    return np.outer(edge, edge)


def load(path: str, size: int) -> NDArray[np.float64]:
    """Read size * size numbers, row by row from a1, from a file of JSON or of plain text.

    Raises RegistryError for a file that cannot be read, or has something else or another count of numbers.
    """
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        known = ", ".join(PUBLISHED)
        raise RegistryError(f"weights: cannot read {path!r}: {why}; say a file or one of {known}") from None
    # Brackets and commas are what a JSON list adds to the numbers.
    numbers = [_weight(word, path) for word in text.translate(dict.fromkeys(map(ord, "[],"), " ")).split()]
    if len(numbers) != size * size:
        raise RegistryError(
            f"weights: {path!r} has {len(numbers)} numbers, a board of {size}x{size} takes {size * size}"
        )
    return np.array(numbers).reshape(size, size)


def _weight(word: str, path: str) -> float:
    try:
        weight = float(word)
    except ValueError:
        weight = math.nan
    if not abs(weight) <= LARGEST_WEIGHT:
        raise RegistryError(
            f"weights: {word!r} in {path!r} is no number from -{LARGEST_WEIGHT:.0f} to {LARGEST_WEIGHT:.0f}"
        )
    return weight
