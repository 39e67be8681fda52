"""Descent: moves found by searches to the end of games, whose states are all learned from."""

from functools import partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.policy import move_values
from othello_lab.agent.selfplay.play import Deciding, by_values
from othello_lab.agent.selfplay.played import Choices, Lesson
from othello_lab.game.batch.games import legal_moves, to_mask
from othello_lab.game.batch.positions import Positions, count_squares
from othello_lab.game.evaluators import Evaluator
from othello_lab.game.kernels.choices import ASIDE
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.play.loop import Turn
from othello_lab.game.play.luck import Words, draws
from othello_lab.game.search.descent import Trees


class Options(Protocol):
    """The options of a learner that has descents."""

    @property
    def descents(self) -> int:
        """How many there are before each move."""

    @property
    def end(self) -> str:
        """What the end of a game is worth to them: `result` or `score`."""


def deciding(options: Options, size: int, evaluator: Evaluator, games: int, epsilon: float) -> Deciding:
    """Return how some games are played side by side: by descents if there are any, else one ply ahead."""
    if not options.descents:
        return Deciding(by_values(partial(move_values, evaluator=evaluator), epsilon))
    descents = Descents(trees_of(options, size, games), evaluator, epsilon)
    return Deciding(descents.decide, descents.lesson)


def trees_of(options: Options, size: int, games: int) -> Trees:
    """Return the trees of some games that are played side by side."""
    return Trees(size, games, options.descents, by_discs=options.end == "score", to_the_end=True)


class Descents:
    """Plays the best move by the tree of each game, or explores; see `agent.selfplay.play.Deciding`."""

    def __init__(self, trees: Trees, evaluator: Evaluator, epsilon: float) -> None:
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


class OneGame:
    """The tree of a game that is played by itself, as over RL-Glue."""

    def __init__(self, options: Options, size: int) -> None:
        self._trees = trees_of(options, size, 1)

    def best(self, position: Positions, evaluator: Evaluator) -> int:
        """Return the place of the best move among the legal ones, the first of equals."""
        return int(self._trees.search(np.zeros(1, np.int64), position, evaluator).argmax())

    def lesson(self) -> Lesson:
        """Return all states of the tree, with their values, and forget it."""
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
