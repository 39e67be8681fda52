"""The exact solver; `solver_kernels.py` has its compiled search."""

import math
import time
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.board import Board, Colour, Outcome
from othello_lab.game.kernels.bits import from_int
from othello_lab.game.notation import PASS, check_size
from othello_lab.game.solver import solver_kernels as kernels
from othello_lab.game.solver.table import clear, new_table, remembered_move
from othello_lab.game.symmetry import canonical

if TYPE_CHECKING:
    from othello_lab.game.batch import Positions
    from othello_lab.game.evaluators.evaluator import Evaluator


class Convention(Enum):
    """The way to count a finished game."""

    DISC_DIFF = "disc_diff"
    """The plain difference of discs."""
    FINAL_SCORE = "final_score"
    """The difference of discs, with the empty squares given to the winner."""

    def of(self, outcome: Outcome) -> int:
        """Return the score of a finished game: black's minus white's."""
        return outcome.disc_diff if self is Convention.DISC_DIFF else outcome.final_score


class StoppedError(Exception):
    """The solver was interrupted before it had the result."""


NO_LIMIT = np.iinfo(np.int64).max
STEP = 2
"""The distance between the bounds that `Solver.value` tests in turn: a bound far from the value is cheap."""
_SLOPE = 0.27
"""The slope of `game/values.py` for a network without a search, with 16 to 20 empty squares."""
_NEARLY_CERTAIN = 0.9999


@dataclass(frozen=True, slots=True)
class Solution:
    """The solution of a position."""

    value: int
    """The value under perfect play, for the side to move."""
    best: int | None
    """A move (a square or PASS) that keeps the value; None if the game is over."""
    variation: list[int]
    """The principal variation: `best` and the perfect moves that follow, passes included, to the end."""
    nodes: int
    """The number of positions visited to find the value."""
    seconds: float


class Solver:
    """The exact solver for one board size and one convention. It keeps a transposition table between calls.

    `hash_mib` is the memory of the table in MiB. An n-tuple network as `evaluator` orders the moves: values
    are the same, and found faster from 16 empty squares on. On 8x8, 20 empty squares take about a second;
    each further square multiplies the time by three to four.
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
        self._table = new_table(hash_mib, np.int16)
        self._state: kernels.State = np.zeros(1, kernels.STATE)[0]
        self._state["size"] = size
        self._state["bonus"] = convention is Convention.FINAL_SCORE
        self._evaluator = evaluator
        if evaluator:
            # Imported here, since most solvers have none.
            from othello_lab.game.evaluators.evaluator import CompiledEvaluator

            if isinstance(evaluator, CompiledEvaluator):
                evaluator.check_size(size)
                self._state["network"] = evaluator.parameters["network"]
        self.begin()
        # Compiles, or loads from disk, what `value` calls, so that times are those of searching.
        finished = Board(size, 1, 0, Colour.BLACK)
        self._guess(finished)
        self.bound(finished, 0)
        self._remembered(finished)

    @property
    def nodes(self) -> int:
        """The number of positions visited so far."""
        return int(self._state["nodes"])

    def forget(self) -> None:
        """Empty the table, and reset the counts as `begin` does."""
        clear(self._table)
        self.begin()

    def begin(self, limit: int = NO_LIMIT) -> None:
        """Reset the count of nodes and any interrupt; set the limit of nodes. Keep the table."""
        self._state["nodes"], self._state["limit"], self._state["stop"] = 0, limit, False

    def stop(self) -> None:
        """Interrupt a search in another thread; it raises StoppedError.

        Every later search raises StoppedError too, until `begin` or `forget` is called.
        """
        self._state["stop"] = True

    def value(self, board: Board) -> int:
        """Return the exact value for the side to move.

        Raises ValueError for a board of another size, StoppedError if interrupted.
        """
        moves = _moves(board)
        if len(moves) > 1 and len({canonical(board.play(move)) for move in moves}) == 1:
            # The four first moves of a standard start are equal by symmetry.
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
        """Return an even guess of the value: by the network if this saves time, else 0."""
        if self._state["network"]["instances"] == 0 or board.empties < kernels.JUDGED:
            return 0
        assert self._evaluator is not None  # noqa: S101  it is the network
        from othello_lab.game.batch import Positions

        expected = float(self._evaluator.values(Positions.of([board]))[0])
        certainty = math.atanh(min(_NEARLY_CERTAIN, max(-_NEARLY_CERTAIN, expected)))
        return 2 * round(self.size**2 * math.tanh(_SLOPE * certainty) / 2)

    def bound(self, board: Board, beta: int) -> int:
        """Test whether the value is at least `beta`, and return a bound of the value.

        A bound of at least `beta` is a lower bound; a smaller bound is an upper bound. To find a value takes
        about five such tests. Raises ValueError for a board of another size, StoppedError if interrupted.
        """
        if board.size != self.size:
            raise ValueError(f"this solver is for {self.size}x{self.size}, not {board.size}x{board.size}")
        own, opponent = from_int(board.own, self.size), from_int(board.opponent, self.size)
        bound = kernels.deep(own, opponent, board.empties, beta, self._state, self._table)
        if self._state["stop"]:
            raise StoppedError
        return int(bound)

    def solve(self, board: Board) -> Solution:
        """Return the value, a best move and the principal variation; raise the errors of `value`."""
        started, nodes = time.perf_counter(), self.nodes
        value = self.value(board)
        nodes, seconds = self.nodes - nodes, time.perf_counter() - started
        variation = self._variation(board, value)
        return Solution(value, variation[0] if variation else None, variation, nodes, seconds)

    def scores(self, board: Board) -> dict[int, int]:
        """Return the exact value of every legal move (PASS if it must pass), for the side to move."""
        return {move: -self.value(board.play(move)) for move in _moves(board)}

    def _variation(self, board: Board, value: int) -> list[int]:
        variation: list[int] = []
        while _moves(board):
            move = self.keeping(board, value)
            variation.append(move)
            board, value = board.play(move), -value
        return variation

    def keeping(self, board: Board, value: int) -> int:
        """Return a move that keeps `value`, a lower bound of the position; raise the errors of `bound`."""
        hint = self._remembered(board)
        *candidates, last = sorted(_moves(board), key=lambda move: move != hint)
        for move in candidates:
            if self.bound(board.play(move), 1 - value) <= -value:
                return move
        return last

    def _remembered(self, board: Board) -> int:
        own, opponent = from_int(board.own, self.size), from_int(board.opponent, self.size)
        return int(remembered_move(self._table, own, opponent))


def _moves(board: Board) -> list[int]:
    return list(board.legal_moves) or ([PASS] if board.must_pass else [])


_TABLE_MIB = 4


def discs_of(positions: "Positions", guesses: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each position own minus the other side's discs at the end of perfect play, [n].

    Squares that stay empty count for no side. With 12 empty squares a position takes about 0.3 ms, and less
    with a good guess: each search tests whether the last bound is the value (Plaat et al. 1996, "Best-first
    fixed-depth minimax algorithms", MTD(f)).
    """
    size, state = positions.size, np.zeros(1, kernels.STATE)[0]
    state["size"], state["limit"] = size, NO_LIMIT
    values, table = guesses.copy(), new_table(_TABLE_MIB, np.int16)
    left = size * size - positions.discs()
    kernels.find_discs(from_int(0, size), positions.own, positions.opponent, left, state, table, values)
    return values


def solve_all(size: int = 4, convention: Convention = Convention.DISC_DIFF) -> dict[Board, int]:
    """Return the value for the side to move of each position reachable from the start: 62,789 on 4x4.

    Raises ValueError for any other size: 6x6 has too many positions.
    """
    if size != 4:
        raise ValueError(f"only 4x4 has few enough positions to list them all, not {size}x{size}")
    values: dict[Board, int] = {}
    _add(Board.start(size), convention, values)
    return values


def _add(board: Board, convention: Convention, values: dict[Board, int]) -> int:
    """Add a position and all its successors to `values`; return the value of the position."""
    if board in values:
        return values[board]
    if moves := list(board.legal_moves):
        value = max(-_add(board.play(move), convention, values) for move in moves)
    elif outcome := board.outcome():
        sign = 1 if board.turn is Colour.BLACK else -1
        value = sign * convention.of(outcome)
    else:
        value = -_add(board.play(PASS), convention, values)
    values[board] = value
    return value
