"""Lambda-returns of finished games, for positions and for moves."""

import numpy as np
from numpy.typing import NDArray

from agent.selfplay.played import Played
from game.kernels.jit import compiled


def lambda_returns(played: Played, lambda_: float, gamma: float = 1.0) -> NDArray[np.float64]:
    """Return the target of each decision's position, float64 [n], for the side that decides.

    G(t) = (1 - lambda) B(t) + lambda d(t) gamma G(t+1), where B is the worth of the best move and d the sign
    of the next decision (Sutton and Barto 2018, equation 12.18, with the backup of the best move). Where
    another move was played G(t) = B(t): what followed tells nothing of the best one (Watkins' cut).
    """
    returns = played.best.copy()
    if lambda_:
        weights = lambda_ * gamma * played.discount.astype(np.float64)
        _look_back(returns, played.greedy, played.following, weights, 1.0 - lambda_)
    return returns


def move_returns(played: Played, lambda_: float, gamma: float = 1.0) -> NDArray[np.float64]:
    """Return the target of each decision's move, float64 [n], for the side that decides.

    The signed and discounted lambda-return of the next decision; the result after a game's last one.
    """
    ahead = gamma * played.discount * lambda_returns(played, lambda_, gamma)[played.following]
    return np.where(played.following < 0, played.results, ahead)


@compiled
def _look_back(
    returns: NDArray[np.float64],
    greedy: NDArray[np.bool_],
    following: NDArray[np.int64],
    weights: NDArray[np.float64],
    best: float,
) -> None:
    """Turn best values into returns, the last turn first: a game's next decision stands behind."""
    for t in range(len(returns) - 1, -1, -1):
        if greedy[t] and following[t] >= 0:
            returns[t] = best * returns[t] + weights[t] * returns[following[t]]
