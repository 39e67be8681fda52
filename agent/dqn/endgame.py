"""Exact search at the end of a game. A certainly winning move gets the highest value."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.board import Board

if TYPE_CHECKING:
    from othello_lab.game.batch import Positions
    from othello_lab.game.solver.few_empties import State

WIN = 1.0  # The value of a certain win. All other values are smaller.
_LESS = float(np.nextafter(WIN, 0.0))


class Endgame:
    """Solves positions near the end of a game, and gives a winning move the highest value."""

    def __init__(self, size: int, empties: int) -> None:
        """Solve positions with at most `empties` empty squares. With 0, solve no position."""
        self._size, self._empties = size, empties
        self._state: State | None = None  # The state of the search, after its first use.

    def _is_at_least(self, board: Board, value: int) -> bool:
        """Return whether the exact value for the side to move is at least `value` discs."""
        from othello_lab.game.solver.few_empties import STATE, shallow  # here because it loads slowly

        if self._state is None:
            self._state = np.zeros(1, STATE)[0]
            self._state["size"] = self._size
        return bool(shallow(*board.for_kernels, value, self._state) >= value)

    def judged(self, board: Board, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the move values, float64 [moves], with WIN for the winning move that has the best value."""
        moves = board.legal_moves
        if board.empties > self._empties or not (self._empties and moves):
            return values
        if not self._is_at_least(board, 1):
            return values
        best_first = (int(index) for index in np.argsort(-values, kind="stable"))
        winning = next(index for index in best_first if not self._is_at_least(board.play(moves[index]), 0))
        judged = np.minimum(values, _LESS)
        judged[winning] = WIN
        return judged

    def judged_many(self, positions: "Positions", values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Apply `judged` to each position. `values`, float64 [moves], has the values for all positions."""
        if not self._empties:
            return values
        near = np.flatnonzero(positions.discs() >= self._size**2 - self._empties).tolist()
        if not near:
            return values
        from othello_lab.game.batch import count_squares, legal_moves

        ends = np.cumsum(count_squares(legal_moves(positions), positions.size))
        judged = values.copy()
        for index in near:
            board = positions.board(index)
            moves = slice(ends[index] - len(board.legal_moves), ends[index])
            judged[moves] = self.judged(board, judged[moves])
        return judged
