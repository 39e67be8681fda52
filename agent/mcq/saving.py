"""The decisions that Monte-Carlo Q has yet to learn from as arrays of a checkpoint."""

import numpy as np

from agent.checkpoint import Arrays, CheckpointError, Stored, check_arrays
from agent.mcq.samples import Samples

_WAITING = "waiting."
"""What the names of the arrays begin with."""


def waiting_arrays(samples: Samples) -> Arrays:
    """Return decisions as arrays of a checkpoint."""
    return {_WAITING + name: array for name, array in samples._asdict().items()}


def read_waiting(stored: Stored, squares: int) -> tuple[Samples, Arrays]:
    """Return the decisions of a checkpoint and its other arrays; raises CheckpointError."""
    held = {name: array for name, array in stored.arrays.items() if name.startswith(_WAITING)}
    n = len(np.atleast_1d(held.get(_WAITING + "moves", ())))
    shapes = {"boards": ((n, squares), np.int8), "moves": ((n,), np.int64), "targets": ((n,), np.float32)}
    check_arrays(stored.path, held, {_WAITING + name: form for name, form in shapes.items()})
    found = Samples(*(held[_WAITING + name] for name in Samples._fields))
    if not np.isin(found.moves, np.arange(squares)).all():
        raise CheckpointError(f"{stored.path} holds decisions with squares that are not on the board")
    return found, {name: array for name, array in stored.arrays.items() if name not in held}
