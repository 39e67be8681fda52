"""Played games made by hand."""

import numpy as np

from othello_lab.agent.selfplay.played import Played
from othello_lab.game.batch.positions import Positions


def played(best: list[float], greedy: list[bool], discount: list[int]) -> Played:
    n = len(best)
    zeros = np.zeros((n, 1), np.uint64)
    following = [t + 1 if t + 1 < n else -1 for t in range(n)]
    return Played(
        Positions(4, zeros, zeros),
        np.zeros(n, np.int64),
        np.array(following),
        np.array(discount, np.int8),
        np.zeros(n, np.int8),
        np.zeros(n, np.int16),
        np.array(best),
        np.array(greedy),
    )
