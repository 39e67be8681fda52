"""What a learner of position values learns from games that are over: the lambda-return."""

import numpy as np
from numpy.typing import NDArray

from agent.selfplay.played import Played


def lambda_returns(played: Played, lambda_: float, gamma: float = 1.0) -> NDArray[np.float64]:
    """Return the target of each decision's position, float64 [n], for the side that decides.

    G(t) = (1 - lambda) B(t) + lambda d(t) gamma G(t+1), where B is the worth of the best move and d the sign
    of the next decision (Sutton and Barto 2018, equation 12.18, with the backup of the best move). Where
    another move was played G(t) = B(t): what followed tells nothing of the best one (Watkins' cut).
    """
    returns = played.best.copy()
    going_on = np.flatnonzero(played.greedy & (played.following >= 0)) if lambda_ else np.empty(0, np.int64)
    # From the last turn to the first: a game's next decision stands behind.
    following, weight = played.following, lambda_ * gamma * played.discount
    for t in going_on[::-1].tolist():
        returns[t] = (1 - lambda_) * returns[t] + weight[t] * returns[following[t]]
    return returns
