from itertools import pairwise

import numpy as np
import pytest

from othello_lab.game import PASS, Board, Game
from othello_lab.game.players.player import MoveValues
from othello_lab.game.review import (
    DEFAULT_NODES,
    Decision,
    Reviewer,
    are_in_discs,
    points_of,
    points_of_values,
)
from othello_lab.game.solver.solver import Convention
from othello_lab.game.values import DISCS, ESTIMATE, EXPECTED_RESULT, POINTS, WON
from tests.game.sampling import endgames, exact_scores, random_games

pytestmark = pytest.mark.slow

# 4x4. White has to pass after a3, and black after d2. Black's move 5 (a3) loses the value of the start.
FORCED = "b1c1d1a1a3d3d4c4d2a4b4a2"
OPTIMAL = "b1a1a2c1d4a3d1b4a4c4"
# 8x8. Before black's move 33 (h2) the game is about even, and after this move it is nearly lost.
BLUNDER = "e6f4e3d6c5d3f5g6f3f6c4b4c3c6e7d7g4h3h5g3d8g5b3c8b8c7a5f8b5e2b6d2h2h1"


def review(game: Game, exact: int | None = None, nodes: int = DEFAULT_NODES) -> list[Decision]:
    return list(Reviewer(game.size, exact, nodes).review(game))[::-1]


@pytest.mark.parametrize("size", [4, 6, 8, 16])
def test_the_last_squares_are_what_trying_everything_finds(size: int) -> None:
    game = random_games(size, 1)[0]
    late = game.until()
    late.boards = [board for board in game.boards if board.empties <= 6]
    late.moves = game.moves[len(game.moves) + 1 - len(late.boards) :]
    found = review(late)
    assert found
    for each in found:
        assert each.exact
        assert each.values == exact_scores(each.board)
        scores = each.values
        assert each.lost == max(scores.values()) - scores[each.move]


def test_reference_endgames() -> None:
    reviewers = {size: Reviewer(size, 18) for size in (6, 8)}
    for board, scores in endgames(Convention.DISC_DIFF):
        game = Game(board)
        game.pass_if_forced()
        if not game.moves:
            game.play(min(scores, key=scores.__getitem__))
            (found,) = reviewers[board.size].review(game)
            assert found.values == scores
            assert found.lost == max(scores.values()) - min(scores.values())


def test_perfect_play_loses_nothing_and_the_line_is_as_good_as_the_game() -> None:
    game = Game.from_transcript(OPTIMAL, 4)
    found = review(game)
    assert len(found) == 10
    assert not any(each.lost or each.is_mistake or each.turned for each in found)
    for each in found:
        rest = Game(each.board)
        for move in each.line:
            rest.play(move)
        outcome = rest.board.outcome()
        assert outcome
        assert outcome.disc_diff == -8


def test_a_forced_pass_is_no_decision_but_counts_as_a_ply() -> None:
    game = Game.from_transcript(FORCED, 4)
    found = review(game)
    assert [each.ply for each in found] == [ply for ply, move in enumerate(game.moves) if move != PASS]
    assert all(each.side is each.board.turn for each in found)


def test_a_move_that_changes_the_winner_is_told() -> None:
    board = Board.parse("-OOOXXXXXOOOXXX- X")
    scores = exact_scores(board)
    game = Game(board)
    game.play(min(scores, key=scores.__getitem__))
    (found,) = review(game)
    assert found.turned == (np.sign(max(scores.values())) - np.sign(min(scores.values())))
    assert found.is_mistake == (found.lost > 0)


def test_before_the_end_a_search_estimates_and_repeats() -> None:
    game = Game.from_transcript(BLUNDER)
    found = review(game, 0, 2_000)
    assert {each.unit for each in found} == {ESTIMATE}
    assert not any(each.exact or each.turned for each in found)
    assert all(-64 <= value <= 64 for each in found for value in each.values.values())
    assert max(found, key=lambda each: each.weight).ply == 32
    assert found == review(game, 0, 2_000)


def test_a_board_without_a_trained_evaluation_has_points_and_exact_values_near_the_end() -> None:
    game = random_games(10, 1)[0]
    (found,) = review(game.until(1), 0, 100)
    assert found.unit == POINTS
    late = game.until()
    late.boards = [board for board in game.boards if board.empties <= 11]
    late.moves = game.moves[len(game.moves) + 1 - len(late.boards) :]
    for first, second in pairwise(review(late, 11)):
        best = max(second.values.values())
        assert first.values[first.move] == (best if first.side is second.side else -best)
        assert first.exact
        assert first.unit == DISCS


def test_a_wipe_out_in_sight_is_worth_the_discs_at_its_end() -> None:
    game = Game(Board.parse("-XO" + "-" * 61 + " O"))
    game.play(0)
    (found,) = review(game, 0, 1000)
    assert found.values == {0: 3}


def test_a_review_that_is_stopped_ends() -> None:
    game = Game.from_transcript(BLUNDER)
    reviewer = Reviewer(8, 0, 100)
    going = reviewer.review(game)
    next(going)
    reviewer.stop()
    assert list(going) == []
    assert list(Reviewer(8).review(Game(Board.start(8)))) == []


def test_every_decision_is_a_point_for_black_and_so_is_the_result() -> None:
    game = Game.from_transcript(FORCED, 4)
    found = [*Reviewer(4).review(game)]
    points = points_of(found, game)
    assert [point.ply for point in points] == [*sorted(each.ply for each in found), len(game.moves)]
    outcome = game.board.outcome()
    assert outcome
    assert points[-1].worth == outcome.disc_diff
    assert all(point.is_exact for point in points)
    # Perfect play keeps the value of a position. A mistake changes the value by its loss.
    for before, after in pairwise(points):
        assert abs(before.worth - after.worth) == before.lost
    assert any(point.lost for point in points)
    assert are_in_discs(found)


def values_along(game: Game, unit: str, value: float) -> list[MoveValues | None]:
    """Return values along a game. The first move has `value`, and the other moves have less."""
    return [
        MoveValues(np.array([value - 10 * place for place in range(len(board.legal_moves))]), unit)
        if board.legal_moves
        else None
        for board in game.boards
    ]


def test_what_a_player_says_is_drawn_in_discs_from_black_s_side() -> None:
    game = Game.from_transcript("f5d6", 8)
    worths = [(point.ply, point.worth) for point in points_of_values(values_along(game, DISCS, 6), game)]
    assert worths == [(0, 6), (1, -6)]
    (first, second) = points_of_values(values_along(game, ESTIMATE, 6), game)
    assert (first.is_exact, first.lost, second.lost) == (False, 20, 10)
    certain = points_of_values(values_along(game, EXPECTED_RESULT, WON + 12), game)
    assert [point.worth for point in certain] == [12, -12]


def test_positions_without_values_and_points_of_an_evaluation_are_not_drawn() -> None:
    game = Game.from_transcript("f5d6", 8)
    assert [point.ply for point in points_of_values([None, *values_along(game, DISCS, 6)[1:]], game)] == [1]
    assert points_of_values([None, None, None], game) == []
    assert points_of_values(values_along(game, POINTS, 6), game) == []


def test_a_decision_says_what_was_lost_and_what_could_have_been() -> None:
    # a1 wins by 2, b1 draws, c1 loses by 4.
    values = {0: 2, 1: 0, 2: -4}
    won, drawn, lost = (Decision(Board.start(4), move, values) for move in values)
    assert [(each.turned, each.lost) for each in (won, drawn, lost)] == [(0, 0), (1, 2), (2, 6)]
    assert (lost.best, lost.value, lost.worth) == (0, 2, -4)
