"""Inputs of a value network: the discs after a move, as the side that has just moved sees them."""

import numpy as np
from numpy.typing import NDArray

from agent.memory.frames import Frame
from game.batch.games import from_mask, to_mask
from game.batch.positions import Positions

Inputs = NDArray[np.float32]
"""Own and the other side's discs as 0 and 1, float32 [n, 2 * squares]."""


def seen_by_mover(positions: Positions) -> Inputs:
    """Return positions, each seen by the side that is not to move."""
    discs = np.concatenate([positions.opponent, positions.own], axis=1)  # [n, 2 * words]
    words = positions.own.shape[1]
    planes = to_mask(discs.reshape(-1, words), positions.size)  # [n * 2, squares]
    return planes.reshape(len(positions), -1).astype(np.float32)


def position_of(frame: Frame, size: int) -> Positions:
    """Return the position of a packed observation, for its side to move."""
    squares = size * size
    own, opponent = from_mask(np.unpackbits(frame, count=2 * squares).reshape(2, squares), size)
    return Positions(size, own[None], opponent[None])
