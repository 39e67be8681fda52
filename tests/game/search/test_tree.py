from collections.abc import Sequence

import numpy as np
import pytest

from othello_lab.game import PASS, Board
from othello_lab.game.kernels.bits import from_int
from othello_lab.game.search import mcts
from othello_lab.game.solver import few_empties
from othello_lab.game.solver.solver import Solver
from tests.cases import cases

FIRST_MOVES = [1, 4, 11, 14]


def sides(board: Board) -> tuple[object, object]:
    return from_int(board.own, board.size), from_int(board.opponent, board.size)


def expanded(board: Board) -> mcts.Nodes:
    nodes = mcts.new_nodes(200)
    mcts.expand(*sides(board), 0, nodes, 1, board.size)
    return nodes


def with_visits(*children: tuple[int, float]) -> mcts.Nodes:
    nodes = expanded(Board.start(4))
    for place, (visits, total) in enumerate(children, 1):
        nodes[place]["visits"], nodes[place]["total"] = visits, total
    nodes[0]["visits"] = 1 + sum(visits for visits, _ in children)
    return nodes


def with_bounds(*children: tuple[int, int]) -> mcts.Nodes:
    """Return the same tree with the bounds of the value of each reply for the other side."""
    nodes = with_visits(*[(3, 0.0)] * 4)
    for place, (lower, upper) in enumerate(children, 1):
        nodes[place]["lower"], nodes[place]["upper"] = lower, upper
    return nodes


def bounds(nodes: mcts.Nodes, node: int = 0) -> tuple[int, int]:
    return int(nodes[node]["lower"]), int(nodes[node]["upper"])


def test_a_position_has_a_child_for_each_move() -> None:
    nodes = expanded(Board.start(4))
    assert (nodes[0]["first"], nodes[0]["children"]) == (1, 4)
    assert nodes["move"][1:5].tolist() == FIRST_MOVES
    assert nodes["parent"][1:5].tolist() == [0, 0, 0, 0]


def test_a_forced_pass_is_a_child() -> None:
    passing = Board.parse("OOOXOOO-OOOOXXX- O")
    assert passing.must_pass
    nodes = expanded(passing)
    assert (nodes[0]["children"], nodes[1]["move"]) == (1, PASS)
    mcts.back_up(nodes, 1, 1.0)
    assert (nodes[1]["total"], nodes[0]["total"]) == (1.0, -1.0)


@pytest.mark.parametrize(
    ("cells", "result"), [("OOOXOOOXOOOXXXX- O", 1), ("OOOXOOO--XXXOXXX X", 0), ("OOOXOOO-OOOOX-O- X", -1)]
)
def test_a_finished_game_is_proven_for_its_side_to_move(cells: str, result: int) -> None:
    board = Board.parse(cells)
    assert board.is_over
    assert bounds(expanded(board)) == (result, result)


def test_values_change_sides_on_their_way_up() -> None:
    nodes = mcts.new_nodes(200)
    board = Board.start(4)
    used = mcts.expand(*sides(board), 0, nodes, 1, 4)
    mcts.expand(*sides(board.play(4)), 2, nodes, used, 4)
    mcts.back_up(nodes, used, 0.25)
    mcts.back_up(nodes, 2, -0.5)
    assert [nodes[node]["total"] for node in (used, 2, 0)] == [0.25, -0.75, 0.75]
    assert [nodes[node]["visits"] for node in (used, 2, 0, 1)] == [1, 2, 2, 0]
    assert mcts.worth(nodes, 2) == 0.375


@pytest.mark.parametrize(("children", "found"), cases("worth_of_positions"))
def test_it_is_worth_its_best_move(children: Sequence[tuple[int, int]], found: tuple[int, int]) -> None:
    nodes = with_bounds(*children)
    assert mcts.tighten(nodes, 0)
    assert bounds(nodes) == found
    assert not mcts.tighten(nodes, 0)


def test_what_is_proven_goes_up_with_a_result_and_bounds_it() -> None:
    nodes = with_bounds((1, 1), (1, 1), (1, 1))
    mcts.prove(nodes, 4, 1)
    mcts.back_up(nodes, 4, 0.0)
    assert bounds(nodes) == (-1, -1)
    assert (nodes[4]["total"], nodes[0]["total"]) == (1.0, -1.0)


def test_the_move_to_play_is_the_one_visited_most() -> None:
    assert mcts.best_child(with_visits((5, -1.0), (7, 0.0), (2, -2.0), (0, 0.0)), 0) == 2
    assert mcts.best_child(with_visits((5, 1.0), (5, 0.0), (5, -1.0), (5, 2.0)), 0) == 3


def test_a_proven_move_is_played_where_nothing_better_is_in_sight() -> None:
    won = with_bounds((-1, 1), (-1, 1), (-1, 1), (-1, -1))
    won[1]["visits"] = 100
    mcts.tighten(won, 0)
    assert mcts.best_child(won, 0) == 4
    drawn = with_bounds((0, 0), (-1, 1), (-1, 1), (1, 1))
    mcts.tighten(drawn, 0)
    drawn[2]["visits"], drawn[2]["total"] = 100, 10.0
    assert mcts.best_child(drawn, 0) == 1
    drawn[2]["total"] = -10.0
    assert mcts.best_child(drawn, 0) == 2


def test_a_lost_move_is_never_played_where_another_is_open() -> None:
    nodes = with_bounds((1, 1), (1, 1), (-1, 1), (1, 1))
    nodes[1]["visits"] = 100
    mcts.tighten(nodes, 0)
    assert mcts.best_child(nodes, 0) == 3


def test_a_part_of_a_tree_is_copied_with_all_that_is_known() -> None:
    nodes, board = mcts.new_nodes(200), Board.start(4)
    used = mcts.expand(*sides(board), 0, nodes, 1, 4)
    last = mcts.expand(*sides(board.play(11)), 3, nodes, used, 4)
    mcts.back_up(nodes, used, 0.25)
    copy = mcts.new_nodes(200)
    assert mcts.copy_subtree(nodes, 3, copy) == 1 + last - used
    assert (copy[0]["visits"], copy[0]["total"], copy[0]["first"]) == (1, -0.25, 1)
    assert copy["move"][1 : 1 + last - used].tolist() == nodes["move"][used:last].tolist()
    assert (copy[1]["visits"], copy[1]["total"], copy[1]["parent"]) == (1, 0.25, 0)


@pytest.mark.parametrize(
    ("cells", "result"), [("OOXOOOX-OXO-X--- O", 1), ("OX-XXXXX-OXX-O-- O", 0), ("OOO-XOO--XX--OXX O", -1)]
)
def test_the_result_of_a_position_with_few_empty_squares_is_exact(cells: str, result: int) -> None:
    state = np.zeros(1, few_empties.STATE)[0]
    state["size"] = 4
    board = Board.parse(cells)
    assert mcts.exact_result(*sides(board), state) == result == np.sign(Solver(4).value(board))
