"""The end of a game, solved: a move that wins for certain goes before all others."""

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

        Of several such moves it is the one of the highest value; without one, values stay as they are.
        """
        moves = board.legal_moves
        if board.empties > self._empties or not (self._empties and moves):
            return values
        if self._solver.bound(board, 1) < 1:
            return values
        best_first = (int(index) for index in np.argsort(-values, kind="stable"))
        winning = next(index for index in best_first if self._solver.bound(board.play(moves[index]), 0) < 0)
        judged = np.minimum(values, _LESS)
        judged[winning] = WIN
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
