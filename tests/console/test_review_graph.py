"""The graph of a review in lines of text."""

from othello_lab.console.reviewing import graph_lines, plies_a_column
from othello_lab.game.review import Point

POINTS = [Point(0, 3.0, False), Point(7, -8, True, 3.0), Point(11, 0, True)]


def test_each_move_has_a_column_and_black_is_up() -> None:
    assert graph_lines(POINTS) == [
        "   +8 |",
        "   +6 |",
        "   +4 |o",
        "   +2 |",
        "    0 |-----------o",
        "   -2 |",
        "   -4 |",
        "   -6 |",
        "   -8 |       !",
        "       1         11",
    ]


def test_where_moves_share_a_column_it_shows_their_mistake_or_the_last() -> None:
    assert plies_a_column(POINTS, 6) == 2
    assert graph_lines([*POINTS, Point(1, -4, True), Point(6, 8, True)], 2, rows=2) == [
        "   +8 |",
        "   +4 |",
        "    0 |-----o",
        "   -4 |o",
        "   -8 |   !",
        "       1",
    ]


def test_a_level_game_stays_near_the_middle() -> None:
    assert graph_lines([Point(0, 1.0, False)], rows=2)[0] == "   +4 |"
