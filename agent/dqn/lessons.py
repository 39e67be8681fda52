"""What whole games teach a Q-network: the values that some moves of each decision should have."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agent.afterstates import move_values
from agent.dqn.config import DQNConfig
from agent.selfplay.played import Played
from agent.selfplay.returns import move_returns
from game import symmetry
from game.batch.games import legal_moves, planes, to_mask
from game.evaluators import Evaluator


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
    the teacher says of the positions behind it.
    """
    positions, size = played.positions, played.positions.size
    states = planes(positions, np.uint8).reshape(len(played), 4, size * size)
    gamma = 1.0 if config.gamma is None else config.gamma
    wanted = np.zeros((len(played), size * size), np.float32)
    if teacher:
        counted = to_mask(legal_moves(positions), size)
        wanted[counted] = gamma * move_values(positions, teacher, config.plies)
    else:
        counted = np.zeros(wanted.shape, np.bool_)
        counted[np.arange(len(played)), played.moves] = True
        wanted[counted] = move_returns(played, config.lam, gamma)
    return Lessons(states, wanted, counted)
