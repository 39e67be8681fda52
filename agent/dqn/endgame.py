"""The end of a game, solved: a move that surely wins goes before all others."""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.games import legal_moves
from othello_lab.game.batch.positions import Positions, count_squares
from othello_lab.game.board import Board

if TYPE_CHECKING:
    from othello_lab.game.solver.solver import Solver

WIN = 1.0
"""What a certain win is worth, and more than any other move is."""
_LESS = float(np.nextafter(WIN, 0.0))


class Endgame:
    """Puts a move that wins, whatever the other side does, before all others.

    Half of the games that a network loses after some thousand games of training were won with ten empty
    squares: those few decide who has more discs.
    """

    def __init__(self, size: int, empties: int) -> None:
        """From so many empty squares on; 0 is never."""
        self._least = size * size - empties if empties else size * size + 1
        self._size = size

    @cached_property
    def _solver(self) -> "Solver":
        from othello_lab.game.solver.solver import (
            Solver,  # here: it loads slowly, and not every game comes so far
        )

        return Solver(self._size, hash_mib=1)

    def judged(self, positions: Positions, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return values of moves, float64 [moves], in which a certain win is the highest of its position.

        values: those of the legal moves of the first position, then those of the second, and so on. Of
        several such moves the one of the highest value is taken; without one, values stay as they are.
        """
        near = np.flatnonzero(positions.discs() >= self._least)
        if not len(near):
            return values
        ends = np.cumsum(count_squares(legal_moves(positions), positions.size))
        judged = values.copy()
        for index in near.tolist():
            board = positions.board(index)
            own = judged[ends[index] - len(board.legal_moves) : ends[index]]
            if (place := self._winning(board, own)) is not None:
                np.minimum(own, _LESS, out=own)
                own[place] = WIN
        return judged

    def _winning(self, board: Board, values: NDArray[np.float64]) -> int | None:
        """Return the place of the move of the highest value that wins for certain; None if there is none."""
        solver, moves = self._solver, board.legal_moves
        if not moves or solver.bound(board, 1) < 1:
            return None
        best_first = (int(place) for place in np.argsort(-values, kind="stable"))
        return next(place for place in best_first if solver.bound(board.play(moves[place]), 0) < 0)
