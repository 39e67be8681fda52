"""What whole games teach a Q-network: the values that some moves of each decision should have."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agent.afterstates import move_values
from agent.dqn.config import DQNConfig
from agent.selfplay.played import Played
from agent.selfplay.returns import move_returns
from game import symmetry
from game.batch.games import planes
from game.batch.positions import Positions
from game.evaluators import Evaluator, make_evaluator


class Lessons(NamedTuple):
    """Decisions with the values to learn."""

    states: NDArray[np.uint8]
    """The four planes of an observation, 0 and 1, [n, 4, squares]."""
    wanted: NDArray[np.float32]
    """What moves should be worth to the side that decides, [n, squares]; means something where it counts."""
    counted: NDArray[np.bool_]
    """Which moves are learned, [n, squares]."""

    def turned(self, which: NDArray[np.int64], turns: NDArray[np.int64], size: int) -> "Lessons":
        """Return copies of some lessons, each under the symmetry of the board of that number, [n] each."""
        sources = symmetry.inverses(size)[turns]  # [n, squares]
        return Lessons(
            np.take_along_axis(self.states[which], sources[:, None], axis=2),
            np.take_along_axis(self.wanted[which], sources, axis=1),
            np.take_along_axis(self.counted[which], sources, axis=1),
        )


def lessons_of(played: Played, config: DQNConfig, teacher: Evaluator | None) -> Lessons:
    """Return what games that are over teach.

    The move of each decision should be worth its signed lambda-return; with a teacher, every legal move what
    the teacher says of the positions behind it. Near the end every legal move is worth what it leads to.
    """
    positions, size = played.positions, played.positions.size
    states = planes(positions, np.uint8).reshape(len(played), 4, size * size)
    legal = states[:, 2].astype(np.bool_)
    gamma = 1.0 if config.gamma is None else config.gamma
    wanted = np.zeros(legal.shape, np.float32)
    counted = legal if teacher else np.zeros_like(legal)
    if teacher:
        wanted[legal] = gamma * move_values(positions, teacher, config.plies)
    near = np.flatnonzero(size * size - np.count_nonzero(states[:, 0] | states[:, 1], axis=1) <= config.exact)
    if len(near):
        wanted[near] = _ends(positions.take(near), legal[near], config.exact)
        played = _known(played, near, wanted[near].max(axis=1, where=legal[near], initial=-1.0))
    if not teacher:
        counted[near] = legal[near]
        before = np.setdiff1d(np.arange(len(played)), near)
        counted[before, played.moves[before]] = True
        wanted[before, played.moves[before]] = move_returns(played, config.lam, gamma)[before]
    return Lessons(states, wanted, counted)


def _ends(positions: Positions, legal: NDArray[np.bool_], empties: int) -> NDArray[np.float32]:
    """Return what each legal move leads to with best play: 1, 0 or -1, [n, squares].

    `legal` is bool [n, squares], and no position has more empty squares than that.
    """
    wanted = np.zeros(legal.shape, np.float32)
    # So deep, with a pass before every move, all games are over, and nothing is left to be evaluated.
    wanted[legal] = move_values(positions, make_evaluator("positional", positions.size), 2 * empties)
    return wanted


def _known(played: Played, which: NDArray[np.int64], values: NDArray[np.float32]) -> Played:
    """Return games in which the values of some positions are known, so that returns begin there."""
    best, greedy = played.best.copy(), played.greedy.copy()
    best[which], greedy[which] = values, False
    return replace(played, best=best, greedy=greedy)
