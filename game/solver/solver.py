"""The exact solver; `solver_kernels.py` has its compiled search."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.board import Board, Colour, Outcome
from othello_lab.game.kernels.bits import from_int
from othello_lab.game.notation import PASS, check_size
from othello_lab.game.solver import solver_kernels as kernels
from othello_lab.game.solver.table import Table, clear, new_table, remembered_move
from othello_lab.game.symmetry import canonical
from othello_lab.game.threads import alongside

if TYPE_CHECKING:
    from othello_lab.game.batch.positions import Positions
    from othello_lab.game.evaluators.evaluator import Evaluator


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
    """The solver was interrupted before it knew the answer."""


NO_LIMIT = np.iinfo(np.int64).max
SHARED = 16
"""From this many empty squares on more than one thread saves time."""
STEP = 2
"""How far from the last bound `Solver.value` asks next: a question far from the value is cheap."""
_SLOPE = 0.27
"""As in `game/values.py`, for the network alone with 16 to 20 squares empty."""
_NEARLY_CERTAIN = 0.9999


@dataclass(frozen=True, slots=True)
class Solution:
    """The solution of a position."""

    value: int
    """Under perfect play, from the view of the side to move."""
    best: int | None
    """A move (a square or PASS) that keeps the value; None when the game is over."""
    variation: list[int]
    """The principal variation: `best` and the perfect moves that follow, passes included, to the end."""
    nodes: int
    """Positions visited to find the value."""
    seconds: float


class Solver:
    """Solves positions of one board size in one convention, and keeps a table of what it has learnt.

    `hash_mib` is the memory of the table in MiB, which `threads` share. Values do not depend on the threads;
    the number of positions does, and which of equal moves is returned. An n-tuple network as `evaluator`
    orders the moves: the same values, in less time from 16 empty squares on. 20 empty squares take about a
    second on 8x8, each further one three to four times as long.
    """

    def __init__(
        self,
        size: int,
        convention: Convention = Convention.DISC_DIFF,
        hash_mib: float = 64,
        evaluator: "Evaluator | None" = None,
        threads: int = 1,
    ) -> None:
        check_size(size)
        self.size = size
        self.convention = convention
        self._table = new_table(hash_mib, np.int16)
        self._states: kernels.State = np.zeros(threads, kernels.STATE)
        self._states["size"] = size
        self._states["bonus"] = convention is Convention.FINAL_SCORE
        self._states["salt"] = np.arange(threads)
        self._evaluator = evaluator
        if evaluator:
            # Imported here, since most solvers have none.
            from othello_lab.game.evaluators.evaluator import CompiledEvaluator

            if isinstance(evaluator, CompiledEvaluator):
                evaluator.check_size(size)
                self._states["network"] = evaluator.parameters["network"]
        self.begin()
        # Compiles, or loads from disk, what `value` calls, so that times are those of searching.
        finished = Board(size, 1, 0, Colour.BLACK)
        self._guess(finished)
        self.bound(finished, 0)
        self._remembered(finished)

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self._states["nodes"].sum())

    def forget(self) -> None:
        """Empty the table, and do the same as `begin`."""
        clear(self._table)
        self.begin()

    def begin(self, limit: int = NO_LIMIT) -> None:
        """Reset the count of nodes, an order to stop and the limit of nodes of a thread; keep the table."""
        self._states["nodes"], self._states["limit"] = 0, limit
        self._states["stop"] = self._is_stopped = False

    def stop(self) -> None:
        """Interrupt a search in another thread: it raises StoppedError, as does every later one until
        `begin` or `forget`.
        """
        self._is_stopped = True
        self._states["stop"] = True

    def value(self, board: Board) -> int:
        """Return the exact value for the side to move.

        Raises ValueError for a board of another size, StoppedError if interrupted.
        """
        moves = _moves(board)
        if len(moves) > 1 and len({canonical(board.play(move)) for move in moves}) == 1:
            # The four first moves of a start are one by symmetry.
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
        """Return an even number of discs near the value: the network's, if it saves time, else 0."""
        if self._states[0]["network"]["instances"] == 0 or board.empties < kernels.JUDGED:
            return 0
        assert self._evaluator is not None  # noqa: S101  it is the network
        from othello_lab.game.batch.positions import Positions

        expected = float(self._evaluator.values(Positions.of([board]))[0])
        certainty = math.atanh(min(_NEARLY_CERTAIN, max(-_NEARLY_CERTAIN, expected)))
        return 2 * round(self.size**2 * math.tanh(_SLOPE * certainty) / 2)

    def bound(self, board: Board, beta: int) -> int:
        """Ask whether the value is at least `beta`: an answer from `beta` on is a lower bound of the value,
        any other an upper bound. Raises as `value` does; a value takes a handful of such questions.
        """
        if board.size != self.size:
            raise ValueError(f"this solver is for {self.size}x{self.size}, not {board.size}x{board.size}")
        own, opponent = from_int(board.own, self.size), from_int(board.opponent, self.size)
        left = board.empties
        answer = partial(kernels.deep, own, opponent, left, beta)
        is_shared = len(self._states) > 1 and left >= SHARED
        bound = self._first_of(answer) if is_shared else answer(self._states[0], self._table)
        if self._states[0]["stop"]:
            raise StoppedError
        return int(bound)

    def _first_of(self, answer: Callable[[kernels.State, Table], int]) -> int:
        """Return the answer of the first thread and stop the others; 0 if all were interrupted before."""
        answers = list[int]()

        def work(state: kernels.State) -> None:
            bound = answer(state, self._table)
            if not state["stop"]:
                answers.append(bound)
                self._stop_all()

        first, *others = self._states
        with alongside([partial(work, state) for state in others], self._stop_all):
            work(first)
        self._states["stop"] = self._is_stopped or not answers
        return answers[0] if answers else 0

    def _stop_all(self) -> None:
        self._states["stop"] = True

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
        while _moves(board):
            move = self.keeping(board, value)
            variation.append(move)
            board, value = board.play(move), -value
        return variation

    def keeping(self, board: Board, value: int) -> int:
        """Return a move that keeps `value`, a lower bound of the position's value; raises as `bound` does."""
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
    """Return own minus the other side's discs at the end for each position, [n].

    Squares that stay empty count for no side. It takes about .3 ms a position with 12 empty squares, less
    with good guesses: each search asks whether the last bound holds (Plaat et al. 1996, "Best-first
    fixed-depth minimax algorithms", MTD(f)).
    """
    size, state = positions.size, np.zeros(1, kernels.STATE)[0]
    state["size"], state["limit"] = size, NO_LIMIT
    values, table = guesses.copy(), new_table(_TABLE_MIB, np.int16)
    left = size * size - positions.discs()
    kernels.find_discs(from_int(0, size), positions.own, positions.opponent, left, state, table, values)
    return values


def solve_all(size: int = 4, convention: Convention = Convention.DISC_DIFF) -> dict[Board, int]:
    """Return the value, for the side to move, of every position reachable from the start: 62,789 on 4x4.

    Raises ValueError for any other size: 6x6 has too many positions.
    """
    if size != 4:
        raise ValueError(f"only 4x4 has few enough positions to list them all, not {size}x{size}")
    values: dict[Board, int] = {}
    _add(Board.start(size), convention, values)
    return values


def _add(board: Board, convention: Convention, values: dict[Board, int]) -> int:
    """Add a position and all that follow it to `values`; return its value."""
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
