"""Threads that search or solve together."""

import threading

import numpy as np
import pytest

from othello_lab.game import Board
from othello_lab.game.search.deepening_kernels import PUT_OFF
from othello_lab.game.search.limits import Limits
from othello_lab.game.solver import Solver
from othello_lab.game.solver.solver import StoppedError
from othello_lab.game.solver.solver_kernels import take_best
from tests.game.test_deepening import played, think


@pytest.mark.parametrize(("size", "left"), [(6, 17), (8, 17), (10, 16)])
def test_threads_find_the_same_values(size: int, left: int) -> None:
    one, three = Solver(size, hash_mib=4), Solver(size, hash_mib=4, threads=3)
    for seed in range(3):
        board = played(size, left, seed).board
        assert one.value(board) == three.value(board)


def test_no_move_is_lost_when_the_best_are_taken_and_put_off() -> None:
    """A move that another thread searches is put off, and must be found again when all others are done."""
    moves = np.array([(3, 10), (9, 11), (5, 12), (7, 13)], np.int32)
    tried = []
    for index in range(4):
        while take_best(moves, index, 4) == 11 and moves[index, 0] != PUT_OFF:
            moves[index, 0] = PUT_OFF
        tried.append(int(moves[index, 1]))
    assert tried == [13, 12, 10, 11]


def test_threads_can_be_stopped_and_end_at_a_limit() -> None:
    solver = Solver(8, threads=3)
    timer = threading.Timer(0.05, solver.stop)
    timer.start()
    with pytest.raises(StoppedError):
        solver.value(Board.start(8))
    timer.join()
    solver.begin(limit=1000)
    with pytest.raises(StoppedError):
        solver.value(played(8, 20, seed=0).board)
    assert solver.nodes < 10_000_000
    solver.forget()
    assert solver.value(played(8, 16, seed=0).board) == Solver(8).value(played(8, 16, seed=0).board)


def test_threads_search_together_and_end_together() -> None:
    before = threading.active_count()
    for left in (40, 20, 12):
        board = played(8, left, seed=3).board
        report = think(board, Limits(depth=9, threads=3), "mobility")
        assert report.move in board.legal_moves
        assert report.depth >= 9 or report.solved
    assert report.value == Solver(8).value(board)
    timed = think(played(8, 40, seed=2).board, Limits(seconds=0.05, threads=2))
    assert timed.depth >= 1
    assert threading.active_count() == before
