"""Exact results near the end of games, as the n-tuple network learns from them."""

from dataclasses import replace

import numpy as np

from othello_lab.agent.ntuple.learner import with_exact_ends
from othello_lab.agent.selfplay.played import lambda_returns
from othello_lab.game import Board
from othello_lab.game.batch.positions import Positions
from othello_lab.game.solver import Solver
from tests.agent.played import played


def test_near_the_end_positions_are_learned_by_their_exact_results() -> None:
    """Of two decisions the first has 7 empty squares and the second 6."""
    second = Board.parse("----XXX-XOXXXOO- O")
    game = replace(
        played(best=[0.3, 0.9], greedy=[True, True], discount=[-1, 0]),
        positions=Positions.of([Board.parse("----XXX-XXX-XOO- X"), second]),
    )
    exact = np.sign(Solver(4).value(second))
    found = with_exact_ends(game, 6)
    assert lambda_returns(found, 1.0).tolist() == [-exact, exact]
    assert lambda_returns(with_exact_ends(game, 5), 1.0).tolist() == [-0.9, 0.9]
