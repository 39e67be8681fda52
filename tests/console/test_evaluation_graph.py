"""The graph of a review in lines of text."""

from othello_lab.console.evaluation_graph import graph_lines
from othello_lab.game.evaluators.evaluator import POINTS
from othello_lab.game.players.base import DISCS, ESTIMATE
from tests.console.test_reviewing import reviewed


def test_each_move_has_a_column_and_black_is_up() -> None:
    white = reviewed(DISCS, 8, 8, 1)
    turned = white.decision.board.play(19)
    white = white._replace(decision=white.decision._replace(board=turned))
    lines = graph_lines([reviewed(ESTIMATE, 3.0, 4.2), white, reviewed(DISCS, 0, 0, 12)])
    assert lines[2:] == [
        "   +8 |",
        "   +6 |",
        "   +4 |o",
        "   +2 |",
        "    0 |------------o",
        "   -2 |",
        "   -4 |",
        "   -6 |",
        "   -8 | o",
        "       1         11",
    ]


def test_there_is_none_of_nothing_and_of_points() -> None:
    assert graph_lines([]) == []
    assert graph_lines([reviewed(POINTS, 1, 2), reviewed(DISCS, 1, 2)]) == []
