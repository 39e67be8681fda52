"""The decisions that a PPO learner has not learned from yet, and their advantages."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.checkpoint import CheckpointError, Stored
from othello_lab.agent.selfplay.played import Decisions, look_back
from othello_lab.game.batch.games import legal_moves, to_mask
from othello_lab.game.batch.positions import Positions
from othello_lab.game.kernels.words import words_of


class Experience(NamedTuple):
    """Decisions of whole games, [n]. What the other side does is a part of the world: a side's decision leads
    to its own next one, or to the end.
    """

    own: NDArray[np.uint64]
    """The discs of the side that decides, [n, words]."""
    opponent: NDArray[np.uint64]
    moves: NDArray[np.int64]
    """The square that was played."""
    ahead: NDArray[np.int64]
    """How many rows further down the side's next decision stands; 0 at its last one."""
    results: NDArray[np.int8]
    """How the game ended for the side: 1 won, 0 drawn, -1 lost."""


def none(size: int) -> Experience:
    """Return no decisions on boards of a size."""
    words, numbers = np.empty((0, words_of(size)), np.uint64), np.empty(0, np.int64)
    return Experience(words, words, numbers, numbers, np.empty(0, np.int8))


def experience_of(games: Decisions, own: NDArray[np.bool_]) -> Experience:
    """Return those decisions of games that are the learner's own, bool [n]: all of a side or none."""
    rows, following = np.cumsum(own) - 1, own_following(games)
    ahead = np.where(following < 0, 0, rows[following] - rows)
    positions = games.positions
    sides = positions.own[own], positions.opponent[own]
    return Experience(*sides, games.moves[own], ahead[own], games.results[own])


def own_following(games: Decisions) -> NDArray[np.int64]:
    """Return the number of the same side's next decision, -1 where there is none, [n]."""
    following, whose = games.following.copy(), games.discount.copy()
    while len(theirs := np.flatnonzero(whose < 0)):  # as often as the other side decides in a row
        passed = following[theirs]
        following[theirs], whose[theirs] = games.following[passed], -games.discount[passed]
    return following


def advantages(
    values: NDArray[np.float64], experience: Experience, gamma: float, lam: float
) -> NDArray[np.float64]:
    """Return how much better than the value each decision turned out, [n], by values that are [n].

    Generalised advantage estimation (Schulman et al. 2016, equation 16), where the only reward is the result:

        A(t) = delta(t) + gamma lambda A(t+1)     delta(t) = gamma V(t+1) - V(t), at the end result - V(t)
    """
    n, ahead = len(values), experience.ahead
    following = np.where(ahead == 0, -1, np.arange(n) + ahead)
    found = np.where(following < 0, experience.results, gamma * values[following]) - values
    look_back(found, np.ones(n, np.bool_), following, np.full(n, gamma * lam), 1.0)
    return found


def check_experience(stored: Stored, experience: Experience, size: int) -> None:
    """Raise CheckpointError for decisions that cannot be."""
    own, opponent, moves, ahead, results = experience
    n, rows = len(moves), np.arange(len(moves))
    on_board = ((moves >= 0) & (moves < size * size)).all() and not (own & opponent).any()
    linked = ((ahead >= 0) & (ahead < n - rows)).all() and np.isin(results, (-1, 0, 1)).all()
    if on_board and linked:
        legal = to_mask(legal_moves(Positions(size, own, opponent)), size)
        if legal[rows, moves].all():
            return
    raise CheckpointError(f"{stored.path} holds decisions that are those of no game")
