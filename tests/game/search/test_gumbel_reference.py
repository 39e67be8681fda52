import math

import numpy as np
import pytest
from numpy.typing import NDArray

from othello_lab.game import Board
from othello_lab.game.batch import Positions
from othello_lab.game.board import Colour
from othello_lab.game.search.gumbel import GuidedLimits
from tests.game.search.gumbel_reference import Node, Search, bounds, q, visits_looked_for


class Even:
    def __init__(self, value: float = 0.0) -> None:
        self._value = value

    def judge(self, positions: Positions) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        n = len(positions)
        return np.zeros((n, positions.size**2), np.float32), np.full(n, self._value)


def node(logits: dict[int, float], value: float, **visits: tuple[int, float]) -> Node:
    """Return a node whose moves m0, m1, ... have some visits and the sum of their results."""
    board, other = Board.start(4), Board(4, 1, 2, Colour.WHITE)
    children = {
        int(name[1:]): Node(other, visits=count, total=-total) for name, (count, total) in visits.items()
    }
    return Node(board, logits, value, children)


def test_sequential_halving_visits_all_then_the_better_half() -> None:
    four = visits_looked_for(GuidedLimits(simulations=16, considered=4), moves=9)
    assert four == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    eight = visits_looked_for(GuidedLimits(simulations=16), moves=8)
    assert eight == [0] * 8 + [1] * 4 + [2] * 2 + [3] * 2
    assert visits_looked_for(GuidedLimits(simulations=3), moves=1) == [0, 1, 2]
    assert visits_looked_for(GuidedLimits(simulations=2), moves=5) == [0, 0]


def test_the_value_that_completes_q_by_hand() -> None:
    search = Search(Even(), GuidedLimits(simulations=4), Board.start(4))
    # Shares of .5, .25 and .25; the first move has found 0.6 on average, the second -0.2, the third nothing.
    of = node({0: math.log(2), 1: 0.0, 2: 0.0}, 0.3, m0=(3, 1.8), m1=(1, -0.2))
    mean = (0.5 * 0.6 + 0.25 * -0.2) / 0.75
    mixed = (0.3 + 4 * mean) / 5
    assert search.mixed_value(of) == pytest.approx(mixed)
    assert search.completed(of) == pytest.approx({0: 0.6, 1: -0.2, 2: mixed})
    scale = (50 + 3) * 1.0
    powers = [2 * math.exp(scale * 0.8), math.exp(scale * 0.4), math.exp(scale * (mixed + 1) / 2)]
    shares = {move: power / sum(powers) for move, power in enumerate(powers)}
    assert search.policy(of) == pytest.approx(shares)


def test_a_position_is_proven_by_one_win_or_by_all_moves() -> None:
    of = node({0: 0.0, 1: 0.0}, 0.0, m0=(1, 0.0), m1=(1, 0.0))
    of.children[0].bounds = 1, 1
    assert bounds(of) == (-1, 1), "one of two moves is lost"
    of.children[1].bounds = 0, 0
    assert bounds(of) == (0, 0)
    of.children[0].bounds = -1, 1
    assert bounds(of) == (0, 1), "a draw is certain"
    of.children[0].bounds = -1, -1
    assert bounds(of) == (1, 1), "the other side has lost"


def test_what_is_found_behind_a_pass_keeps_its_sign() -> None:
    board = Board.parse("OOOXOOO-OOOO---X X")  # d2 leaves white without a move
    search = Search(Even(0.25), GuidedLimits(simulations=1, solve=0), board)
    search.run(dict.fromkeys(range(16), 0.0))
    ((move, child),) = search.root.children.items()
    assert child.board.turn is board.turn
    assert board.play(move).must_pass
    assert q(search.root, move) == child.value


def test_a_move_of_the_other_side_turns_the_sign() -> None:
    search = Search(Even(0.25), GuidedLimits(simulations=1), Board.start(6))
    search.run(dict.fromkeys(range(36), 0.0))
    (move,) = search.root.children
    assert q(search.root, move) == -0.25
    assert search.root_value() == pytest.approx((0.25 - 0.25) / 2)
