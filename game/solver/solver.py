"""The exact solver, whose compiled search is in `solver_kernels.py`."""

import math
import time
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from othello_lab.game.board import Board, Colour, Outcome
from othello_lab.game.notation import PASS, check_size
from othello_lab.game.solver import solver_kernels as kernels
from othello_lab.game.solver.table import Table, clear, new_table, remembered_move
from othello_lab.game.symmetry import canonical

if TYPE_CHECKING:
    from othello_lab.game.evaluators.evaluator import Evaluator


class Convention(Enum):
    """A convention for the score of a finished game."""

    DISC_DIFF = "disc_diff"  # The score is the difference of discs.
    # The score is the difference of discs, and each empty square counts as a disc of the winner.
    FINAL_SCORE = "final_score"

    def of(self, outcome: Outcome) -> int:
        """Return the score of a finished game, positive if black has won."""
        return outcome.disc_diff if self is Convention.DISC_DIFF else outcome.final_score


class StoppedError(Exception):
    """The solver was interrupted before the result was found."""


NO_LIMIT = np.iinfo(np.int64).max
STEP = 2  # The step between the bounds that `Solver.value` tests.
_SLOPE = 0.27  # The slope of `game/values.py` for a network without a search, with 16 to 20 empty squares.
_NEARLY_CERTAIN = 0.9999


@dataclass(frozen=True, slots=True)
class Solution:
    """The solution of a position."""

    value: int  # The value under perfect play, for the side to move.
    best: int | None  # A best move (a square or PASS), or None if the game is over.
    # The principal variation, which has perfect moves and passes from `best` to the end of the game.
    variation: list[int]
    nodes: int  # The number of positions visited to find the value.
    seconds: float


class Solver:
    """The exact solver for one board size and one convention. A solver keeps its table between calls.

    `hash_mib` is the memory of the table in MiB. If `evaluator` is an n-tuple network, the network orders the
    moves, which saves time. On 8x8, 20 empty squares take about a second. Each further empty square
    multiplies the time by three to four.
    """

    def __init__(
        self,
        size: int,
        convention: Convention = Convention.DISC_DIFF,
        hash_mib: float = 64,
        evaluator: "Evaluator | None" = None,
    ) -> None:
        check_size(size)
        self.size = size
        self.convention = convention
        self._hash_mib = hash_mib
        self._state: kernels.State = np.zeros(1, kernels.STATE)[0]
        self._few = self._state["few"]  # a view
        self._few["size"] = size
        self._few["bonus"] = convention is Convention.FINAL_SCORE
        self._evaluator = evaluator
        if evaluator:
            # Lazy import: most solvers have no evaluator.
            from othello_lab.game.evaluators.evaluator import CompiledEvaluator

            if isinstance(evaluator, CompiledEvaluator):
                evaluator.check_size(size)
                self._state["network"] = evaluator.parameters["network"]
        self.begin()
        # Compile or load the functions of `value` now, so that measured times include only the search.
        finished, self._table = Board(size, 1, 0, Colour.BLACK), new_table(0, np.int16)
        self._guess(finished)
        self.bound(finished, 0)
        self._remembered(finished)
        del self._table

    @cached_property
    def _table(self) -> Table:
        # Allocated at the first use, because most searches are far from the end of the game.
        return new_table(self._hash_mib, np.int16)

    @property
    def nodes(self) -> int:
        """The number of positions visited so far."""
        return int(self._few["nodes"])

    def forget(self) -> None:
        """Clear the table, and call `begin`."""
        clear(self._table)
        self.begin()

    def begin(self, limit: int = NO_LIMIT) -> None:
        """Reset the node count and any interrupt, and set the node limit. Keep the table."""
        self._few["nodes"], self._state["limit"], self._state["stop"] = 0, limit, False

    def stop(self) -> None:
        """Interrupt a search in another thread. All searches raise StoppedError until `begin` is called."""
        self._state["stop"] = True

    def value(self, board: Board) -> int:
        """Return the exact value for the side to move. Raises ValueError, or StoppedError if interrupted."""
        moves = _moves(board)
        if board.empties == self.size**2 - 4 and len({canonical(board.play(move)) for move in moves}) == 1:
            # All moves lead to the same position by symmetry, for example from a standard start.
            return -self.value(board.play(moves[0]))
        low, high = -(self.size**2), self.size**2
        guess = self._guess(board)
        while low < high:
            bound = self.bound(board, guess)
            if bound >= guess:
                low, guess = bound, min(bound + STEP, high)
            else:
                high, guess = bound, max(bound - STEP + 1, low + 1)
        return low

    def _guess(self, board: Board) -> int:
        """Return an even guess of the value, from the network if the network saves time, else 0."""
        if self._state["network"]["instances"] == 0 or board.empties < kernels.JUDGED:
            return 0
        assert self._evaluator is not None  # noqa: S101  it is the network
        from othello_lab.game.batch import Positions

        expected = float(self._evaluator.values(Positions.of([board]))[0])
        certainty = math.atanh(min(_NEARLY_CERTAIN, max(-_NEARLY_CERTAIN, expected)))
        return 2 * round(self.size**2 * math.tanh(_SLOPE * certainty) / 2)

    def bound(self, board: Board, beta: int) -> int:
        """Run a null-window search. Return a lower bound of at least `beta`, or an upper bound below `beta`.

        Raises ValueError for a board of another size, and StoppedError if interrupted.
        """
        if board.size != self.size:
            raise ValueError(f"this solver is for {self.size}x{self.size}, not {board.size}x{board.size}")
        bound = kernels.deep(*board.for_kernels, board.empties, beta, self._state, self._table)
        if self._state["stop"]:
            raise StoppedError
        return int(bound)

    def solve(self, board: Board) -> Solution:
        """Return the value, a best move and the principal variation. Raises the same errors as `value`."""
        started, nodes = time.perf_counter(), self.nodes
        value = self.value(board)
        nodes, seconds = self.nodes - nodes, time.perf_counter() - started
        variation = self._variation(board, value)
        return Solution(value, variation[0] if variation else None, variation, nodes, seconds)

    def scores(self, board: Board) -> dict[int, int]:
        """Return the exact value of every legal move, for the side to move. A forced PASS is a legal move."""
        return {move: -self.value(board.play(move)) for move in _moves(board)}

    def _variation(self, board: Board, value: int) -> list[int]:
        variation: list[int] = []
        while _moves(board):
            move = self.keeping(board, value)
            variation.append(move)
            board, value = board.play(move), -value
        return variation

    def keeping(self, board: Board, value: int) -> int:
        """Return a move that gets at least `value`, which must be a lower bound of the position's value."""
        hint = self._remembered(board)
        *candidates, last = sorted(_moves(board), key=lambda move: move != hint)
        for move in candidates:
            if self.bound(board.play(move), 1 - value) <= -value:
                return move
        return last

    def _remembered(self, board: Board) -> int:
        return int(remembered_move(self._table, *board.for_kernels))


def _moves(board: Board) -> list[int]:
    return list(board.legal_moves) or ([PASS] if board.must_pass else [])


def solve_all(convention: Convention = Convention.DISC_DIFF) -> dict[Board, int]:
    """Return the values of all positions of games on 4x4, for the side to move."""
    values: dict[Board, int] = {}

    def add(board: Board) -> int:
        if board not in values:
            if outcome := board.outcome():
                value = convention.of(outcome) * (1 if board.turn is Colour.BLACK else -1)
            else:
                value = max(-add(board.play(move)) for move in _moves(board))
            values[board] = value
        return values[board]

    add(Board.start(4))
    return values
