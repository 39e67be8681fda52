"""The scores and searched values of many positions at once, beside those of one."""

import numpy as np
import pytest

from othello_lab.game import Board
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import CompiledEvaluator, make_evaluator
from othello_lab.game.search import batched
from othello_lab.game.search.deepening import searched
from othello_lab.game.solver import Solver
from othello_lab.game.solver.solver import discs_of
from tests.game.test_deepening import played


@pytest.mark.parametrize(("size", "left"), [(4, 8), (6, 10), (8, 11), (10, 9)])
def test_discs_are_those_of_exact_values(size: int, left: int) -> None:
    boards, solver = [played(size, left, seed).board for seed in range(30)], Solver(size, hash_mib=4)
    values = np.array([solver.value(board) for board in boards])
    assert len(set(np.sign(values))) > 1
    for guesses in (np.zeros(30, np.int64), values, np.full(30, -3), np.arange(30)):
        assert discs_of(Positions.of(boards), guesses).tolist() == values.tolist()


def test_a_side_that_must_pass_and_a_finished_game_have_discs() -> None:
    boards = [Board.parse("XXX-XOOOXXO-XXX- O"), Board.parse("XXXXXXXXXXXXXXXX O")]
    value = Solver(4).value(boards[0])
    assert discs_of(Positions.of(boards), np.zeros(2, np.int64)).tolist() == [value, -16]


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_searched_values_are_those_of_a_search_that_prunes_nothing(depth: int) -> None:
    evaluator = make_evaluator("ntuple:pretrained", 6)
    assert isinstance(evaluator, CompiledEvaluator)
    positions = Positions.of([played(6, left, seed).board for seed in range(10) for left in (8, 16, 24)])
    assert evaluator.predictions is None
    found = np.tanh(searched(positions, depth, evaluator))
    expected, _ = batched.values(positions, depth, evaluator)
    assert found == pytest.approx(np.clip(expected, -1, 1))
