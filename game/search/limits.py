"""The limits of a search, its report, and the end of the game: when that is handed to the exact solver."""

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
from othello_lab.game.search.deepening_kernels import DEEPEST
from othello_lab.game.solver.solver import Solver, StoppedError
from othello_lab.game.values import WON

ENDGAME = 14
"""Empty squares from which on the game is solved in any case, unless a search is told otherwise."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a search may take for a move, and how much memory."""

    depth: int = DEEPEST
    """Plies."""
    seconds: float | None = None
    """None is no limit: then only the depth counts, and the same seed gives the same move."""
    aim: float | None = None
    """Seconds that a move is to take where there is a clock for the game: `seconds` is then how long it may.

    `limited` sets both.
    """
    endgame: int | None = None
    """From this many empty squares on the game is solved: won or lost first, then exactly.

    None is from ENDGAME on, and earlier as far as seconds or nodes allow.
    """
    nodes: int | None = None
    """Positions looked at before the endgame; None is no limit."""
    probcut: bool = True
    """Whether branches are cut by what shallow searches predict, where the evaluation says how well."""
    hash_mib: int = 16
    """Memory of the transposition table in MiB; the solver takes as much again."""
    threads: int = 1
    """With more than one, no two searches need be alike; then `nodes` are those of a thread."""

    @property
    def usual(self) -> float | None:
        """Seconds that a move is to take; None is no limit."""
        return self.seconds if self.aim is None else self.aim

    def patience(self, value: float, is_new: bool) -> float | None:
        """Return the seconds for a position of this expected result, whose best move may be new.

        With a clock for the game an open position gets up to one and a half times the usual, a decided one
        half of it, and a new best move half as much again; no more than is allowed.
        """
        if self.seconds is None or self.aim is None:
            return self.seconds
        return min(self.seconds, self.aim * (1.5 - min(1.0, abs(value))) * (1.5 if is_new else 1.0))


@dataclass(frozen=True, slots=True)
class Report:
    """What a search found out about a position."""

    move: int
    """A square, or PASS where the side to move must."""
    value: float
    """For the side to move: an evaluation, near 1e9 or -1e9 for a certain win or loss; discs where solved."""
    depth: int
    """Plies of the last search that was finished."""
    solved: bool
    """Whether move and value are exact, to the end of the game."""
    variation: tuple[int, ...]
    """The principal variation as far as it is known, from `move` on."""
    nodes: int
    seconds: float

    @property
    def on_one_scale(self) -> float:
        """The value; of a solved position only whether it is won, drawn or lost, as evaluations say that."""
        return float(WON * np.sign(self.value)) if self.solved else self.value

    def line(self, size: int) -> str:
        """Return it in words."""
        kind = "solved" if self.solved else f"depth {self.depth}"
        line = " ".join(square_name(move, size) for move in self.variation)
        value = f"{self.value:+.0f}" if self.solved else f"{self.value:+.2f}"
        return f"{value}, {kind}, {self.nodes:,} nodes in {self.seconds:.2f} s: {line}"


SHARE = 0.5
"""The part of a move's effort that the solver may spend before the end is near."""
# Positions until it is known who wins, with 18 empty squares on 8x8, in four of five positions of good games,
# and the factor for each square more. Measured on 24 games of `search:nodes=20000`.
_POSITIONS_AT_18, _EACH = 180_000, 2.1
# Positions that the solver looks at in a second of a core, and those that it does in the time of one of the
# search.
_A_SECOND = 15_000_000
_OF_SOLVER = 2


class Endgame:
    """Solves positions of one board size, as far as the limits of a search allow."""

    def __init__(self, size: int, evaluator: Evaluator | None, limits: Limits) -> None:
        self._solver = Solver(size, hash_mib=limits.hash_mib, evaluator=evaluator, threads=limits.threads)
        self.limit(limits)

    def limit(self, limits: Limits) -> None:
        """Heed other limits from now on."""
        self._limits = limits
        self._near = ENDGAME if limits.endgame is None else limits.endgame
        self._early = _earliest(limits) if limits.endgame is None and self._solver.size <= ONE_WORD else 0

    @property
    def nodes(self) -> int:
        """Positions looked at since `begin`."""
        return self._solver.nodes

    @property
    def share(self) -> float | None:
        """Seconds of a move that an attempt may take; None is no limit."""
        return None if self._limits.usual is None else SHARE * self._limits.usual

    def is_near(self, board: Board) -> bool:
        """Tell whether a position is to be solved, whatever it takes."""
        return board.empties <= self._near

    def may_be_solved(self, board: Board) -> bool:
        """Tell whether an attempt pays: it probably finds out who wins in its share of the effort."""
        return board.empties <= self._early

    def begin(self) -> None:
        """Count nodes anew and heed no earlier order to stop; what was learnt is kept if there is a clock."""
        if self._limits.seconds is None and self._solver.nodes:
            self._solver.forget()
        self._solver.begin()

    def stop(self) -> None:
        """End what goes on in another thread."""
        self._solver.stop()

    def solve(self, board: Board, report: Report) -> Report | None:
        """Return the exact result; if it is stopped before, `report` with a move that surely wins or draws.

        None if no such move is known.
        """
        known = None
        try:
            for aim in (1, 0):
                if self._solver.bound(board, aim) >= aim:
                    move = self._solver.keeping(board, aim)
                    known = replace(report, move=move, variation=(move,))
                    break
            found = self._solver.solve(board)
        except StoppedError:
            return known
        depth = len(found.variation)
        return Report(found.variation[0], found.value, depth, True, tuple(found.variation), 0, 0.0)

    def scores(self, board: Board) -> dict[int, int]:
        """Return the exact value of every legal move, in discs; raises StoppedError when stopped."""
        return self._solver.scores(board)

    def attempt(self, board: Board, report: Report) -> Report | None:
        """Do the same within a share of the nodes; of the time the caller sees to that, with `stop`."""
        if self._limits.nodes is not None:
            self._solver.begin(int(SHARE * _OF_SOLVER * self._limits.nodes))
        return self.solve(board, report)


def _earliest(limits: Limits) -> int:
    """Return from how many empty squares on an attempt pays; 0 without a limit of time or nodes."""
    budgets = []
    if limits.usual is not None:
        budgets.append(SHARE * _A_SECOND * limits.usual)
    if limits.nodes is not None:
        budgets.append(SHARE * _OF_SOLVER * limits.nodes)
    return _empties_for(min(budgets)) if budgets else 0


def _empties_for(positions: float) -> int:
    """Return with how many empty squares so many positions probably suffice to find out who wins."""
    return math.floor(18 + math.log(max(1.0, positions) / _POSITIONS_AT_18, _EACH))


def solvable(seconds: float, size: int) -> int:
    """Return with how many empty squares a game is likely to be solved in a share of these seconds."""
    return max(ENDGAME, _empties_for(SHARE * _A_SECOND * seconds)) if size <= ONE_WORD else ENDGAME


RESERVE = 3
"""Shares of the time that are kept for the moves after which the game is solved."""
MOST = 3.0
"""How many times its share a move takes at most, while better moves are found."""
# Seconds that are left on the clock for whatever happens between the two programs.
_LAG = 0.1
# Of what is left no move takes more than this part.
_PART = 0.5


def limited(limits: Limits, left: float, moves: int, board: Board) -> Limits:
    """Return the limits of a move where `left` seconds are left for the next `moves` of the side to move.

    0 is for all moves of the game: as many shares as it makes until the rest can be solved, and RESERVE.
    """
    usable = max(0.0, left - _LAG)
    share = usable / _shares(left, moves, board)
    most = min(MOST * share, usable if moves == 1 else _PART * usable)
    own = limits.seconds
    if own is not None:
        share, most = min(share, own), min(most, own)
    return replace(limits, seconds=most, aim=share)


def _shares(left: float, moves: int, board: Board) -> float:
    own = max(0, board.empties - solvable(left, board.size)) / 2 + RESERVE
    return min(own, moves) if moves else own


@contextmanager
def alarm(seconds: float | None, started: float, stop: Callable[[], None]) -> Iterator[None]:
    """Stop what is done within when the time is up: compiled code lets go of the interpreter's lock."""
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
