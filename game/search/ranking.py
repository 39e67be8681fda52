"""A ranking of all moves of a position, for advice. To play, a search need only find the best."""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from othello_lab.game.board import Board, Colour
from othello_lab.game.evaluators import Evaluator
from othello_lab.game.notation import PASS
from othello_lab.game.search.deepening import DeepeningSearch
from othello_lab.game.search.limits import ENDGAME, Limits, Report

# Another look, a ply deeper, takes about three times as long as the one before it.
_LAST_START = 0.3
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
            if solved or self._stopped or self._is_late(begin, nodes + last / _LAST_START):
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
            return time.perf_counter() - begin > _LAST_START * self._limits.seconds
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
