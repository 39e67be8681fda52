"""Iterative deepening. `DeepeningSearch` finds the best move, and `Ranking` evaluates every move."""

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.board import Board, Colour
from othello_lab.game.evaluators.evaluator import CompiledEvaluator, Evaluator, by_depth
from othello_lab.game.kernels.bits import from_int
from othello_lab.game.notation import PASS
from othello_lab.game.search import deepening_kernels as kernels
from othello_lab.game.search.endgame import ENDGAME, SHARE, Endgame
from othello_lab.game.search.limits import Limits, Report, alarm
from othello_lab.game.search.textbook import DEEPEST, search
from othello_lab.game.solver.table import NOTHING, Table, age, clear, new_table, remembered_move

# The fractions of the time limit after which no iteration begins, because each iteration takes longer than
# the last. The second fraction applies if the last _STEADY iterations have found the same move.
_LAST_START, _STEADY_START, _STEADY = 0.8, 0.5, 4
_BRANCHING = 8  # The assumed branching factor of a batched search, which does not prune.
_NO_LIMIT = np.iinfo(np.int64).max
# The depth of the search before the solver, which gives a fallback move if the solver is too slow.
_FALLBACK_DEPTH = 6


class DeepeningSearch:
    """A search for the best move on one board size.

    If time or nodes are limited, the table is kept between moves of a game. Else a search clears the table.
    """

    def __init__(self, size: int, evaluator: Evaluator, limits: Limits) -> None:
        """Raises ValueError if the evaluator is for another board size."""
        self.size = size
        self._evaluator = evaluator
        self.limits = limits
        """The limits of the next search. The tables keep their size."""
        self._endgame = Endgame(size, evaluator, limits.hash_mib)
        self._state: kernels.State = np.zeros(1, kernels.STATE)[0]
        self._state["size"] = self._state["solver"]["size"] = size
        self._has_answer = False
        self._last_empties = 0  # The number of empty squares in the last search, or 0 before the first.
        self._table: Table = None
        self._is_empty = True  # Whether the table has no entries.
        self._unaged = 0  # The number of positions visited since the table was last aged or cleared.
        if isinstance(evaluator, CompiledEvaluator):
            evaluator.check_size(size)
            self._state["parameters"] = evaluator.parameters
            if limits.probcut and evaluator.predictions is not None:
                self._state["predictions"] = by_depth(evaluator.predictions, DEEPEST)
            self._table = new_table(limits.hash_mib, np.float64)
            # Compile or load the functions of `think` now, so that measured times include only the search.
            finished = from_int(1, size), from_int(0, size)
            kernels.search_moves(*finished, 1, np.array([PASS], np.int64), self._state, self._table)

    def think(self, board: Board, rng: np.random.Generator) -> Report:
        """Search an unfinished position and return the result."""
        self._begin(board, rng)
        moves = rng.permutation(np.array(list(board.legal_moves) or [PASS], np.int64))
        # This search has no time limit, so it always finds a move.
        report = self._look(board, moves, 1)
        assert report is not None  # noqa: S101  nothing stops a search before it has a move
        self._has_answer = True
        if len(moves) > 1:
            self._state["limit"] = self.limits.nodes or _NO_LIMIT
            with alarm(self.limits.seconds, self._started, self._stop):
                report = self._think_on(board, moves, report)
        if not report.solved:
            line = self._variation(board.play(report.move), report.depth - 1)
            report = replace(report, variation=(report.move, *line))
        nodes = int(self._state["nodes"]) + self._endgame.solver.nodes
        self._unaged += nodes
        return replace(report, nodes=nodes, seconds=time.perf_counter() - self._started)

    def stop(self) -> None:
        """Interrupt `think` in another thread, but only if `think` has already found a move."""
        if self._has_answer:
            self._stop()

    def forget(self) -> None:
        """Begin a game. Without a time limit, the next search then clears the table."""
        self._last_empties = 0

    def _begin(self, board: Board, rng: np.random.Generator) -> None:
        self._started, self._rng, self._has_answer = time.perf_counter(), rng, False
        self._state["nodes"], self._state["limit"], self._state["stop"] = 0, _NO_LIMIT, False
        self._state["refutations"] = 0
        goes_on, self._last_empties = board.empties < self._last_empties, board.empties
        keep = self.limits.seconds is not None or (self.limits.nodes is not None and goes_on)
        self._endgame.begin(self.limits, keep)
        if self._table is not None and not self._is_empty and (not keep or self._unaged > self._table.size):
            (age if keep else clear)(self._table)
            self._unaged = 0
        self._is_empty = False

    def _stop(self) -> None:
        self._state["stop"] = True
        self._endgame.solver.stop()

    def _think_on(self, board: Board, moves: NDArray[np.int64], report: Report) -> Report:
        deepest = min(self.limits.depth, board.empties + 4)
        first = min(_FALLBACK_DEPTH, deepest)
        if self._endgame.is_near(board):
            if self.limits.seconds is not None and not self._endgame.may_be_solved(board):
                report = self._deepen(board, moves, report, first)
            return self._endgame.solve(board, report) or report
        if self._endgame.may_be_solved(board):
            report = self._deepen(board, moves, report, first)
            solution = self._endgame.attempt(board, report)
            if self.limits.nodes is not None:
                self._state["limit"] = int((1 - SHARE) * self.limits.nodes)
            if solution:
                return solution
        return self._deepen(board, moves, report, deepest)

    def _deepen(self, board: Board, moves: NDArray[np.int64], report: Report, deepest: int) -> Report:
        """Deepen the search ply by ply until a limit is reached."""
        steady = 0
        for depth in range(report.depth + 1, deepest + 1):
            if self._state["stop"]:
                break
            before = time.perf_counter()
            moves = np.concatenate([moves[moves == report.move], moves[moves != report.move]])
            deeper = self._look(board, moves, depth)
            if deeper is None:
                break
            steady = steady + 1 if deeper.move == report.move else 0
            report = deeper
            if self._state["stop"] or self._is_late(time.perf_counter() - before, steady):
                break
        return report

    def _is_late(self, last: float, steady: int) -> bool:
        """Return whether to stop, after a look of `last` seconds and `steady` looks with the same move."""
        seconds, elapsed = self.limits.seconds, time.perf_counter() - self._started
        if self._table is not None:
            part = _LAST_START if steady < _STEADY else _STEADY_START
            return seconds is not None and elapsed > part * seconds
        if _BRANCHING * self._state["nodes"] > self._state["limit"]:
            return True
        return seconds is not None and elapsed + _BRANCHING * last > seconds

    def _look(self, board: Board, moves: NDArray[np.int64], depth: int) -> Report | None:
        """Search to one depth. If interrupted, return the best move so far, or None."""
        if self._table is None:
            result = search(board, "negamax", depth, self._evaluator, self._rng)
            self._state["nodes"] += result.nodes
            assert result.move is not None  # noqa: S101  the position is not finished
            return Report(result.move, result.value, depth, False, (result.move,), 0, 0.0)
        value, move = kernels.search_moves(*board.for_kernels, depth, moves, self._state, self._table)
        if move == NOTHING:
            return None
        depth -= int(self._state["stop"])
        return Report(int(move), float(value), depth, False, (int(move),), 0, 0.0)

    def _variation(self, board: Board, depth: int) -> Iterator[int]:
        """Yield the principal variation of a position from the table."""
        for _ in range(depth if self._table is not None else 0):
            if board.must_pass:
                board = board.play(PASS)
                yield PASS
                continue
            move = remembered_move(self._table, *board.for_kernels)
            if move == NOTHING:
                return
            board = board.play(move)
            yield int(move)


_LAST_LOOK = 0.3  # The fraction of the time after which no look (a search of all moves to one depth) begins.
_AT_ONCE = 0.001  # The minimum time limit of a search in seconds. A shorter search may find no move.


class Ranking:
    """A search that evaluates every move of a position, either to the same depth or exactly."""

    def __init__(self, evaluator: Evaluator, limits: Limits) -> None:
        endgame = ENDGAME if limits.endgame is None else limits.endgame  # the same for all moves
        self._evaluator, self._limits = evaluator, replace(limits, endgame=endgame)
        self._search: DeepeningSearch | None = None
        self._stopped = False

    def rank(self, board: Board, rng: np.random.Generator) -> list[Report]:
        """Return a report for each legal move, with the best move first."""
        *_, (reports, _) = self.looks(board, rng)
        return reports

    def looks(self, board: Board, rng: np.random.Generator) -> Iterator[tuple[list[Report], int]]:
        """Yield the reports after each look, the best move first, and the number of positions visited so far.

        Each look is one ply deeper than the previous look.
        """
        self._stopped = False
        seconds = self._limits.seconds
        # The clock starts after this look, because the first call may load the compiled code.
        reports = self._look(board, 1, None if seconds is None else time.perf_counter() + seconds, rng)
        nodes = last = sum(report.nodes for report in reports)
        yield reports, nodes
        begin = time.perf_counter()
        for plies in range(2, self._limits.depth):
            solved = all(report.solved for report in reports)
            if solved or self._stopped or self._is_late(begin, nodes + last / _LAST_LOOK):
                break
            deeper = self._look(board, plies, None if seconds is None else begin + seconds, rng)
            last = sum(report.nodes for report in deeper)
            nodes += last
            in_time = seconds is None or all(report.solved or report.depth > plies for report in deeper)
            if in_time and not self._stopped:
                reports = deeper
            yield reports, nodes

    def stop(self) -> None:
        """Interrupt a ranking in another thread. The ranking then returns the reports of the last look."""
        self._stopped = True
        if self._search:
            self._search.stop()

    def _is_late(self, begin: float, nodes: float) -> bool:
        """Return whether no time is left for another look. `nodes` is the expected total after the look."""
        if self._limits.seconds is not None:
            return time.perf_counter() - begin > _LAST_LOOK * self._limits.seconds
        return self._limits.nodes is not None and nodes > self._limits.nodes

    def _look(self, board: Board, depth: int, end: float | None, rng: np.random.Generator) -> list[Report]:
        """Return a report for each legal move. `end` is the deadline as a value of `time.perf_counter()`."""
        reports = []
        nodes = None if end is None else self._limits.nodes
        for move in board.legal_moves:
            left = _AT_ONCE if self._stopped else end and max(end - time.perf_counter(), _AT_ONCE)
            limits = replace(self._limits, depth=depth, nodes=nodes, seconds=left)
            self._search = DeepeningSearch(board.size, self._evaluator, limits)
            reports.append(_after(board, move, self._search, rng))
        return sorted(reports, key=lambda report: (-report.on_one_scale, -report.value))


def _after(board: Board, move: int, search: DeepeningSearch, rng: np.random.Generator) -> Report:
    """Return a report for one move. The value is for the side that makes the move."""
    line, after = [move], board.play(move)
    while len(after.legal_moves) <= 1 and not after.is_over:  # a forced move needs no search
        line.append(next(iter(after.legal_moves), PASS))
        after = after.play(line[-1])
    sign = 1 if after.turn is board.turn else -1
    if outcome := after.outcome():
        difference = outcome.disc_diff if board.turn is Colour.BLACK else -outcome.disc_diff
        return Report(move, difference, len(line), True, tuple(line), 0, 0.0)
    report = search.think(after, rng)
    depth, variation = len(line) + report.depth, (*line, *report.variation)
    return replace(report, move=move, value=sign * report.value, depth=depth, variation=variation)
