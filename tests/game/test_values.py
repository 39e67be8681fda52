from itertools import pairwise

import numpy as np
import pytest

from othello_lab.game import Board
from othello_lab.game.catalogue import make_evaluator
from othello_lab.game.players.player import MoveValues
from othello_lab.game.search.deepening import DeepeningSearch
from othello_lab.game.search.limits import Limits
from othello_lab.game.solver.solver import Solver
from othello_lab.game.values import (
    DISCS,
    ESTIMATE,
    EXPECTED_DISCS,
    EXPECTED_RESULT,
    POINTS,
    WON,
    expected_discs,
    in_discs,
)
from tests.game.sampling import played


@pytest.mark.parametrize(("size", "left"), [(4, 1), (6, 8), (8, 200), (16, 200)])
def test_better_is_more_discs_and_the_other_side_has_the_same_lost(size: int, left: int) -> None:
    board = played(size, left, seed=1).board
    discs = [expected_discs(value, EXPECTED_RESULT, board) for value in np.linspace(-1, 1, 41)]
    assert all(less <= more for less, more in pairwise(discs))
    assert discs[20] == 0 < discs[21]
    assert discs == pytest.approx([-more for more in reversed(discs)])
    assert 0 < discs[-1] <= size**2


def test_what_is_sure_is_exact() -> None:
    board = Board.start(8)
    assert expected_discs(-12, DISCS, board) == -12
    assert expected_discs(WON + 6, EXPECTED_RESULT, board) == 6
    assert expected_discs(-WON - 30, POINTS, board) == -30
    assert expected_discs(-WON, EXPECTED_RESULT, board) == -64
    assert expected_discs(3.5, POINTS, board) == 3.5


def test_discs_that_an_evaluation_was_fitted_to_come_back() -> None:
    board = Board.start(8)
    for discs in (-40, -3, 0, 2, 17):
        assert expected_discs(np.tanh(discs / 16), EXPECTED_DISCS, board) == pytest.approx(discs, abs=0.05)
    assert expected_discs(-1.0, EXPECTED_DISCS, board) == -64
    shown = in_discs(MoveValues(np.tanh(np.array([0.25, -0.5])), EXPECTED_DISCS), board)
    assert shown is not None
    assert (shown.values.tolist(), shown.unit) == ([4, -8], ESTIMATE)


def test_people_are_shown_an_expected_result_as_discs_and_all_else_as_it_is() -> None:
    board, values = Board.start(8), np.array([0.2, -0.5, WON, -WON])
    shown = in_discs(MoveValues(values, EXPECTED_RESULT), board)
    assert shown is not None
    assert shown.unit == ESTIMATE
    assert shown.values[0] == expected_discs(0.2, EXPECTED_RESULT, board) > 0 > shown.values[1]
    assert [*shown.values[2:]] == [WON, -WON]
    points = MoveValues(values, POINTS)
    assert in_discs(points, board) is points
    assert in_discs(None, board) is None


def test_what_the_shipped_evaluation_expects_is_near_the_truth() -> None:
    search = DeepeningSearch(8, make_evaluator("ntuple:pretrained", 8), Limits(depth=4, endgame=0))
    solver, rng, off = Solver(8), np.random.default_rng(0), []
    for seed in range(16):
        board = played(8, 14, seed).board
        value = search.think(board, rng).value
        off.append(expected_discs(value, EXPECTED_RESULT, board) - solver.value(board))
    assert np.mean(np.abs(off)) < 9
    assert abs(np.mean(off)) < 5
