"""Fits how well shallow searches predict deep ones: `python -m game.search.fit_probcut EVALUATOR FILE`.

On positions of games that the evaluation plays against itself, a few plies deep, with some random moves; one
position a game. Takes some minutes.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from game.board import Board
from game.evaluators import Evaluator, make_evaluator
from game.evaluators.probcut import FIRST, FITTED, PREDICTION, Predictions, shallow, write
from game.game import Game
from game.search.deepening import DeepeningSearch
from game.search.limits import Limits
from game.solver.solver import empties

GAMES = 400
SEED = 0
_SIZE = 8
_PLIES = 4
_RANDOM_MOVES = 0.1
# No game begins with less, and none of the deep searches ends one with more.
_MOST_EMPTIES, _FEWEST_EMPTIES = 56, FIRST + FITTED + 1
# Results that are nearly certain have no place on a straight line.
_NEARLY_CERTAIN = 0.999
# The mean of log |x| for a normal x of mean 0 and variance 1.
_MEAN_LOG = -0.6352


def fit(evaluator: Evaluator, size: int, games: int, seed: int) -> Predictions:
    """Return the predictions for an evaluation from -1 to 1."""
    boards = list(_positions(evaluator, size, games, seed))
    left = np.array([empties(board) for board in boards], np.float64)
    values = {depth: _values(evaluator, boards, depth) for depth in range(1, FIRST + FITTED)}
    rows = [fit_line(values[shallow(d)], values[d], left) for d in range(FIRST, FIRST + FITTED)]
    return np.array(rows, PREDICTION)


def _positions(evaluator: Evaluator, size: int, games: int, seed: int) -> Iterator[Board]:
    """Yield a position with a choice of moves from each game."""
    search = DeepeningSearch(size, evaluator, Limits(depth=_PLIES, endgame=0, probcut=False))
    rng = np.random.default_rng(seed)
    while games > 0:
        board = _played(search, int(rng.integers(_FEWEST_EMPTIES, _MOST_EMPTIES + 1)), rng)
        if len(board.legal_moves) > 1:
            games -= 1
            yield board


def _played(search: DeepeningSearch, left: int, rng: np.random.Generator) -> Board:
    """Play until this many squares are empty, or the game is over; return the position."""
    game = Game(Board.start(search.size))
    while empties(game.board) > left and not game.board.is_over:
        if game.pass_if_forced():
            continue
        by_chance = empties(game.board) > _MOST_EMPTIES or rng.random() < _RANDOM_MOVES
        moves = list(game.board.legal_moves)
        game.play(int(rng.choice(moves)) if by_chance else search.think(game.board, rng).move)
    return game.board


def _values(evaluator: Evaluator, boards: list[Board], depth: int) -> NDArray[np.float64]:
    search = DeepeningSearch(boards[0].size, evaluator, Limits(depth=depth, endgame=0, probcut=False))
    return np.array([search.think(board, np.random.default_rng(0)).value for board in boards])


def fit_line(
    x: NDArray[np.float64], y: NDArray[np.float64], left: NDArray[np.float64]
) -> tuple[float, float, float, float, float]:
    """Return an item of PREDICTION for deep values y by shallow ones x, where `left` squares are empty.

    Least squares of their area tangents, weighted by the error, which is fitted in turn.
    """
    usable = (np.abs(x) < _NEARLY_CERTAIN) & (np.abs(y) < _NEARLY_CERTAIN)
    x, y, left = np.arctanh(x[usable]), np.arctanh(y[usable]), left[usable]
    terms = np.stack([x, x * left, np.ones_like(x)], 1)
    log_error = np.zeros_like(x)
    for _ in range(5):
        weights = np.exp(-log_error)
        line = np.linalg.lstsq(terms * weights[:, None], y * weights, rcond=None)[0]
        off = np.abs(y - terms @ line)
        each, at_none = np.polyfit(left, np.log(off + 1e-6) - _MEAN_LOG, 1)
        log_error = at_none + each * left
    return line[0], line[1], line[2], at_none, each


if __name__ == "__main__":
    name, file = sys.argv[1:]
    write(Path(file), fit(make_evaluator(name, _SIZE), _SIZE, GAMES, SEED))
