"""What every move of a position is worth: for advice. To play, a search need only find the best."""

import time
from dataclasses import replace

import numpy as np

from game.board import Board, Colour
from game.evaluators import Evaluator
from game.notation import PASS
from game.search.deepening import DeepeningSearch, Limits, Report

DEFAULT_SECONDS = 1.0
# Another look, a ply deeper, takes about three times as long as the one before it.
_LAST_START = 0.3


def rank(board: Board, evaluator: Evaluator, limits: Limits, rng: np.random.Generator) -> list[Report]:
    """Return a report on each legal move of a position that has one, the best move first.

    All are searched equally deep, or solved: until the time of the limits is up; or else until their nodes
    are spent on all moves together, so that the same seed gives the same answer; or for DEFAULT_SECONDS.
    """
    if limits.seconds is None and limits.nodes is not None:
        return _ordered(_by_nodes(board, evaluator, limits, limits.nodes, rng))
    return _ordered(_by_time(board, evaluator, limits, limits.seconds or DEFAULT_SECONDS, rng))


def _ordered(reports: list[Report]) -> list[Report]:
    return sorted(reports, key=lambda report: (-report.on_one_scale, -report.value))


def _by_nodes(
    board: Board, evaluator: Evaluator, limits: Limits, nodes: int, rng: np.random.Generator
) -> list[Report]:
    """Look deeper while there are nodes left; a look that spends them is not begun."""
    ranked, spent = _look(board, evaluator, replace(limits, depth=1, nodes=None), None, rng), 0
    for depth in range(2, limits.depth):
        last = sum(report.nodes for report in ranked)
        spent += last
        if all(report.solved for report in ranked) or spent + last / _LAST_START > nodes:
            break
        ranked = _look(board, evaluator, replace(limits, depth=depth, nodes=None), None, rng)
    return ranked


def _by_time(
    board: Board, evaluator: Evaluator, limits: Limits, seconds: float, rng: np.random.Generator
) -> list[Report]:
    # The clock starts after this: the first call may have to load the compiled code.
    ranked = _look(board, evaluator, replace(limits, depth=1), time.perf_counter() + seconds, rng)
    begin = time.perf_counter()
    end = begin + seconds
    for depth in range(2, limits.depth):
        late = time.perf_counter() - begin > _LAST_START * seconds
        if late or all(report.solved for report in ranked):
            break
        found = _look(board, evaluator, replace(limits, depth=depth), end, rng)
        if all(report.solved or report.depth > depth for report in found):  # else the time was up
            ranked = found
    return ranked


def _look(
    board: Board, evaluator: Evaluator, limits: Limits, end: float | None, rng: np.random.Generator
) -> list[Report]:
    """Report on each legal move, until the clock says `end` at the latest."""
    found = []
    for move in board.legal_moves:
        left = end and max(end - time.perf_counter(), 0.001)
        search = DeepeningSearch(board.size, evaluator, replace(limits, seconds=left))
        found.append(_after(board, move, search, rng))
    return found


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
