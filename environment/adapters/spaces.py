"""Planes, actions and masks of a game as Gymnasium and PettingZoo see them.

Squares are actions 0 to N*N - 1, row by row from a1; N*N is the pass, legal only where no square is.
"""

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from game.notation import PASS
from rlglue.types import Action, Observation

Planes = NDArray[np.int8]
"""The four planes of `game.observation`, [4, N, N], of many games [games, 4, N, N]."""
Mask = NDArray[np.int8]
"""1 for each legal action, [N*N + 1], of many games [games, N*N + 1]. At every end it is the pass alone."""


def observation_space(size: int) -> spaces.MultiBinary:
    """Return the space of the planes."""
    return spaces.MultiBinary((4, size, size))


def action_space(size: int) -> spaces.Discrete:
    """Return the space of the squares and the pass."""
    return spaces.Discrete(size * size + 1)


def planes_of(seen: Observation, size: int) -> Planes:
    """Return an observation of RL-Glue as planes."""
    return np.array(seen.intArray, np.int8).reshape(4, size, size)


def mask_of(legal: NDArray[np.int8 | np.bool_], open_: NDArray[np.bool_] | np.bool_) -> Mask:
    """Return which actions are legal: `legal` [..., N*N] squares where `open_` [...], elsewhere the pass.

    It is open where there is such a square and the game goes on: an illegal action ends one that has some.
    """
    mask = np.empty((*legal.shape[:-1], legal.shape[-1] + 1), np.int8)
    mask[..., :-1] = legal & np.expand_dims(open_, -1)
    mask[..., -1] = ~open_
    return mask


def rl_glue_action(action: int, size: int) -> Action:
    """Return an action of these spaces as RL-Glue has it: a square, or -1 for the pass."""
    sent = Action()
    sent.intArray = [PASS if action == size * size else action]
    return sent
