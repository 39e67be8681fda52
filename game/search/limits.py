"""The limits of a search, its report, and when the exact solver takes over near the end of the game."""

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
from othello_lab.game.notation import square_name
from othello_lab.game.search.textbook import DEEPEST
from othello_lab.game.solver.solver import Solver, StoppedError
from othello_lab.game.values import WON

ENDGAME = 14
"""Default of `Limits.endgame` without a limit of time or nodes."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a search may take for a move, and how much memory."""

    depth: int = DEEPEST
    """Plies."""
    seconds: float | None = None
    """None is no limit: then the same seed gives the same move."""
    target_seconds: float | None = None
    """Seconds planned for a move where the game has a clock (`limited`); `seconds` is then the maximum."""
    endgame: int | None = None
    """From this many empty squares on the game is solved: won or lost first, then exactly.

    None is from ENDGAME on, and earlier as far as seconds or nodes allow.
    """
    nodes: int | None = None
    """Positions visited before the endgame; None is no limit."""
    probcut: bool = True
    """Whether predictions of shallow searches cut branches, where the evaluation has predictions."""
    hash_mib: int = 16
    """Memory of the transposition table in MiB; the solver takes as much again."""
    threads: int = 1
    """With more than one, two searches may differ, and `nodes` are those of each thread."""

    @property
    def planned_seconds(self) -> float | None:
        """Seconds that a move usually takes; None is no limit."""
        return self.seconds if self.target_seconds is None else self.target_seconds

    def seconds_for(self, value: float, is_new: bool) -> float | None:
        """Return the seconds for a position with this expected result; `is_new`: the best move has changed.

        With a clock for the game, an open position gets up to one and a half times the target, a decided one
        half of it, and a new best move half as much again; never more than `seconds`.
        """
        if self.seconds is None or self.target_seconds is None:
            return self.seconds
        share = (1.5 - min(1.0, abs(value))) * (1.5 if is_new else 1.0)
        return min(self.seconds, self.target_seconds * share)


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a search."""

    move: int
    """A square, or PASS where the side to move must."""
    value: float
    """For the side to move: discs where solved, else an evaluation; 1e9 is a sure win, -1e9 a sure loss."""
    depth: int
    """Plies of the last search that was finished."""
    solved: bool
    """Whether move and value are exact, to the end of the game."""
    variation: tuple[int, ...]
    """The known part of the principal variation, from `move` on."""
    nodes: int
    seconds: float

    @property
    def on_one_scale(self) -> float:
        """The value as an evaluation: WON, 0 or -WON where solved."""
        return float(WON * np.sign(self.value)) if self.solved else self.value

    def line(self, size: int) -> str:
        """Return a line of text."""
        kind = "solved" if self.solved else f"depth {self.depth}"
        line = " ".join(square_name(move, size) for move in self.variation)
        value = f"{self.value:+.0f}" if self.solved else f"{self.value:+.2f}"
        return f"{value}, {kind}, {self.nodes:,} nodes in {self.seconds:.2f} s: {line}"


SHARE = 0.5
"""The share of a move's limits that the solver may use before the end is near."""
# With 18 empty squares on 8x8 so many positions suffice to find out who wins, in four of five positions of
# good games; each further square multiplies them. Measured on 24 games of `search:nodes=20000`.
_POSITIONS_AT_18, _GROWTH = 180_000, 2.1
_SOLVED_A_SECOND = 15_000_000
"""Positions that the solver visits in a second of a core."""
_SOLVED_A_NODE = 2
"""Positions that the solver visits in the time of a node of the search."""


class Endgame:
    """Solves positions of one board size, as far as the limits of a search allow."""

    def __init__(self, size: int, evaluator: Evaluator | None, limits: Limits) -> None:
        self.solver = Solver(size, hash_mib=limits.hash_mib, evaluator=evaluator, threads=limits.threads)
        self.limit(limits)

    def limit(self, limits: Limits) -> None:
        """Apply other limits from now on."""
        self._limits = limits
        self._near = ENDGAME if limits.endgame is None else limits.endgame
        self._early = _earliest(limits) if limits.endgame is None and self.solver.size <= ONE_WORD else 0

    def is_near(self, board: Board) -> bool:
        """Tell whether a position is to be solved, whatever the effort."""
        return board.empties <= self._near

    def may_be_solved(self, board: Board) -> bool:
        """Tell whether an attempt will probably find out who wins within its share of the limits."""
        return board.empties <= self._early

    def begin(self) -> None:
        """Reset the count of nodes and the order to stop; keep the table if there is a clock."""
        if self._limits.seconds is None and self.solver.nodes:
            self.solver.forget()
        self.solver.begin()

    def solve(self, board: Board, report: Report) -> Report | None:
        """Return the exact result; if interrupted, `report` with a move known to win or draw, or None."""
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
        """Do the same as `solve`, within a share of the limits of the move."""
        if self._limits.nodes is not None:
            self.solver.begin(int(SHARE * _SOLVED_A_NODE * self._limits.nodes))
        planned = self._limits.planned_seconds
        seconds = None if planned is None else SHARE * planned
        with alarm(seconds, time.perf_counter(), self.solver.stop):
            return self.solve(board, report)


def _earliest(limits: Limits) -> int:
    """Return from how many empty squares on an attempt pays; 0 without a limit of time or nodes."""
    budgets = []
    if limits.planned_seconds is not None:
        budgets.append(SHARE * _SOLVED_A_SECOND * limits.planned_seconds)
    if limits.nodes is not None:
        budgets.append(SHARE * _SOLVED_A_NODE * limits.nodes)
    return _empties_for(min(budgets)) if budgets else 0


def _empties_for(positions: float) -> int:
    """Return with how many empty squares so many positions probably suffice to find out who wins."""
    return math.floor(18 + math.log(max(1.0, positions) / _POSITIONS_AT_18, _GROWTH))


RESERVE = 3
"""Shares of the time reserved for the moves that are solved."""
MOST = 3.0
"""A move takes at most so many shares."""
_LAG = 0.1
"""Seconds of the clock reserved for the communication between two programs."""
_LARGEST_PART = 0.5
"""A move takes at most this part of the time that is left."""


def limited(limits: Limits, left: float, moves: int, board: Board) -> Limits:
    """Return the limits of a move where `left` seconds remain for the next `moves` of the side to move.

    0 is all moves of the game: the time then has a share for each move until the rest can be solved, and
    RESERVE more.
    """
    usable = max(0.0, left - _LAG)
    solvable = _empties_for(SHARE * _SOLVED_A_SECOND * left) if board.size <= ONE_WORD else ENDGAME
    shares = max(0, board.empties - max(ENDGAME, solvable)) / 2 + RESERVE
    share = usable / (min(shares, moves) if moves else shares)
    most = min(MOST * share, usable if moves == 1 else _LARGEST_PART * usable)
    if limits.seconds is not None:
        share, most = min(share, limits.seconds), min(most, limits.seconds)
    return replace(limits, seconds=most, target_seconds=share)


@contextmanager
def alarm(seconds: float | None, started: float, stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` when the time is up, from another thread: compiled code releases the interpreter's lock."""
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
