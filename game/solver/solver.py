"""The exact solver as a class; `kernels.py` has the search itself."""

import time
from dataclasses import dataclass
from enum import Enum

import numpy as np

from game.board import Board, Colour, Outcome, check_size
from game.notation import PASS
from game.solver import kernels
from game.solver.table import new_table
from game.words import from_int


class Convention(Enum):
    """How a finished game is counted."""

    DISC_DIFF = "disc_diff"
    """The plain difference of discs."""
    FINAL_SCORE = "final_score"
    """The same with the empty squares given to the winner."""

    def of(self, outcome: Outcome) -> int:
        """Return the score of a finished game, black's minus white's."""
        return outcome.disc_diff if self is Convention.DISC_DIFF else outcome.final_score


class StoppedError(Exception):
    """The solver was told to stop before it knew the answer."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What is known of a solved position."""

    value: int
    """Under perfect play, from the view of the side to move."""
    best: int | None
    """A move (a square or PASS) that keeps the value; None when the game is over."""
    variation: list[int]
    """The principal variation: `best` and the perfect moves that follow, passes included, to the end."""
    nodes: int
    """Positions looked at to find the value."""
    seconds: float


class Solver:
    """Solves positions of one board size in one convention, and remembers what it has learnt.

    `hash_mib` is the memory of its table in MiB. 20 empty squares take about a second on 8x8, each
    further one three to four times as long.
    """

    def __init__(
        self, size: int, convention: Convention = Convention.DISC_DIFF, hash_mib: float = 64
    ) -> None:
        check_size(size)
        self.size = size
        self.convention = convention
        self._table = new_table(hash_mib, np.int16)
        cells = size * size
        self._lists = np.zeros((cells + 1, cells, 2), np.int64)
        self._control = np.zeros(2, np.int64)
        # Compiles, or loads from disk, what `value` calls, so that times are those of searching.
        finished = Board(size, 1, 0, Colour.BLACK)
        self.value(finished)
        self._remembered(finished)
        self._control[kernels.NODES] = 0

    @property
    def nodes(self) -> int:
        """Positions looked at so far."""
        return int(self._control[kernels.NODES])

    def forget(self) -> None:
        """Empty the table, so that the next answer takes as long as the first."""
        self._table.fill(0)

    def stop(self) -> None:
        """End a search that runs in another thread: it raises StoppedError there."""
        self._control[kernels.STOP] = 1

    def value(self, board: Board, alpha: int = -kernels.INFINITY, beta: int = kernels.INFINITY) -> int:
        """Return the exact value for the side to move.

        With a window, a value up to `alpha` is only an upper bound and one from `beta` a lower bound. Raises
        ValueError for a board of another size, StoppedError when stopped.
        """
        if board.size != self.size:
            raise ValueError(f"this solver is for {self.size}x{self.size}, not {board.size}x{board.size}")
        own, opponent = from_int(board.own, self.size), from_int(board.opponent, self.size)
        value = kernels.deep(
            own,
            opponent,
            empties(board),
            alpha,
            beta,
            self.size,
            self.convention is Convention.FINAL_SCORE,
            self._table,
            self._lists,
            self._control,
        )
        if self._control[kernels.STOP]:
            self._control[kernels.STOP] = 0
            raise StoppedError
        return int(value)

    def solve(self, board: Board) -> Solution:
        """Return value, best move and principal variation; raises as `value` does."""
        started, nodes = time.perf_counter(), self.nodes
        value = self.value(board)
        nodes, seconds = self.nodes - nodes, time.perf_counter() - started
        variation = self._variation(board, value)
        return Solution(value, variation[0] if variation else None, variation, nodes, seconds)

    def scores(self, board: Board) -> dict[int, int]:
        """Return the exact value of every legal move, for the side to move; of PASS where it must pass."""
        return {move: -self.value(board.play(move)) for move in _moves(board)}

    def _variation(self, board: Board, value: int) -> list[int]:
        variation: list[int] = []
        while moves := _moves(board):
            move = self._keeping(board, moves, value)
            variation.append(move)
            board, value = board.play(move), -value
        return variation

    def _keeping(self, board: Board, moves: list[int], value: int) -> int:
        """Return a move that keeps the known value: it needs no more than a yes or no for each."""
        hint = self._remembered(board)
        *candidates, last = sorted(moves, key=lambda move: move != hint)
        for move in candidates:
            if -self.value(board.play(move), -value, -value + 1) >= value:
                return move
        return last

    def _remembered(self, board: Board) -> int:
        own, opponent = from_int(board.own, self.size), from_int(board.opponent, self.size)
        return int(kernels.remembered_move(self._table, own, opponent))


def empties(board: Board) -> int:
    """Return the number of empty squares."""
    return board.size**2 - sum(board.counts())


def _moves(board: Board) -> list[int]:
    return list(board.legal_moves) or ([PASS] if board.must_pass else [])
