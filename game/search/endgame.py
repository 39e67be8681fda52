"""`Endgame` decides when the exact solver takes over from a search."""

import math
import time
from dataclasses import replace

from othello_lab.game.board import Board
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.kernels.bits import ONE_WORD
from othello_lab.game.search.limits import Limits, Report, alarm
from othello_lab.game.solver.solver import Solver, StoppedError

# The default of `Limits.endgame`. With a limit of time or nodes, the solver may take over earlier.
ENDGAME = 14
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
    counts = []
    if limits.seconds is not None:
        counts.append(solvable_in(limits.seconds))
    if limits.nodes is not None:
        counts.append(_solvable(SHARE * _SOLVED_A_NODE * limits.nodes))
    return min(counts, default=0)


def solvable_in(seconds: float) -> int:
    """Return the maximum number of empty squares that are probably solvable in the share of a time limit."""
    return _solvable(SHARE * _SOLVED_A_SECOND * seconds)


def _solvable(positions: float) -> int:
    """Return the maximum number of empty squares for which `positions` visits are probably enough."""
    return math.floor(18 + math.log(max(1.0, positions) / _POSITIONS_AT_18, _GROWTH))
