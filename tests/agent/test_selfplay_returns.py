"""What learners of position values learn from whole games, by hand."""

import pytest

from agent.selfplay.played import lambda_returns
from tests.agent.played import played


def test_lambda_returns_by_hand() -> None:
    # The other side decides next, then the same side after a pass, then the game ends in a win.
    game = played([0.2, -0.4, 0.6, 1.0], [True, True, True, True], [-1, 1, -1, 0])
    third = 0.5 * 0.6 + 0.5 * -1.0
    second = 0.5 * -0.4 + 0.5 * third
    first = 0.5 * 0.2 + 0.5 * -second
    assert lambda_returns(game, 0.5).tolist() == pytest.approx([first, second, third, 1.0])
    assert lambda_returns(game, 0.0).tolist() == [0.2, -0.4, 0.6, 1.0]
    assert lambda_returns(game, 1.0).tolist() == [1.0, -1.0, -1.0, 1.0]
    # What follows a move that was not the best says nothing of the best one.
    cut = played([0.2, -0.4, 0.6, 1.0], [True, False, True, True], [-1, 1, -1, 0])
    assert lambda_returns(cut, 1.0).tolist() == [0.4, -0.4, -1.0, 1.0]
    discounted = lambda_returns(game, 1.0, gamma=0.5)
    assert discounted.tolist() == [0.125, -0.25, -0.5, 1.0]
