import json

from othello_lab.console import reviewing
from othello_lab.console.reviewing import graph_lines, plies_a_column
from othello_lab.game import Board, Game
from othello_lab.game.notation import square_name
from othello_lab.game.review import Decision, Point, Reviewer
from othello_lab.game.values import DISCS, ESTIMATE, POINTS
from tests.game.sampling import exact_scores, played

START = Board.start(8)
D3, C4, F5, E6 = START.legal_moves


def reviewed(unit: str, played: float, best: float, ply: int = 0) -> Decision:
    return Decision(START, D3, {D3: played, C4: best, F5: played, E6: played}, unit, ply, (C4, E6))


def test_what_was_lost_is_told_in_its_unit() -> None:
    assert reviewing.lost_text(reviewed(DISCS, 2, 3)) == "1 disc"
    assert reviewing.lost_text(reviewed(DISCS, -8, 4)) == "12 discs"
    assert reviewing.lost_text(reviewed(ESTIMATE, -3.2, 4.5)) == "7.7 discs"
    assert reviewing.lost_text(reviewed(POINTS, -1.5, 2)) == "3.50"
    assert reviewing.lost_text(reviewed(POINTS, -1e9, 2)) == "the game"


def test_a_change_of_the_winner_is_told_where_it_is_sure() -> None:
    assert reviewing.turned_text(reviewed(DISCS, -8, 4)) == "won -> lost"
    assert reviewing.turned_text(reviewed(DISCS, 0, 4)) == "won -> drawn"
    assert reviewing.turned_text(reviewed(DISCS, -2, 0)) == "drawn -> lost"
    assert reviewing.turned_text(reviewed(DISCS, 2, 64)) == ""
    assert reviewing.turned_text(reviewed(ESTIMATE, -9, 9)) == ""


def test_the_biggest_mistakes_come_first_and_a_lost_win_before_all() -> None:
    small, large = reviewed(ESTIMATE, 0, 3.5), reviewed(ESTIMATE, -15, 15)
    discs, winner = reviewed(DISCS, 2, 20), reviewed(DISCS, -2, 2)
    none = [reviewed(ESTIMATE, 0, 1.9), reviewed(DISCS, 4, 4)]
    assert reviewing.worst([small, *none, discs, large, winner]) == [winner, large, discs, small]
    assert reviewing.loss_text(winner, 8) == "black d3 lost 4 discs, won -> lost; better c4 e6"


def test_a_review_in_lines_of_a_terminal() -> None:
    decisions = [reviewed(ESTIMATE, 0, 3.5, 4), reviewed(DISCS, 2, 2, 6), reviewed(DISCS, 0, 6, 8)]
    assert reviewing.as_lines(decisions[::-1]) == [
        " ply  side   move  worth  best  worth  lost   (worth to the side that moves)",
        "-- discs at the end, estimated",
        "   5  black  d3       +0  c4     +3.5  3.5 discs",
        "-- discs at the end, exactly, empty squares counted for nobody",
        "   7  black  d3       +2",
        "   9  black  d3       +0  c4       +6  6 discs  won -> drawn",
        "",
        "discs for black before each move; ! is a mistake",
        "   +6 |        !",
        "   +4 |",
        "   +3 |    !",
        "   +2 |      o",
        "    0 |---------",
        "   -2 |",
        "   -3 |",
        "   -4 |",
        "   -6 |",
        "       1",
        "",
        "black: 3 decisions, 2 mistakes; lost about 4 discs in 1 move, 6 discs in the last 2 moves",
        "",
        "biggest mistakes",
        "   9  black d3 lost 6 discs, won -> drawn; better c4 e6",
        "   5  black d3 lost 3.5 discs; better c4 e6",
    ]
    assert "There is no move to review" in reviewing.as_lines([])[0]


def test_a_sure_loss_is_no_number_of_points() -> None:
    decisions = [reviewed(POINTS, -1, 2.5), reviewed(POINTS, -1e9, 2, 2)]
    lines = reviewing.as_lines(decisions)
    assert "black: 2 decisions, 2 mistakes; lost 3.50 points and 1 whole game in 2 moves" in lines


def test_for_programs_a_review_has_the_exact_score_of_every_move() -> None:
    for size in (4, 8):
        board = played(size, 6, 3).board
        game = Game(board)
        game.play(next(iter(board.legal_moves)))
        found = list(Reviewer(size, 12).review(game))
        (output,) = json.loads(json.dumps(reviewing.as_json(found)))
        scores = {square_name(move, size): score for move, score in exact_scores(board).items()}
        assert output["moves"] == scores
        assert (output["exact"], output["move_number"], output["position"]) == (True, 1, str(board))
        assert output["lost"] == max(scores.values()) - scores[output["move"]]


GRAPH = [Point(0, 3.0, False), Point(7, -8, True, 3.0), Point(11, 0, True)]


def test_each_move_has_a_column_and_black_is_up() -> None:
    assert graph_lines(GRAPH) == [
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
    assert plies_a_column(GRAPH, 6) == 2
    assert graph_lines([*GRAPH, Point(1, -4, True), Point(6, 8, True)], 2, rows=2) == [
        "   +8 |",
        "   +4 |",
        "    0 |-----o",
        "   -4 |o",
        "   -8 |   !",
        "       1",
    ]


def test_a_level_game_stays_near_the_middle() -> None:
    assert graph_lines([Point(0, 1.0, False)], rows=2)[0] == "   +4 |"
