"""The results of many positions at once, beside the solver of one."""

import numpy as np
import pytest

from othello_lab.game import Board
from othello_lab.game.batch.positions import Positions
from othello_lab.game.solver import Solver
from othello_lab.game.solver.many import results_of
from tests.game.test_deepening import played


@pytest.mark.parametrize(("size", "left"), [(4, 8), (6, 10), (8, 11), (10, 9)])
def test_results_are_the_signs_of_exact_values(size: int, left: int) -> None:
    boards, solver = [played(size, left, seed).board for seed in range(30)], Solver(size, hash_mib=4)
    expected = np.sign([solver.value(board) for board in boards]).tolist()
    assert results_of(Positions.of(boards)).tolist() == expected
    assert len(set(expected)) > 1


def test_a_side_that_must_pass_and_a_finished_game_have_results() -> None:
    boards = [Board.parse("XXX-XOOOXXO-XXX- O"), Board.parse("XXXXXXXXXXXXXXXX O")]
    assert results_of(Positions.of(boards)).tolist() == [np.sign(Solver(4).value(boards[0])), -1]
