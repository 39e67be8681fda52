"""The learner's part of a tabular checkpoint, and how it is checked."""

from dataclasses import fields

import msgspec
import numpy as np

from agent.checkpoint import Arrays, CheckpointError, Stored, check_arrays
from agent.saving import Count, config_of
from agent.tabular.config import TabularConfig
from agent.tabular.table import SIZE, SQUARES, Entry

_KEYS = "keys"
_TYPES = {"values": np.float64, "tries": np.uint32, "least": np.uint32}
"""The parts of an entry."""


class Progress(msgspec.Struct):
    """The values of a checkpoint that holds all that a resume needs."""

    updates: Count
    loss: float


def arrays_of(entries: dict[int, Entry]) -> Arrays:
    """Return the keys in ascending order, uint32 [states], and every part by square, [states, squares]."""
    keys = sorted(entries)
    parts = {name: [getattr(entries[key], name) for key in keys] for name in _TYPES}
    arrays = {name: np.array(part, _TYPES[name]).reshape(-1, SQUARES) for name, part in parts.items()}
    return {_KEYS: np.array(keys, np.uint32), **arrays}


def entries_of(stored: Stored) -> dict[int, Entry]:
    """Return the entries that `arrays_of` has made arrays of, after `read_config`."""
    parts = (stored.arrays[field.name].copy() for field in fields(Entry))
    rows = zip(*parts, strict=True)
    return {key: Entry(*row) for key, row in zip(stored.arrays[_KEYS].tolist(), rows, strict=True)}


def read_config(stored: Stored, size: int) -> TabularConfig:
    """Return the configuration of a checkpoint for boards of `size`, with a table that fits it.

    Raises CheckpointError.
    """
    found = config_of(stored, size, TabularConfig)
    if size != SIZE:
        raise CheckpointError(f"{stored.path} is for {size}x{size} boards, a table for {SIZE}x{SIZE} alone")
    _check_table(stored)
    return found


def _check_table(stored: Stored) -> None:
    states = len(stored.arrays.get(_KEYS, ()))
    parts = {name: ((states, SQUARES), kind) for name, kind in _TYPES.items()}
    check_arrays(stored.path, stored.arrays, {_KEYS: ((states,), np.uint32), **parts})
    if not (np.diff(stored.arrays[_KEYS].astype(np.int64)) > 0).all():
        raise CheckpointError(f"{stored.path} has states that are not in ascending order")
