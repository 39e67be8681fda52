"""The end of a game, solved: a move that surely wins goes before all others."""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.board import Board

if TYPE_CHECKING:
    from othello_lab.game.batch.positions import Positions
    from othello_lab.game.solver.solver import Solver

WIN = 1.0
"""The value of a certain win, above all others."""
_LESS = float(np.nextafter(WIN, 0.0))


class Endgame:
    """Puts a move that wins, whatever the other side does, before all others.

    Half of the games that a network loses after some thousand games of training were won with ten empty
    squares: those few decide who has more discs.
    """

    def __init__(self, size: int, empties: int) -> None:
        """From so many empty squares on; 0 is never."""
        self._size, self._empties = size, empties

    @cached_property
    def _solver(self) -> "Solver":
        from othello_lab.game.solver.solver import Solver  # here: it loads slowly

        return Solver(self._size, hash_mib=1)

    def judged(self, board: Board, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return values of the legal moves, float64 [moves], in which a certain win is the highest.

        Of several such moves the one of the highest value is taken; without one, values stay as they are.
        """
        if board.empties > self._empties or not self._empties:
            return values
        place = self._winning(board, values)
        if place is None:
            return values
        judged = np.minimum(values, _LESS)
        judged[place] = WIN
        return judged

    def judged_many(self, positions: "Positions", values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Do the same for many positions: the values of the first one's legal moves, then the second's."""
        if not self._empties:
            return values
        near = np.flatnonzero(positions.discs() >= self._size**2 - self._empties).tolist()
        if not near:
            return values
        from othello_lab.game.batch.games import legal_moves
        from othello_lab.game.batch.positions import count_squares

        ends = np.cumsum(count_squares(legal_moves(positions), positions.size))
        judged = values.copy()
        for index in near:
            board = positions.board(index)
            moves = slice(ends[index] - len(board.legal_moves), ends[index])
            judged[moves] = self.judged(board, judged[moves])
        return judged

    def _winning(self, board: Board, values: NDArray[np.float64]) -> int | None:
        """Return the place of the move of the highest value that wins for certain; None if there is none."""
        solver, moves = self._solver, board.legal_moves
        if not moves or solver.bound(board, 1) < 1:
            return None
        best_first = (int(place) for place in np.argsort(-values, kind="stable"))
        return next(place for place in best_first if solver.bound(board.play(moves[place]), 0) < 0)
