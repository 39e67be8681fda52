"""Iterative deepening, the search behind the player `search`; exact when the end is near.

`Ranking` searches every move, for advice: to play, a search need only find the best.
"""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.positions import Positions
from othello_lab.game.board import Board, Colour
from othello_lab.game.evaluators.evaluator import CompiledEvaluator, Evaluator, scale_of
from othello_lab.game.evaluators.probcut import by_depth
from othello_lab.game.kernels.bits import from_int
from othello_lab.game.notation import PASS
from othello_lab.game.search import deepening_kernels as kernels
from othello_lab.game.search.limits import ENDGAME, SHARE, Endgame, Limits, Report, alarm
from othello_lab.game.search.textbook import search
from othello_lab.game.solver.table import NOTHING, Table, age, clear, new_table, remembered_move
from othello_lab.game.threads import alongside
from othello_lab.game.values import POINTS

# What is left of the time when another, several times longer, iteration would hardly end.
_LAST_START = 0.6
# The factor by which one ply more costs the search in batches, which prunes nothing.
_BRANCHING = 8
_NO_LIMIT = np.iinfo(np.int64).max
# Before it solves an endgame against the clock it searches so deep, to have a move in any case.
_FALLBACK_DEPTH = 6


class DeepeningSearch:
    """Finds moves on boards of one size. Without a limit of time what it answers depends on the board, the
    seed and the limits alone: it remembers nothing from one move to the next. With one, where no two answers
    need be alike, it keeps what it has learnt.
    """

    def __init__(self, size: int, evaluator: Evaluator, limits: Limits) -> None:
        """Raises ValueError for an evaluator of another size."""
        self.size = size
        self._evaluator = evaluator
        self._limits = limits
        self._endgame = Endgame(size, evaluator, limits)
        self._states: kernels.State = np.zeros(limits.threads, kernels.STATE)
        self._states["size"] = size
        self._state: kernels.State = self._states[0]
        self._marks = kernels.new_marks()
        self._states["marks"] = self._marks.ctypes.data if limits.threads > 1 else 0
        self._has_answer = False
        self._table: Table = None
        if isinstance(evaluator, CompiledEvaluator):
            evaluator.check_size(size)
            self._states["parameters"] = evaluator.parameters
            if limits.probcut and evaluator.predictions is not None:
                self._states["predictions"] = by_depth(evaluator.predictions, kernels.DEEPEST)
            self._table = new_table(limits.hash_mib, np.float64)
            # Compiles, or loads from disk, what `think` calls, so that times are those of searching.
            finished = from_int(1, size), from_int(0, size)
            kernels.search_moves(*finished, 1, np.array([PASS], np.int64), self._state, self._table)

    def limit(self, limits: Limits) -> None:
        """Heed other limits from now on; tables keep their size."""
        self._limits = limits
        self._endgame.limit(limits)

    def think(self, board: Board, rng: np.random.Generator) -> Report:
        """Return what there is to know about a position that is not finished."""
        started = time.perf_counter()
        self._begin()
        moves = np.array(list(board.legal_moves) or [PASS], np.int64)
        moves = rng.permutation(moves)
        # No alarm yet: there is always an answer.
        report = self._look(board, moves, 1, rng)
        assert report is not None  # noqa: S101  nothing stops a search before it has an answer
        self._has_answer = True
        if len(moves) > 1:
            self._state["limit"] = self._limits.nodes or _NO_LIMIT
            with alarm(self._limits.seconds, started, self._stop):
                report = self._think_on(board, moves, report, rng, started)
        nodes = int(self._states["nodes"].sum()) + self._endgame.nodes
        return replace(report, nodes=nodes, seconds=time.perf_counter() - started)

    def ponder(self, board: Board) -> None:
        """Think about a position that may come; not without a limit of time, where nothing is remembered."""
        if self._limits.seconds is not None:
            self.think(board, np.random.default_rng(0))

    def stop(self) -> None:
        """Have a `think` in another thread end with what it knows; of no effect before it knows anything."""
        if self._has_answer:
            self._stop()

    def _begin(self) -> None:
        self._has_answer = False
        self._states["nodes"], self._states["limit"], self._states["stop"] = 0, _NO_LIMIT, False
        self._states["refutations"] = 0
        self._endgame.begin()
        if self._table is not None:
            (clear if self._limits.seconds is None else age)(self._table)

    def _stop(self) -> None:
        self._state["stop"] = True
        self._endgame.stop()

    def _think_on(
        self, board: Board, moves: NDArray[np.int64], report: Report, rng: np.random.Generator, started: float
    ) -> Report:
        deepest = min(self._limits.depth, board.empties + 4)
        first = min(_FALLBACK_DEPTH, deepest)
        if self._endgame.is_near(board):
            if self._limits.seconds is not None:
                report = self._deepen(board, moves, report, first, rng, started)
            return self._endgame.solve(board, report) or report
        if self._endgame.may_be_solved(board):
            report = self._deepen(board, moves, report, first, rng, started)
            if found := self._attempt(board, report):
                return found
        return self._deepen(board, moves, report, deepest, rng, started)

    def _attempt(self, board: Board, report: Report) -> Report | None:
        """Return what the solver finds in its share of the effort; None if that is too little to play by."""
        with alarm(self._endgame.share, time.perf_counter(), self._endgame.stop):
            found = self._endgame.attempt(board, report)
        if self._limits.nodes is not None:
            self._state["limit"] = int((1 - SHARE) * self._limits.nodes)
        return found

    def _deepen(
        self,
        board: Board,
        moves: NDArray[np.int64],
        report: Report,
        deepest: int,
        rng: np.random.Generator,
        started: float,
    ) -> Report:
        """Search a ply deeper while there is time, with the help of other threads."""
        with self._helped(board, report.depth + 1, deepest, moves):
            return self._deepen_alone(board, moves, report, deepest, rng, started)

    def _deepen_alone(
        self,
        board: Board,
        moves: NDArray[np.int64],
        report: Report,
        deepest: int,
        rng: np.random.Generator,
        started: float,
    ) -> Report:
        """Do so; the best move of one search is the first of the next."""
        for depth in range(report.depth + 1, deepest + 1):
            if self._state["stop"]:
                break
            before = time.perf_counter()
            moves = _with_first(moves, report.move)
            found = self._look(board, moves, depth, rng)
            if found is None:
                break
            is_new, report = found.move != report.move, found
            now = time.perf_counter()
            seconds = self._limits.patience(self._as_result(report.value), is_new)
            if self._state["stop"] or self._is_late(now - started, now - before, seconds):
                break
        return report

    def _as_result(self, value: float) -> float:
        """Return a value as an expected result, for a clock: points would all look decided."""
        if self._limits.aim is None or self._evaluator.unit != POINTS:
            return value
        return math.tanh(value / self._scale)

    @cached_property
    def _scale(self) -> float:
        return scale_of(self._evaluator, self.size)

    def _is_late(self, elapsed: float, last: float, seconds: float | None) -> bool:
        """Tell whether another iteration is not worth its beginning in so many seconds for the move."""
        if self._table is None and _BRANCHING * self._state["nodes"] > self._state["limit"]:
            return True
        if seconds is None:
            return False
        if self._table is None:
            return elapsed + _BRANCHING * last > seconds
        return elapsed > _LAST_START * seconds

    def _look(
        self, board: Board, moves: NDArray[np.int64], depth: int, rng: np.random.Generator
    ) -> Report | None:
        """Search to one depth; None if it was stopped before it knew anything.

        Of a search that was stopped on its way the best move so far is good: the first was the best before.
        """
        if self._table is None:
            result = search(board, "negamax", depth, self._evaluator, rng)
            self._state["nodes"] += result.nodes
            assert result.move is not None  # noqa: S101  the position is not finished
            return Report(result.move, result.value, depth, False, (result.move,), 0, 0.0)
        own, opponent = from_int(board.own, board.size), from_int(board.opponent, board.size)
        value, move = kernels.search_moves(own, opponent, depth, moves, self._state, self._table)
        if move == NOTHING:
            return None
        depth -= int(self._state["stop"])
        variation = (int(move), *self._variation(board.play(move), depth - 1))
        return Report(int(move), float(value), depth, False, variation, 0, 0.0)

    @contextmanager
    def _helped(self, board: Board, first: int, deepest: int, moves: NDArray[np.int64]) -> Iterator[None]:
        """Have the other threads deepen likewise meanwhile, every second a ply ahead, and fill the table."""
        others = self._states[1:] if self._table is not None else self._states[:0]
        others["stop"] = False
        own, opponent = from_int(board.own, board.size), from_int(board.opponent, board.size)

        def deepen(number: int, state: kernels.State) -> None:
            choices = moves
            for depth in range(first + number % 2, min(deepest + 1, kernels.DEEPEST)):
                _, move = kernels.search_moves(own, opponent, depth, choices, state, self._table)
                if state["stop"]:
                    break
                choices = _with_first(choices, move)

        def stop() -> None:
            others["stop"] = True

        with alongside([partial(deepen, number, state) for number, state in enumerate(others, 1)], stop):
            yield

    def _variation(self, board: Board, depth: int) -> Iterator[int]:
        """Yield the moves that the table holds for the best, as far as it does."""
        assert self._table is not None  # noqa: S101  only the compiled search has a table
        for _ in range(depth):
            if board.must_pass:
                board = board.play(PASS)
                yield PASS
                continue
            own, opponent = from_int(board.own, board.size), from_int(board.opponent, board.size)
            move = remembered_move(self._table, own, opponent)
            if move == NOTHING:
                return
            board = board.play(move)
            yield int(move)


def _with_first(moves: NDArray[np.int64], move: int) -> NDArray[np.int64]:
    """Return the moves with this one before all others."""
    return np.concatenate([moves[moves == move], moves[moves != move]])


_TABLE_MIB = 16


def searched(positions: Positions, depth: int, evaluator: CompiledEvaluator) -> NDArray[np.float64]:
    """Return the value of each position for its side to move, float64 [n].

    Of an n-tuple network that is the artanh of its values, as searches compare them; a won game is WON and
    the discs that it is won by. With an evaluator that has predictions, shallow searches cut deep ones.
    """
    state: kernels.State = np.zeros(1, kernels.STATE)[0]
    state["size"], state["limit"] = positions.size, _NO_LIMIT
    state["parameters"] = evaluator.parameters
    if evaluator.predictions is not None:
        state["predictions"] = by_depth(evaluator.predictions, kernels.DEEPEST)
    found, table = np.empty(len(positions)), new_table(_TABLE_MIB, np.float64)
    kind = from_int(0, positions.size)
    kernels.search_all(kind, positions.own, positions.opponent, depth, state, table, found)
    return found


# Another look, a ply deeper, takes about three times as long as the one before it.
_LAST_LOOK = 0.3
# What is left of the time when it is up: for an answer there must be some.
_AT_ONCE = 0.001


class Ranked(NamedTuple):
    """What is known of each move so far."""

    reports: list[Report]
    """One for each legal move, the best first."""
    nodes: int
    """Positions looked at since the ranking began."""


class Ranking:
    """Finds out what every move is worth. Another thread may stop it."""

    def __init__(self, evaluator: Evaluator, limits: Limits) -> None:
        """All moves of a position are searched equally deep, or solved, as far as the limits allow.

        Without a limit of seconds the same seed gives the same answer.
        """
        endgame = ENDGAME if limits.endgame is None else limits.endgame  # the same for all moves
        self._evaluator, self._limits = evaluator, replace(limits, endgame=endgame)
        self._search: DeepeningSearch | None = None
        self._stopped = False

    def rank(self, board: Board, rng: np.random.Generator) -> list[Report]:
        """Return a report on each legal move of a position that has one, the best move first."""
        *_, (reports, _) = self.looks(board, rng)
        return reports

    def looks(self, board: Board, rng: np.random.Generator) -> Iterator[Ranked]:
        """Yield what is known after each look, a ply deeper than the one before."""
        self._stopped = False
        seconds = self._limits.seconds
        # The clock starts after this: the first call may have to load the compiled code.
        reports = self._look(board, 1, None if seconds is None else time.perf_counter() + seconds, rng)
        nodes = last = _nodes(reports)
        yield Ranked(reports, nodes)
        begin = time.perf_counter()
        for plies in range(2, self._limits.depth):
            solved = all(report.solved for report in reports)
            if solved or self._stopped or self._is_late(begin, nodes + last / _LAST_LOOK):
                break
            found = self._look(board, plies, None if seconds is None else begin + seconds, rng)
            last = _nodes(found)
            nodes += last
            in_time = seconds is None or all(report.solved or report.depth > plies for report in found)
            if in_time and not self._stopped:
                reports = found
            yield Ranked(reports, nodes)

    def stop(self) -> None:
        """Have a ranking in another thread end with what it knows of each move, a ply deep at least."""
        self._stopped = True
        if self._search:
            self._search.stop()

    def _is_late(self, begin: float, nodes: float) -> bool:
        """Tell whether another look is not worth its beginning; with it there would be `nodes` in all."""
        if self._limits.seconds is not None:
            return time.perf_counter() - begin > _LAST_LOOK * self._limits.seconds
        return self._limits.nodes is not None and nodes > self._limits.nodes

    def _look(self, board: Board, depth: int, end: float | None, rng: np.random.Generator) -> list[Report]:
        """Report on each legal move, until the clock says `end` at the latest, or until it is stopped."""
        found = []
        nodes = None if end is None else self._limits.nodes
        for move in board.legal_moves:
            left = _AT_ONCE if self._stopped else end and max(end - time.perf_counter(), _AT_ONCE)
            limits = replace(self._limits, depth=depth, nodes=nodes, seconds=left)
            self._search = DeepeningSearch(board.size, self._evaluator, limits)
            found.append(_after(board, move, self._search, rng))
        return sorted(found, key=lambda report: (-report.on_one_scale, -report.value))


def _nodes(reports: list[Report]) -> int:
    return sum(report.nodes for report in reports)


def _after(board: Board, move: int, search: DeepeningSearch, rng: np.random.Generator) -> Report:
    """Report on one move, from the view of who makes it."""
    line, after = [move], board.play(move)
    while len(after.legal_moves) <= 1 and not after.is_over:  # a forced move needs no search
        line.append(next(iter(after.legal_moves), PASS))
        after = after.play(line[-1])
    sign = 1 if after.turn is board.turn else -1
    if outcome := after.outcome():
        difference = outcome.disc_diff if board.turn is Colour.BLACK else -outcome.disc_diff
        return Report(move, difference, len(line), True, tuple(line), 0, 0.0)
    found = search.think(after, rng)
    depth, variation = len(line) + found.depth, (*line, *found.variation)
    return replace(found, move=move, value=sign * found.value, depth=depth, variation=variation)
