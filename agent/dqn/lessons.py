"""Targets of a Q-network from whole games: the values that some moves of each decision should have."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.policy import move_values
from othello_lab.agent.selfplay.games import GameBatch, known, move_returns
from othello_lab.game import symmetry
from othello_lab.game.batch.games import planes
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators.catalogue import make_evaluator
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.search import batched


class Lessons(NamedTuple):
    """Decisions with the values to learn."""

    states: NDArray[np.uint8]
    """The four planes of an observation, 0 and 1, [n, 4, squares]."""
    wanted: NDArray[np.float32]
    """What moves should be worth to the side that decides, [n, squares]; means something where it counts."""
    weights: NDArray[np.float32]
    """How much each move counts, [n, squares]; 0 for those of which nothing is learned."""

    def turned(self, which: NDArray[np.int64], turns: NDArray[np.int64], size: int) -> "Lessons":
        """Return copies of some lessons, each under the symmetry of the board of that number, [n] each."""
        sources = symmetry.inverses(size)[turns]  # [n, squares]
        return Lessons(
            np.take_along_axis(self.states[which], sources[:, None], axis=2),
            np.take_along_axis(self.wanted[which], sources, axis=1),
            np.take_along_axis(self.weights[which], sources, axis=1),
        )


def lessons_of(played: GameBatch, config: DQNConfig, teacher: Evaluator | None) -> Lessons:
    """Return what games that are over teach.

    The move of each decision should be worth its signed lambda-return; with a teacher, every legal move what
    the teacher says of the positions behind it, all together counting as much as one. Near the end every
    legal move is worth what it leads to, and with few discs one that loses at once is lost, whether or not
    the other side saw it.
    """
    positions, squares = played.positions, played.positions.size**2
    states = planes(positions, np.uint8).reshape(len(played), 4, squares)
    legal = states[:, 2].astype(np.bool_)
    empties = squares - np.count_nonzero(states[:, 0] | states[:, 1], axis=1)
    near = np.flatnonzero(empties <= config.exact)
    ends = _ends(positions.take(near), legal[near], config.exact)
    if teacher:
        wanted, weights = _taught(positions, legal, teacher, config)
    else:
        played = known(played, near, ends.max(axis=1, where=legal[near], initial=-1.0))
        wanted, weights = _returned(played, legal, config)
        weights[near] = legal[near]
    wanted[near] = ends
    few = np.flatnonzero(np.count_nonzero(states[:, 0], axis=1) <= config.sudden)
    lost = _lost_at_once(positions.take(few), legal[few])
    wanted[few], weights[few] = np.where(lost, -1.0, wanted[few]), np.where(lost, 1.0, weights[few])
    return Lessons(states, wanted, weights)


def _taught(
    positions: Positions, legal: NDArray[np.bool_], teacher: Evaluator, config: DQNConfig
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return what moves should be worth, and how much they count: those of a decision one together."""
    wanted = np.zeros(legal.shape, np.float32)
    wanted[legal] = _gamma(config) * move_values(positions, teacher, config.plies)
    return wanted, (legal / np.count_nonzero(legal, axis=1, keepdims=True)).astype(np.float32)


def _returned(
    played: GameBatch, legal: NDArray[np.bool_], config: DQNConfig
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the same by lambda-returns: only the move that was played counts."""
    wanted, weights = np.zeros(legal.shape, np.float32), np.zeros(legal.shape, np.float32)
    decisions = np.arange(len(played))
    wanted[decisions, played.moves] = move_returns(played, config.lam, _gamma(config))
    weights[decisions, played.moves] = 1.0
    return wanted, weights


def _gamma(config: DQNConfig) -> float:
    return 1.0 if config.gamma is None else config.gamma


def _ends(positions: Positions, legal: NDArray[np.bool_], empties: int) -> NDArray[np.float32]:
    """Return what each legal move leads to with best play: 1, 0 or -1, [n, squares].

    `legal` is bool [n, squares], and no position has more empty squares than that.
    """
    wanted = np.zeros(legal.shape, np.float32)
    # So deep, with a pass before every move, all games are over, and nothing is left to be evaluated.
    wanted[legal] = move_values(positions, make_evaluator("positional", positions.size), 2 * empties)
    return wanted


def _lost_at_once(positions: Positions, legal: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the legal moves after which the other side has a move that wins at once, bool [n, squares].

    Whoever keeps few discs to have many moves, as good play does, is one careless move from losing them all,
    and only some opponents see it: of what was played, returns alone teach it too rarely.
    """
    replies, _ = batched.values(batched.children(positions), 1, _Unknown())
    lost = np.zeros_like(legal)
    lost[legal] = replies > 0
    return lost


class _Unknown(Evaluator):
    """Knows of no position how good it is: only results are left."""

    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return 0 for each."""
        return np.zeros(len(positions))
