"""A ranking of all moves of a position, for advice. To play, a search need only find the best."""

import time
from dataclasses import replace

import numpy as np

from game.board import Board, Colour
from game.evaluators import Evaluator
from game.notation import PASS
from game.search.deepening import DeepeningSearch
from game.search.limits import ENDGAME, Limits, Report

DEFAULT_SECONDS = 1.0
# Another look, a ply deeper, takes about three times as long as the one before it.
_LAST_START = 0.3
# What is left of the time when it is up: for an answer there must be some.
_AT_ONCE = 0.001


class Ranking:
    """Finds out what every move is worth. Another thread may stop it."""

    def __init__(self, evaluator: Evaluator, limits: Limits) -> None:
        endgame = ENDGAME if limits.endgame is None else limits.endgame  # the same for all moves
        self._evaluator, self._limits = evaluator, replace(limits, endgame=endgame)
        self._search: DeepeningSearch | None = None
        self._stopped = False

    def rank(self, board: Board, rng: np.random.Generator) -> list[Report]:
        """Return a report on each legal move of a position that has one, the best move first.

        All are searched equally deep, or solved: until the time of the limits is up; or else until their
        nodes are spent on all moves together, so that the same seed gives the same answer; or for
        DEFAULT_SECONDS.
        """
        self._stopped = False
        seconds, nodes = self._limits.seconds, self._limits.nodes
        if seconds is None and nodes is not None:
            return _ordered(self._by_nodes(board, nodes, rng))
        return _ordered(self._by_time(board, seconds or DEFAULT_SECONDS, rng))

    def stop(self) -> None:
        """Have a `rank` in another thread end with what it knows of each move, a ply deep at least."""
        self._stopped = True
        if self._search:
            self._search.stop()

    def _by_nodes(self, board: Board, nodes: int, rng: np.random.Generator) -> list[Report]:
        """Look deeper while there are nodes left; a look that spends them is not begun."""
        ranked, spent = self._look(board, 1, None, rng), 0
        for depth in range(2, self._limits.depth):
            last = sum(report.nodes for report in ranked)
            spent += last
            if all(report.solved for report in ranked) or spent + last / _LAST_START > nodes:
                break
            found = self._look(board, depth, None, rng)
            if self._stopped:
                break
            ranked = found
        return ranked

    def _by_time(self, board: Board, seconds: float, rng: np.random.Generator) -> list[Report]:
        # The clock starts after this: the first call may have to load the compiled code.
        ranked = self._look(board, 1, time.perf_counter() + seconds, rng)
        begin = time.perf_counter()
        end = begin + seconds
        for depth in range(2, self._limits.depth):
            late = self._stopped or time.perf_counter() - begin > _LAST_START * seconds
            if late or all(report.solved for report in ranked):
                break
            found = self._look(board, depth, end, rng)
            if all(report.solved or report.depth > depth for report in found):  # else the time was up
                ranked = found
        return ranked

    def _look(self, board: Board, depth: int, end: float | None, rng: np.random.Generator) -> list[Report]:
        """Report on each legal move, until the clock says `end` at the latest, or until it is stopped."""
        found = []
        nodes = None if end is None else self._limits.nodes
        for move in board.legal_moves:
            left = _AT_ONCE if self._stopped else end and max(end - time.perf_counter(), _AT_ONCE)
            limits = replace(self._limits, depth=depth, nodes=nodes, seconds=left)
            self._search = DeepeningSearch(board.size, self._evaluator, limits)
            found.append(_after(board, move, self._search, rng))
        return found


def _ordered(reports: list[Report]) -> list[Report]:
    return sorted(reports, key=lambda report: (-report.on_one_scale, -report.value))


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
