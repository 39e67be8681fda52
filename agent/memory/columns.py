"""Columns: named tuples of arrays with a row for each decision, joined, and as arrays of a checkpoint."""

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from othello_lab.agent.checkpoint import Arrays, Stored, check_arrays

Columns = TypeVar("Columns", bound=tuple[Any, ...])
"""A NamedTuple of arrays [n, ...]."""
_PREFIX = "memory."
"""What the names of the arrays begin with in a checkpoint, unless told otherwise."""


def joined(parts: Sequence[Columns]) -> Columns:
    """Return the rows of all parts, at least one, in order."""
    return type(parts[0])(*map(np.concatenate, zip(*parts, strict=True)))


def to_arrays(columns: Columns, prefix: str = _PREFIX) -> Arrays:
    """Return columns as arrays of a checkpoint."""
    return {prefix + name: array for name, array in _by_name(columns).items()}


def from_arrays(stored: Stored, like: Columns, prefix: str = _PREFIX) -> tuple[Columns, Arrays]:
    """Return the columns of a checkpoint, which has others too, and the others; raises CheckpointError.

    They have any number of rows, and else the form of `like`.
    """
    held = {name: array for name, array in stored.arrays.items() if name.startswith(prefix)}
    wanted = to_arrays(like, prefix)
    n = min((len(np.atleast_1d(held[name])) for name in wanted if name in held), default=0)
    check_arrays(stored.path, held, {name: ((n, *a.shape[1:]), a.dtype) for name, a in wanted.items()})
    rest = {name: array for name, array in stored.arrays.items() if name not in held}
    return type(like)(*(held[name] for name in wanted)), rest


def _by_name(columns: Any) -> Arrays:  # noqa: ANN401  a NamedTuple, for which there is no type
    found: Arrays = columns._asdict()
    return found
