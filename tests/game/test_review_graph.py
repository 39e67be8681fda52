"""The points of a game's graph, from a review and from what a player says of its moves."""

from itertools import pairwise

import numpy as np

from othello_lab.game import Game
from othello_lab.game.evaluators.evaluator import EXPECTED_RESULT, POINTS, WON
from othello_lab.game.players.base import DISCS, ESTIMATE, MoveValues
from othello_lab.game.review import Reviewer, are_in_discs, points_of, points_of_values

# White has to pass after a3, black after d2; black's a3, move 5, loses what the start had.
FORCED = "b1c1d1a1a3d3d4c4d2a4b4a2"


def test_every_decision_is_a_point_for_black_and_so_is_the_result() -> None:
    game = Game.from_transcript(FORCED, 4)
    found = [*Reviewer(4).review(game)]
    points = points_of(found, game)
    assert [point.ply for point in points] == [*sorted(each.ply for each in found), len(game.moves)]
    outcome = game.board.outcome()
    assert outcome
    assert points[-1].worth == outcome.disc_diff
    assert all(point.is_exact for point in points)
    # Perfect play keeps the value of a position, whoever moves; a mistake changes it by what it lost.
    for before, after in pairwise(points):
        assert abs(before.worth - after.worth) == before.lost
    assert any(point.lost for point in points)
    assert are_in_discs(found)


def said(game: Game, unit: str, value: float) -> list[MoveValues | None]:
    """Return values of every position of a game: the first move is worth that, the others less."""
    return [
        MoveValues(np.array([value - 10 * place for place in range(len(board.legal_moves))]), unit)
        if board.legal_moves
        else None
        for board in game.boards
    ]


def test_what_a_player_says_is_drawn_in_discs_from_black_s_side() -> None:
    game = Game.from_transcript("f5d6", 8)
    worths = [(point.ply, point.worth) for point in points_of_values(said(game, DISCS, 6), game)]
    assert worths == [(0, 6), (1, -6)]
    (first, second) = points_of_values(said(game, ESTIMATE, 6), game)
    assert (first.is_exact, first.lost, second.lost) == (False, 20, 10)
    certain = points_of_values(said(game, EXPECTED_RESULT, WON + 12), game)
    assert [point.worth for point in certain] == [12, -12]


def test_positions_of_which_nothing_was_said_have_no_point() -> None:
    game = Game.from_transcript("f5d6", 8)
    assert [point.ply for point in points_of_values([None, *said(game, DISCS, 6)[1:]], game)] == [1]
    assert points_of_values([None, None, None], game) == []


def test_points_of_an_evaluation_are_not_drawn_as_discs() -> None:
    game = Game.from_transcript("f5d6", 8)
    assert points_of_values(said(game, POINTS, 6), game) == []
