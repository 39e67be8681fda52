"""The error of the evaluation that ships, without a search, by the number of empty squares.

    python -m scripts.stage_errors             # 200 positions a stage: some minutes of a core

Where the solver answers soon, the exact result is the truth; before, what a search 12 plies deep says.
Positions are those of `disc_estimate`.
"""

import argparse
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.positions import Positions
from othello_lab.game.board import Board
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.evaluators.evaluator import EXPECTED_RESULT
from othello_lab.game.players.base import expected_discs
from othello_lab.game.players.deepening import SHIPPED
from othello_lab.game.search.deepening import DeepeningSearch
from othello_lab.game.search.limits import Limits
from othello_lab.game.solver.solver import Solver, empties
from scripts.disc_estimate import positions

_SIZE: Final = 8
_STAGES: Final = ((10, 14), (15, 19), (20, 22), (23, 29), (30, 39), (40, 54))
_SOLVED: Final = 22
"""From this many empty squares on the solver is asked."""
_DEPTH: Final = 12


class Worth(NamedTuple):
    """What a position is worth to its side to move."""

    result: float
    """From -1 to 1."""
    discs: float


class Truth:
    """The solver near the end, a deep search before."""

    def __init__(self) -> None:
        evaluator = make_evaluator(SHIPPED, _SIZE)
        self._search = DeepeningSearch(_SIZE, evaluator, Limits(depth=_DEPTH, endgame=0))
        self._solver = Solver(_SIZE, evaluator=evaluator)

    def of(self, board: Board) -> Worth:
        """Return what a position is worth."""
        if empties(board) <= _SOLVED:
            discs = self._solver.value(board)
            return Worth(float(np.sign(discs)), discs)
        found = self._search.think(board, np.random.default_rng(0))
        return estimated(found.value, board)


def estimated(result: float, board: Board) -> Worth:
    """Return an expected result with the discs that it stands for."""
    return Worth(result, expected_discs(result, EXPECTED_RESULT, board))


def errors(boards: Sequence[Board], truth: Truth) -> NDArray[np.float64]:
    """Return how far the evaluation is from the truth, in results and in discs, [positions, 2]."""
    values = make_evaluator(SHIPPED, _SIZE).values(Positions.of(boards))
    said = [estimated(float(value), board) for value, board in zip(values, boards, strict=True)]
    return np.subtract(said, [truth.of(board) for board in boards], dtype=np.float64)


def row(first: int, last: int, found: NDArray[np.float64]) -> str:
    """Return the errors of a stage as a line; +- is two standard errors."""
    discs, squares = np.abs(found[:, 1]), np.square(found[:, 0])
    root = np.sqrt(squares.mean())
    off = 2 / np.sqrt(len(found))
    return (
        f"{first} to {last} empty squares, {len(found)} positions: "
        f"{discs.mean():.2f} ± {off * discs.std():.2f} discs, "
        f"rms of the result {root:.3f} ± {off * squares.std() / (2 * root):.3f}"
    )


def main() -> None:
    """Print a line for each stage."""
    parser = argparse.ArgumentParser("stage_errors", description="How far is the evaluation off?")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    chosen, truth = parser.parse_args(), Truth()
    for first, last in _STAGES:
        boards = list(positions(chosen.positions, chosen.seed, first, last))
        print(row(first, last, errors(boards, truth)), flush=True)


if __name__ == "__main__":
    main()
