"""The limits of a search, the report of a search, and the rule that decides when the solver takes over."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from othello_lab.game.board import Board
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.kernels.bits import ONE_WORD
from othello_lab.game.search.textbook import DEEPEST
from othello_lab.game.solver.solver import Solver, StoppedError
from othello_lab.game.values import WON

# The default of `Limits.endgame`. With a limit of time or nodes, the solver may take over earlier.
ENDGAME = 14


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a search for one move."""

    depth: int = DEEPEST  # The maximum depth in plies.
    # The time limit. None means no limit, with which the same seed gives the same move.
    seconds: float | None = None
    # The number of empty squares at which the solver takes over. None means ENDGAME or more.
    endgame: int | None = None
    # The maximum number of positions visited before the solver takes over. None means no limit.
    nodes: int | None = None
    # The maximum number of new simulations of a tree search. None means no limit.
    simulations: int | None = None
    # Whether to cut branches with ProbCut, if the evaluator has predictions.
    probcut: bool = True
    # The memory of the tree or of the transposition table in MiB. The solver has a second table.
    hash_mib: int = 16


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a search."""

    move: int  # A square, or PASS if the side to move must pass.
    # The value for the side to move, in discs if solved, or an evaluation from -1e9 (lost) to 1e9.
    value: float
    depth: int  # The depth in plies of the last complete search.
    solved: bool  # Whether the move and the value are exact.
    variation: tuple[int, ...]  # The known part of the principal variation, which begins with `move`.
    nodes: int
    seconds: float

    @property
    def on_one_scale(self) -> float:
        """The value as an evaluation, which is WON, 0 or -WON if solved."""
        return float(WON * np.sign(self.value)) if self.solved else self.value


SHARE = 0.5  # The share of a move's limits that `Endgame.attempt` may use.
# With 18 empty squares on 8x8, the solver finds the winner within _POSITIONS_AT_18 positions in four of five
# cases. Each further empty square multiplies this number by _GROWTH. Measured on 24 games of
# `search:nodes=20000`.
_POSITIONS_AT_18, _GROWTH = 180_000, 2.1
_SOLVED_A_SECOND = 15_000_000  # The number of positions that the solver visits in a second on one core.
_SOLVED_A_NODE = 2  # The number of positions that the solver visits while the search visits one node.


class Endgame:
    """The solver of a search on one board size, within the limits of the search. Call `begin` first."""

    def __init__(self, size: int, evaluator: Evaluator | None, hash_mib: int) -> None:
        self.solver = Solver(size, hash_mib=hash_mib, evaluator=evaluator)

    def begin(self, limits: Limits, keep: bool = False) -> None:
        """Set the limits, and reset any interrupt. Clear the table unless `keep` or a time limit is set."""
        self._limits = limits
        self._near = ENDGAME if limits.endgame is None else limits.endgame
        self._early = _earliest(limits) if limits.endgame is None and self.solver.size <= ONE_WORD else 0
        if limits.seconds is None and not keep and self.solver.nodes:
            self.solver.forget()
        self.solver.begin()

    def is_near(self, board: Board) -> bool:
        """Return whether a position must be solved because few squares are empty."""
        return board.empties <= self._near

    def may_be_solved(self, board: Board) -> bool:
        """Return whether `attempt` will probably find the winner within the solver's share of the limits."""
        return board.empties <= self._early

    def solve(self, board: Board, report: Report) -> Report | None:
        """Return the exact result. If interrupted, return `report` with a proven win or draw, or None."""
        known = None
        try:
            for goal in (1, 0):
                if self.solver.bound(board, goal) >= goal:
                    move = self.solver.keeping(board, goal)
                    known = replace(report, move=move, variation=(move,))
                    break
            solution = self.solver.solve(board)
        except StoppedError:
            return known
        depth = len(solution.variation)
        return Report(solution.variation[0], solution.value, depth, True, tuple(solution.variation), 0, 0.0)

    def attempt(self, board: Board, report: Report) -> Report | None:
        """Do the same as `solve`, but within the solver's share of the limits."""
        if self._limits.nodes is not None:
            self.solver.begin(int(SHARE * _SOLVED_A_NODE * self._limits.nodes))
        seconds = None if self._limits.seconds is None else SHARE * self._limits.seconds
        with alarm(seconds, time.perf_counter(), self.solver.stop):
            return self.solve(board, report)


def _earliest(limits: Limits) -> int:
    """Return the maximum number of empty squares for an attempt, or 0 if time and nodes are unlimited."""
    budgets = []
    if limits.seconds is not None:
        budgets.append(SHARE * _SOLVED_A_SECOND * limits.seconds)
    if limits.nodes is not None:
        budgets.append(SHARE * _SOLVED_A_NODE * limits.nodes)
    return _empties_for(min(budgets)) if budgets else 0


def _empties_for(positions: float) -> int:
    """Return the maximum number of empty squares for which `positions` visits are probably enough."""
    return math.floor(18 + math.log(max(1.0, positions) / _POSITIONS_AT_18, _GROWTH))


RESERVE = 3  # The number of shares of the time that are reserved for the solver.
_LAG = 0.1  # The seconds that are reserved for the communication between two programs.


def limited(limits: Limits, left: float, moves: int, board: Board) -> Limits:
    """Return the limits of a move if `left` seconds remain for the next `moves` moves of the side to move.

    With 0 moves, the time is for the rest of the game. RESERVE shares of the time are for the solver.
    """
    usable = max(0.0, left - _LAG)
    solvable = _empties_for(SHARE * _SOLVED_A_SECOND * left) if board.size <= ONE_WORD else ENDGAME
    shares = max(0, board.empties - max(ENDGAME, solvable)) / 2 + RESERVE
    share = usable / (min(shares, moves) if moves else shares)
    return replace(limits, seconds=share if limits.seconds is None else min(share, limits.seconds))


@contextmanager
def alarm(seconds: float | None, started: float, stop: Callable[[], None]) -> Iterator[None]:
    """Return a context manager that calls `stop` in a timer thread `seconds` after `started`."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(max(0.0, started + seconds - time.perf_counter()), stop)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
