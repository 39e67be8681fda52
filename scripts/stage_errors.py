"""The error of an evaluation, without a search, by the number of empty squares.

    python -m scripts.stage_errors             # 200 positions a stage: some minutes of a core
    python -m scripts.stage_errors --eval ntuple:pretrained

Where the solver answers soon, the exact result is the truth; before, what a search 12 plies deep says, with
the evaluation that ships for searches.
Positions are those of `disc_estimate`.
"""

import argparse
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.positions import Positions
from othello_lab.game.board import Board
from othello_lab.game.evaluators import Evaluator, make_evaluator
from othello_lab.game.players.base import expected_discs
from othello_lab.game.players.deepening import best_evaluator
from othello_lab.game.search.deepening import DeepeningSearch
from othello_lab.game.search.limits import Limits
from othello_lab.game.solver.solver import Solver, empties
from scripts.disc_estimate import positions

_SIZE: Final = 8
_STAGES: Final = ((10, 14), (15, 19), (20, 22), (23, 29), (30, 39), (40, 54))
_SOLVED: Final = 22
"""From this many empty squares on the solver is asked."""
_DEPTH: Final = 12


class Truth:
    """The solver near the end, a deep search before."""

    def __init__(self) -> None:
        self._evaluator = make_evaluator(best_evaluator(_SIZE), _SIZE)
        self._search = DeepeningSearch(_SIZE, self._evaluator, Limits(depth=_DEPTH, endgame=0))
        self._solver = Solver(_SIZE, evaluator=self._evaluator)

    def of(self, board: Board) -> float:
        """Return what a position is worth to its side to move, in discs."""
        if empties(board) <= _SOLVED:
            return self._solver.value(board)
        found = self._search.think(board, np.random.default_rng(0))
        return expected_discs(found.value, self._evaluator.unit, board)


def errors(boards: Sequence[Board], evaluator: Evaluator, truth: Truth) -> NDArray[np.float64]:
    """Return by how many discs the evaluation is off, [positions]."""
    values = evaluator.values(Positions.of(boards))
    said = [
        expected_discs(float(value), evaluator.unit, board)
        for value, board in zip(values, boards, strict=True)
    ]
    return np.abs(np.subtract(said, [truth.of(board) for board in boards], dtype=np.float64))


def row(first: int, last: int, off: NDArray[np.float64]) -> str:
    """Return the errors of a stage as a line; ± is two standard errors."""
    spread = 2 * off.std() / np.sqrt(len(off))
    return f"{first} to {last} empty squares, {len(off)} positions: {off.mean():.2f} ± {spread:.2f} discs"


def main() -> None:
    """Print a line for each stage."""
    parser = argparse.ArgumentParser("stage_errors", description="How far is the evaluation off?")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--eval", default=best_evaluator(_SIZE))
    chosen = parser.parse_args()
    evaluator, truth = make_evaluator(chosen.eval, _SIZE), Truth()
    for first, last in _STAGES:
        boards = list(positions(chosen.positions, chosen.seed, first, last))
        print(row(first, last, errors(boards, evaluator, truth)), flush=True)


if __name__ == "__main__":
    main()
