"""A table as arrays of a checkpoint."""

from dataclasses import fields
from pathlib import Path

import numpy as np

from agent.checkpoint import Arrays, CheckpointError, Forms
from agent.tabular.config import SIZE
from agent.tabular.table import SQUARES, Entry

_KEYS = "keys"
_TYPES = {"values": np.float64, "tries": np.uint32, "least": np.uint32}
"""The parts of an entry."""


def arrays_of(entries: dict[int, Entry]) -> Arrays:
    """Return the keys in ascending order, uint32 [states], and every part by square, [states, squares]."""
    keys = sorted(entries)
    parts = {name: [getattr(entries[key], name) for key in keys] for name in _TYPES}
    arrays = {name: np.array(part, _TYPES[name]).reshape(-1, SQUARES) for name, part in parts.items()}
    return {_KEYS: np.array(keys, np.uint32), **arrays}


def forms_of(arrays: Arrays, size: int) -> Forms:
    """Return what the arrays of a table must be that has as many states as these.

    Raises ValueError for boards of a size that there are no tables for.
    """
    if size != SIZE:
        raise ValueError(f"it is for {size}x{size} boards, a table for {SIZE}x{SIZE} alone")
    states = len(arrays.get(_KEYS, ()))
    parts = {name: ((states, SQUARES), kind) for name, kind in _TYPES.items()}
    return {_KEYS: ((states,), np.uint32), **parts}


def entries_of(path: Path, arrays: Arrays) -> dict[int, Entry]:
    """Return the entries that `arrays_of` made arrays of; raises CheckpointError for keys out of order."""
    keys = arrays[_KEYS]
    if not (np.diff(keys.astype(np.int64)) > 0).all():
        raise CheckpointError(f"{path} has states that are not in ascending order")
    rows = zip(*(arrays[field.name].copy() for field in fields(Entry)), strict=True)
    return {key: Entry(*row) for key, row in zip(keys.tolist(), rows, strict=True)}
