"""Descent for the n-tuple network: moves found by a search to the end, which is learned from as a whole."""

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.selfplay.played import Choices, Lesson
from othello_lab.game.batch.games import count_squares, legal_moves, to_mask
from othello_lab.game.evaluators.evaluator import PatternEvaluator
from othello_lab.game.kernels.choices import ASIDE
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.play.loop import Turn
from othello_lab.game.play.luck import Words, draws
from othello_lab.game.search.descent import Trees


class Descents:
    """Plays the best move by the tree of each game, or explores; see `agent.selfplay.play.Deciding`."""

    def __init__(self, trees: Trees, evaluator: PatternEvaluator, epsilon: float) -> None:
        """`epsilon` is that of `ordinal`."""
        self._trees, self._evaluator, self._epsilon = trees, evaluator, epsilon

    def decide(self, turn: Turn, luck: Words) -> Choices:
        """Return moves, and what they are worth."""
        positions = turn.positions
        values, moves = self._trees.search(turn.games, positions, self._evaluator), legal_moves(positions)
        squares = np.nonzero(to_mask(moves, positions.size))[1]
        choices = count_squares(moves, positions.size)
        best, chosen = np.empty(len(positions), np.int64), np.empty(len(positions), np.int64)
        ordinal(values, choices, np.zeros(len(positions)), 0.0, best)
        ordinal(values, choices, draws(luck, positions, ASIDE), self._epsilon, chosen)
        return Choices(squares[chosen], values[best].clip(-1, 1), chosen == best)

    def lesson(self) -> Lesson:
        """Return all states of the trees, with their values."""
        return Lesson(*self._trees.taken())


@compiled
def ordinal(
    values: NDArray[np.float64],
    choices: NDArray[np.int64],
    draws: NDArray[np.float64],
    epsilon: float,
    chosen: NDArray[np.int64],
) -> None:
    """Write the place of the move that is chosen in each position, by its draw from 0 to 1.

    `values` are those of all moves, the first position's `choices` first. The best move is taken with the
    probability 1 - epsilon + epsilon / n, where n moves are left; else the next best likewise, and so on
    (Cohen-Solal 2020, "ordinal distribution").
    """
    first = 0
    for i in range(len(choices)):
        order = np.argsort(-values[first : first + choices[i]], kind="mergesort")  # the first of equals first
        draw, rank = draws[i], 0
        while rank < choices[i] - 1:
            taken = 1.0 - epsilon + epsilon / (choices[i] - rank)
            if draw < taken:
                break
            draw, rank = (draw - taken) / (1.0 - taken), rank + 1
        chosen[i] = first + order[rank]
        first += choices[i]
